import { createItemNames, type DatasetItem } from '../dataset-items.ts';
import { createExportSteps } from '../export-steps.ts';
import { addText, imageName, writeArchive } from '../frame-images.ts';
import type { DestinationFile, ExportOptions } from '../plugin.ts';
import type { FrameInfo, LabeledShape, TaskData } from '../task-data.ts';

export interface ImageFileLayout {
  /** The format's name, for sentences. */
  readonly format: string;
  /** Where the objects of an image go; `image` is the image's name. */
  filePath(item: DatasetItem, image: string): string;
  imagePath(subset: string, image: string): string;
}

/** Shapes of a frame that are seen on it: tracks have some that only say where they end. */
export function visibleShapes(shapes: readonly LabeledShape[]): LabeledShape[] {
  return shapes.filter((shape) => !(shape.track_id !== undefined && shape.outside === true));
}

/**
 * Writes an archive with an annotation file for each image, and the images where they are wanted. `textOf` gives the
 * file's content, and reports what it cannot hold; `others` are files about the whole data set.
 */
export async function writeImageFiles(
  file_object: DestinationFile,
  task_data: TaskData,
  options: ExportOptions,
  { format, filePath, imagePath }: ImageFileLayout,
  textOf: (item: DatasetItem, image: string) => string,
  others: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const names = createItemNames({ format, report: options.report });
  const steps = createExportSteps(task_data, options);
  await writeArchive(file_object.path, async (zip) => {
    for (const [path, text] of others) await addText(zip, path, text);
    for (const frame of steps.frames()) {
      const item = names.claim(frame);
      if (!item) continue;
      const image = imageName(task_data, frame);
      await addText(zip, filePath(item, image), textOf(item, image));
    }
    const pathOf = (frame: FrameInfo): string | null =>
      names.isLeftOut(frame) ? null : imagePath(frame.subset || 'default', imageName(task_data, frame));
    await steps.images(zip, pathOf);
  });
}
