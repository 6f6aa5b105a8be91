import { createItemNames, type DatasetItem } from './dataset-items.ts';
import { addText, createImageAdder, imageName, writeArchive } from './frame-images.ts';
import { type SpillFiles, withSpillFiles } from '../io/spill-files.ts';
import type { ZipWriter } from '../io/zip-writer.ts';
import type { DestinationFile, ExportOptions } from './plugin.ts';
import type { Frame, TaskData } from './task-data.ts';

/** An image of the dataset: a frame with its place, and the image's name in the task. */
export interface ArchiveItem extends DatasetItem {
  readonly image: string;
  /** Position among all frames, from 1. */
  readonly position: number;
}

export interface ArchiveFiles {
  readonly zip: ZipWriter;
  /** Files that grow with each image and are added to the archive at its end. */
  readonly spill: SpillFiles;
  text(path: string, text: string): Promise<void>;
  /** Adds compressed content without deflating it. */
  packed(path: string, bytes: Buffer): Promise<void>;
}

export interface ItemArchiveLayout {
  readonly format: string;
  /** True if all subsets share their folders. */
  readonly isFlat?: boolean;
  /** True if the format numbers its images, so that equal names do not collide. */
  readonly hasNumbers?: boolean;
  begin?(files: ArchiveFiles): Promise<void>;
  /** Writes the annotations of an image, and reports dropped ones. Returns the paths of the image. */
  addItem(item: ArchiveItem, files: ArchiveFiles): Promise<readonly string[]>;
  /** Called for an unreadable image in an export with images. */
  onUnreadable?(item: ArchiveItem): void;
  finish?(files: ArchiveFiles, subsets: ReadonlySet<string>): Promise<void>;
}

/** Writes an archive image by image, and optionally the images. */
export async function writeItemArchive(
  file_object: DestinationFile,
  task_data: TaskData,
  options: ExportOptions,
  layout: ItemArchiveLayout,
): Promise<void> {
  const { report, signal, progress, save_images } = options;
  const { format, isFlat = false, hasNumbers = false } = layout;
  const names = createItemNames({ format, report, isFlat });
  const itemOf = (frame: Frame): DatasetItem | undefined =>
    hasNumbers ? { frame, subset: frame.subset, stem: frame.name } : names.claim(frame);
  await writeArchive(file_object.path, (zip) =>
    withSpillFiles(file_object.path, async (spill) => {
      const files: ArchiveFiles = {
        zip,
        spill,
        text: (path, text) => addText(zip, path, text),
        packed: (path, bytes) => zip.add(path, bytes, { store: true }),
      };
      const images = createImageAdder(zip, task_data, options);
      await layout.begin?.(files);
      let done = 0;
      for (const frame of task_data.group_by_frame(true)) {
        signal.throwIfAborted();
        done += 1;
        progress(done / Math.max(1, task_data.frame_count));
        const item = itemOf(frame);
        if (!item) continue;
        const archiveItem = { ...item, image: imageName(task_data, frame), position: done };
        const paths = await layout.addItem(archiveItem, files);
        await spill.drain();
        if (save_images && paths.length > 0 && !(await images.add(frame, paths))) layout.onUnreadable?.(archiveItem);
      }
      await layout.finish?.(files, names.subsets);
      await spill.addTo(zip);
      images.finish();
    }),
  );
}
