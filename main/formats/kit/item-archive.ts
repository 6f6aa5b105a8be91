import { createItemNames, type DatasetItem } from './dataset-items.ts';
import { addText, createImageAdder, imageName, writeArchive } from './frame-images.ts';
import { type SpillFiles, withSpillFiles } from '../io/spill-files.ts';
import type { ZipWriter } from '../io/zip-writer.ts';
import type { DestinationFile, ExportOptions } from './plugin.ts';
import type { Frame, TaskData } from './task-data.ts';

/** An image of the data set: a frame with its place, and the image's name in the task. */
export interface ArchiveItem extends DatasetItem {
  readonly image: string;
  /** Place among all frames, from 1. */
  readonly position: number;
}

export interface ArchiveFiles {
  readonly zip: ZipWriter;
  /** Files that grow from image to image: they join the archive at its end. */
  readonly spill: SpillFiles;
  /** Adds a small text. */
  text(path: string, text: string): Promise<void>;
  /** Adds what is compressed already. */
  packed(path: string, bytes: Buffer): Promise<void>;
}

export interface ItemArchiveLayout {
  /** The format's name, for sentences. */
  readonly format: string;
  /** All subsets share their folders. */
  readonly isFlat?: boolean;
  /** The format knows images by numbers: two of one name do not get into each other's way. */
  readonly hasNumbers?: boolean;
  /** Called before the first image. */
  begin?(files: ArchiveFiles): Promise<void>;
  /** Writes what the image has, and reports what cannot be written. Returns where the image itself goes. */
  addItem(item: ArchiveItem, files: ArchiveFiles): Promise<readonly string[]>;
  /** Called for an image that could not be read where images are wanted. */
  onUnreadable?(item: ArchiveItem): void;
  /** Called behind the last image. */
  finish?(files: ArchiveFiles, subsets: ReadonlySet<string>): Promise<void>;
}

/** Writes an archive image by image, and the images themselves where they are wanted. */
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
