import type { Exporter } from '../plugin.ts';
import type { Frame, TaskData } from '../task-data.ts';
import { createObjectWriter, type ObjectExport } from './object-writer.ts';
import { type ImageFileLayout, writeImageFiles } from './write-image-files.ts';

interface DocumentExport extends ObjectExport, Omit<ImageFileLayout, 'format'> {
  readonly document: (
    frame: Frame,
    image: string,
    objects: readonly Record<string, unknown>[],
    tags: readonly Record<string, unknown>[],
  ) => unknown;
  readonly files?: (task_data: TaskData) => ReadonlyMap<string, string>;
}

/** Creates an exporter of datasets with one JSON document per image. */
export const documentExporter =
  (exported: DocumentExport): Exporter =>
  async (file_object, task_data, options) => {
    const { objectsOf, tagsOf } = createObjectWriter(exported, task_data, options.report);
    await writeImageFiles(
      file_object,
      task_data,
      options,
      exported,
      ({ frame }, image) => `${JSON.stringify(exported.document(frame, image, objectsOf(frame), tagsOf(frame)))}\n`,
      exported.files?.(task_data),
    );
  };
