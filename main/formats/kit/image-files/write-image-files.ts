import { createItemNames, type DatasetItem } from '../dataset-items.ts';
import { createExportSteps } from '../export-steps.ts';
import { addText, imageName, writeArchive } from '../frame-images.ts';
import type { DestinationFile, ExportOptions } from '../plugin.ts';
import type { FrameInfo, LabeledShape, TaskData } from '../task-data.ts';

export interface ImageFileLayout {
  readonly format: string;
  /** Path of the annotation file of an image; `image` is the image's name. */
  filePath(item: DatasetItem, image: string): string;
  imagePath(subset: string, image: string): string;
}

/** Shapes that are visible on their frame: tracks have shapes that only mark their end. */
export function visibleShapes(shapes: readonly LabeledShape[]): LabeledShape[] {
  return shapes.filter((shape) => !(shape.track_id !== undefined && shape.outside === true));
}

/**
 * Writes an archive with an annotation file per image, and optionally the images. `textOf` returns the content of a
 * file and reports dropped data. `others` are files about the dataset.
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
