import { AppError } from '../../platform/errors.ts';
import { addFrameImages, imageName, writeArchive } from '../kit/frame-images.ts';
import { createJsonWriter, type JsonWriter } from '../io/json-writer.ts';
import type { ZipWriter } from '../io/zip-writer.ts';
import { numberOption } from '../kit/option-values.ts';
import type { DestinationFile, ExportOptions, Exporter } from '../kit/plugin.ts';
import type { FormatReport } from '../kit/report.ts';
import { walkSubsets } from '../kit/subset-walk.ts';
import type { Frame, FrameInfo, TaskData } from '../kit/task-data.ts';
import { wayOf } from './fast/fast-codec.ts';
import { createInstanceBuilder, type InstanceBuilder, type MaskMode } from './coco-instances.ts';
import { type CocoCategory, createAnnotationWriter, createCategories } from './write-annotation.ts';

const maskModes: readonly MaskMode[] = ['plain', 'rle', 'polygons', 'cvat'];

function readMaskMode(value: unknown): MaskMode {
  if (value === undefined) return 'plain';
  const mode = maskModes.find((one) => one === value);
  if (!mode) throw new AppError('invalid', `mask_mode must be one of ${maskModes.join(', ')}.`);
  return mode;
}

type ImageIds = (frame: FrameInfo, position: number) => number;

/** Assigns image ids in the order of the frames. Equal paths in several subsets share an id. */
export function numberImages(task_data: TaskData): ImageIds {
  const subsets = new Set<string>();
  // Iterates again instead of reusing an iterator, because iterators run only once.
  for (const { subset } of task_data.frames) subsets.add(subset);
  if (subsets.size < 2) return (_frame, position) => position;
  const ids = new Map<string, number>();
  for (const { name } of task_data.frames) if (!ids.has(name)) ids.set(name, ids.size + 1);
  return ({ name }) => ids.get(name) ?? 0;
}

/** Differences between the formats of the COCO family on export. */
export interface CocoVariant {
  readonly filePrefix: string;
  /** True if sublabels get separate categories. */
  readonly writesSublabels: boolean;
  /** Writes members of a category after id, name and supercategory, starting with a comma. */
  readonly writeCategory?: (json: JsonWriter, category: CocoCategory) => void;
  /** False if the rows have no category: pycocotools rejects a category table whose ids are missing in the rows. */
  readonly writesCategories?: boolean;
  readonly rows: CocoRows;
}

export interface CocoRows {
  /** Begins the list of a file. The returned function writes the rows of one frame after another. */
  begin(json: JsonWriter, tables: RowTables): (frame: Frame, imageId: number) => void;
  finish?(): void;
}

export interface RowTables {
  readonly categories: ReadonlyMap<string, CocoCategory>;
  /** Annotation ids are unique in the archive, not only in one file. */
  readonly nextAnnotationId: () => number;
}

/** Writes the annotations that `builder` creates. Tags are reported, because rows have no place for them. */
export function instanceRows(builder: InstanceBuilder, report: FormatReport): CocoRows {
  return {
    begin(json, { categories, nextAnnotationId }) {
      const annotations = createAnnotationWriter(json, categories, report, nextAnnotationId);
      return (frame, imageId) => {
        for (const tag of frame.tags)
          report.dropped('tag', tag.label, 'COCO instances have no image-level labels; COCO Labels 1.0 has.');
        builder.build(frame, frame.labeled_shapes, (instance) => annotations.write(instance, imageId));
      };
    },
    finish: () => builder.finish(),
  };
}

interface Writing extends CocoVariant, RowTables {
  readonly task_data: TaskData;
  readonly options: ExportOptions;
  readonly idOf: ImageIds;
  /** Counts a frame and returns its number, from 1. */
  readonly position: () => number;
  readonly progress: () => void;
}

/** Start of every file. */
export const fileHead =
  '{"licenses":[{"name":"","id":0,"url":""}],' +
  '"info":{"contributor":"","date_created":"","description":"","url":"","version":"","year":""},';

export function writeImage(json: JsonWriter, id: number, name: string, { width, height }: FrameInfo, isFirst: boolean) {
  json.ascii(`${isFirst ? '' : ','}{"id":${id},"width":${width},"height":${height},"file_name":`);
  json.string(name);
  json.ascii(',"license":0,"flickr_url":"","coco_url":"","date_captured":0}');
}

