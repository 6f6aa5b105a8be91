import { createJsonWriter } from '../../io/json-writer.ts';
import { subsetName } from '../dataset-items.ts';
import { createExportSteps } from '../export-steps.ts';
import { addText, imageName, writeArchive } from '../frame-images.ts';
import type { Exporter } from '../plugin.ts';
import { walkSubsets } from '../subset-walk.ts';
import type { Frame, TaskData } from '../task-data.ts';
import { createObjectWriter, type ObjectExport } from './object-writer.ts';

export interface ListedImage {
  readonly name: string;
  readonly path: string;
}

interface ListLayout {
  readonly format: string;
  /** List file of a subset, or of all images. */
  readonly listPath: string | ((subset: string) => string);
  readonly imagePath: (subset: string, image: string) => string;
  /** Writes one line per image instead of a list. */
  readonly isLines?: boolean;
  /** Text before the images; default: the opening bracket of a list. */
  readonly head?: string;
  readonly tail?: string;
  /** Text before an image, such as a key; undefined drops the image from the list. */
  readonly before?: (frame: Frame, image: ListedImage) => string | undefined;
  /** Description of the dataset, written as `README.md`. */
  readonly card?: (task_data: TaskData, subsets: readonly string[]) => string;
}

export interface ImageList extends ListLayout {
  readonly element: (frame: Frame, image: ListedImage) => unknown;
}

function* filesOf({ listPath, format }: ImageList, task_data: TaskData): Generator<readonly [string, Iterable<Frame>]> {
  if (typeof listPath === 'string') yield [listPath, task_data.group_by_frame(true)];
  else for (const [subset, frames] of walkSubsets(task_data)) yield [listPath(subsetName({ subset }, format)), frames];
}

/** Creates an exporter of datasets whose files are lists of images. */
export const imageListExporter =
  (list: ImageList): Exporter =>
  async (file_object, task_data, options) => {
    const { format, imagePath, isLines = false, before = () => '', element, card } = list;
    const { head = isLines ? '' : '[', tail = isLines ? '' : '\n]\n' } = list;
    const steps = createExportSteps(task_data, options);
    const subsets = new Set<string>();
    await writeArchive(file_object.path, async (zip) => {
      for (const [listPath, frames] of filesOf(list, task_data)) {
        const entry = await zip.beginEntry(listPath);
        const json = createJsonWriter(entry);
        let separator = isLines ? '' : '\n';
        json.text(head);
        for (const frame of steps.frames(frames)) {
          const name = imageName(task_data, frame);
          const subset = subsetName(frame, format);
          subsets.add(subset);
          const image = { name, path: imagePath(subset, name) };
          const front = before(frame, image);
          if (front === undefined) continue;
          json.text(separator + front);
          if (!isLines) separator = ',\n';
          json.value(element(frame, image));
          if (isLines) json.ascii('\n');
          if (json.isFull) await json.drain();
        }
        json.ascii(tail);
        await json.flush();
        await entry.end();
      }
      if (card !== undefined) await addText(zip, 'README.md', card(task_data, [...subsets]));
      await steps.images(zip, (frame) => imagePath(subsetName(frame, format), imageName(task_data, frame)));
    });
  };

export interface ListExport extends ObjectExport, ListLayout {
  readonly element: (
    frame: Frame,
    image: ListedImage,
    objects: readonly Record<string, unknown>[],
    tags: readonly Record<string, unknown>[],
  ) => unknown;
}

/** Like {@link imageListExporter}, for formats with simple outlines. */
export const listExporter =
  (exported: ListExport): Exporter =>
  (file_object, task_data, options) => {
    const { objectsOf, tagsOf } = createObjectWriter(exported, task_data, options.report);
    const element = (frame: Frame, image: ListedImage): unknown =>
      exported.element(frame, image, objectsOf(frame), tagsOf(frame));
    return imageListExporter({ ...exported, element })(file_object, task_data, options);
  };
