import { subsetName } from '../dataset-items.ts';
import { createExportSteps } from '../export-steps.ts';
import { imageName, writeArchive } from '../frame-images.ts';
import { createJsonWriter } from '../../io/json-writer.ts';
import type { Exporter } from '../plugin.ts';
import { walkSubsets } from '../subset-walk.ts';
import type { Frame } from '../task-data.ts';
import { createObjectWriter, type ObjectExport } from './object-writer.ts';

export interface ListExport extends ObjectExport {
  /** The file of a subset's images. */
  readonly listPath: (subset: string) => string;
  readonly imagePath: (subset: string, image: string) => string;
  /** A line for each image instead of a list. */
  readonly isLines?: boolean;
  /** One image of the list. `image` is its name, `path` its place in the archive. */
  readonly element: (
    frame: Frame,
    image: { readonly name: string; readonly path: string },
    objects: readonly Record<string, unknown>[],
    tags: readonly Record<string, unknown>[],
  ) => unknown;
}

/** An exporter of data sets with one list of images for each subset. */
export const listExporter =
  (exported: ListExport): Exporter =>
  async (file_object, task_data, options) => {
    const { format, listPath, imagePath, isLines = false, element } = exported;
    const steps = createExportSteps(task_data, options);
    const { objectsOf, tagsOf } = createObjectWriter(exported, task_data, options.report);
    await writeArchive(file_object.path, async (zip) => {
      for (const [subset, frames] of walkSubsets(task_data)) {
        const own = subsetName({ subset }, format);
        const entry = await zip.beginEntry(listPath(own));
        const json = createJsonWriter(entry);
        let isFirst = true;
        if (!isLines) json.ascii('[');
        for (const frame of steps.frames(frames)) {
          if (!isLines) json.ascii(isFirst ? '\n' : ',\n');
          isFirst = false;
          const name = imageName(task_data, frame);
          json.value(element(frame, { name, path: imagePath(own, name) }, objectsOf(frame), tagsOf(frame)));
          if (isLines) json.ascii('\n');
          if (json.isFull) await json.drain();
        }
        if (!isLines) json.ascii('\n]\n');
        await json.flush();
        await entry.end();
      }
      await steps.images(zip, (frame) => imagePath(subsetName(frame, format), imageName(task_data, frame)));
    });
  };