function writeHead(json: JsonWriter, variant: Writing): void {
  json.ascii(fileHead);
  if (variant.writesCategories !== false) writeCategories(json, variant);
  json.ascii('"images":[');
}

function writeCategories(json: JsonWriter, { categories, writesSublabels, writeCategory }: Writing): void {
  json.ascii('"categories":[');
  let isFirst = true;
  for (const category of categories.values()) {
    const { id, label, supercategory } = category;
    if (supercategory !== '' && !writesSublabels) continue;
    json.ascii(`${isFirst ? '' : ','}{"id":${id},"name":`);
    isFirst = false;
    json.string(label.name);
    json.ascii(',"supercategory":');
    json.string(supercategory);
    writeCategory?.(json, category);
    json.ascii('}');
  }
  json.ascii('],');
}

async function writeImages(json: JsonWriter, subset: string, { task_data, idOf }: Writing): Promise<void> {
  let position = 0;
  let isFirst = true;
  for (const frame of task_data.frames) {
    position += 1;
    if (frame.subset !== subset) continue;
    writeImage(json, idOf(frame, position), imageName(task_data, frame), frame, isFirst);
    isFirst = false;
    if (json.isFull) await json.drain();
  }
}

async function writeSubset(zip: ZipWriter, subset: string, frames: Iterable<Frame>, writing: Writing): Promise<void> {
  const { task_data, options, filePrefix, rows, idOf } = writing;
  // Small files have no other point for cancellation.
  options.signal.throwIfAborted();
  const name = task_data.frame_count === 0 ? subset || 'default' : subset;
  const entry = await zip.beginEntry(`annotations/${filePrefix}_${name}.json`);
  const json = createJsonWriter(entry);
  writeHead(json, writing);
  await writeImages(json, subset, writing);
  json.ascii('],"annotations":[');
  const add = rows.begin(json, writing);
  for (const frame of frames) {
    add(frame, idOf(frame, writing.position()));
    if (!json.isFull) continue;
    options.signal.throwIfAborted();
    writing.progress();
    await json.drain();
  }
  json.ascii(']}');
  await json.flush();
  await entry.end();
}

/** Writes a dataset of the COCO family: one annotation file per subset, and the images if requested. */
export async function exportCocoFiles(
  file_object: DestinationFile,
  task_data: TaskData,
  options: ExportOptions,
  variant: CocoVariant,
): Promise<void> {
  const share = options.save_images ? 0.5 : 1;
  let annotationId = 0;
  let position = 0;
  const writing: Writing = {
    ...variant,
    task_data,
    options,
    categories: createCategories(
      task_data.meta.labels,
      numberOption(options, 'first_class_id', { fallback: 1, minimum: 0, maximum: 1 }),
    ),
    idOf: numberImages(task_data),
    position: () => (position += 1),
    nextAnnotationId: () => (annotationId += 1),
    progress: () => options.progress((share * position) / Math.max(1, task_data.frame_count)),
  };
  await writeArchive(file_object.path, async (zip) => {
    for (const [subset, frames] of walkSubsets(task_data)) await writeSubset(zip, subset, frames, writing);
    if (!options.save_images) return;
    const pathOf = (frame: FrameInfo): string => `images/${frame.subset || 'default'}/${imageName(task_data, frame)}`;
    await addFrameImages(zip, task_data, options, pathOf, (fraction) =>
      options.progress(share + (1 - share) * fraction),
    );
  });
  variant.rows.finish?.();
}

/**
 * Writes COCO instances: `annotations/instances_<subset>.json`, and optionally `images/<subset>/<path>`. The option
 * `mask_mode` is `plain` (uncompressed RLE), `rle` (compressed RLE), `polygons`, or `cvat`, which writes every mask as
 * a crowd. Evaluations ignore crowds, so in the other modes only the attribute `is_crowd` makes one. Lines, points,
 * cuboids, skeletons and tags cannot be exported; they are reported by type and label.
 */
export const exportCoco: Exporter = async (file_object, task_data, options) => {
  const builder = createInstanceBuilder(options.report, readMaskMode(options['mask_mode']), wayOf(options));
  const rows = instanceRows(builder, options.report);
  await exportCocoFiles(file_object, task_data, options, { filePrefix: 'instances', writesSublabels: true, rows });
};
