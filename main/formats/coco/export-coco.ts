import { AppError } from '../../platform/errors.ts';
import { addFrameImages, imageName, writeArchive } from '../kit/frame-images.ts';
import { createJsonWriter, type JsonWriter } from '../io/json-writer.ts';
import type { ZipWriter } from '../io/zip-writer.ts';
import { numberOption } from '../kit/option-values.ts';
import type { DestinationFile, ExportOptions, Exporter } from '../kit/plugin.ts';
import type { FormatReport } from '../kit/report.ts';
import type { Frame, FrameInfo, TaskData } from '../kit/task-data.ts';
import { wayOf } from './fast/fast-way.ts';
import { createInstanceBuilder, type InstanceBuilder, type MaskMode } from './coco-instances.ts';
import { type CocoCategory, createAnnotationWriter, createCategories } from './write-annotation.ts';

const maskModes: readonly MaskMode[] = ['cvat', 'rle', 'polygons'];

function readMaskMode(value: unknown): MaskMode {
  if (value === undefined) return 'cvat';
  const mode = maskModes.find((one) => one === value);
  if (!mode) throw new AppError('invalid', `mask_mode must be one of ${maskModes.join(', ')}.`);
  return mode;
}

/** Image ids count up in the order of the frames; where subsets hold the same path they share the id. */
export interface ImageIds {
  readonly subsets: readonly string[];
  /** Every subset is one stretch of frames, so one walk over the frames serves them all. */
  readonly isSorted: boolean;
  idOf(frame: FrameInfo, position: number): number;
}

export function numberImages(task_data: TaskData): ImageIds {
  const subsets: string[] = [];
  let isSorted = true;
  let last: string | undefined;
  for (const { subset } of task_data.frames) {
    if (subset === last) continue;
    if (subsets.includes(subset)) isSorted = false;
    else subsets.push(subset);
    last = subset;
  }
  if (subsets.length < 2)
    return {
      subsets: subsets.length === 0 ? [task_data.meta.subset || 'default'] : subsets,
      isSorted,
      idOf: (_frame, position) => position,
    };
  const ids = new Map<string, number>();
  for (const { name } of task_data.frames) if (!ids.has(name)) ids.set(name, ids.size + 1);
  return { subsets, isSorted, idOf: ({ name }) => ids.get(name) ?? 0 };
}

/** What the members of the COCO family differ in when they are written. */
export interface CocoVariant {
  /** Name of the annotation files, before `_<subset>.json`. */
  readonly filePrefix: string;
  /** Whether sublabels have categories of their own. */
  readonly writesSublabels: boolean;
  /** What a category has beside id, name and supercategory: written behind them, with a comma first. */
  readonly writeCategory?: (json: JsonWriter, category: CocoCategory) => void;
  /** False where the rows have no category: pycocotools reads no table of them without one in each row. */
  readonly writesCategories?: boolean;
  readonly rows: CocoRows;
}

/** The list of annotations of each file. */
export interface CocoRows {
  /** Begins the list of a file; what it gives writes the rows of one frame after another. */
  begin(json: JsonWriter, tables: RowTables): (frame: Frame, imageId: number) => void;
  /** After the last frame. */
  finish?(): void;
}

export interface RowTables {
  readonly categories: ReadonlyMap<string, CocoCategory>;
  /** Ids of annotations go on through all files of the archive. */
  readonly nextAnnotationId: () => number;
}

/** A row for each shape or group of shapes, as `builder` has it; tags have no place among them. */
export function instanceRows(builder: InstanceBuilder, report: FormatReport): CocoRows {
  return {
    begin(json, { categories, nextAnnotationId }) {
      const annotations = createAnnotationWriter(json, categories, report, nextAnnotationId);
      return (frame, imageId) => {
        for (const tag of frame.tags)
          report.lost('tag', tag.label, 'COCO instances have no labels for a whole image; COCO Labels 1.0 has.');
        builder.build(frame, frame.labeled_shapes, (instance) => annotations.write(instance, imageId));
      };
    },
    finish: () => builder.finish(),
  };
}

interface Writing extends CocoVariant, RowTables {
  readonly task_data: TaskData;
  readonly options: ExportOptions;
  readonly images: ImageIds;
  readonly progress: (framesDone: number) => void;
}

function writeHead(json: JsonWriter, variant: Writing): void {
  json.ascii('{"licenses":[{"name":"","id":0,"url":""}],');
  json.ascii('"info":{"contributor":"","date_created":"","description":"","url":"","version":"","year":""},');
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

async function writeImages(json: JsonWriter, subset: string, { task_data, images }: Writing): Promise<void> {
  let position = 0;
  let isFirst = true;
  for (const frame of task_data.frames) {
    position += 1;
    if (frame.subset !== subset && images.subsets.length > 1) continue;
    json.ascii(
      `${isFirst ? '' : ','}{"id":${images.idOf(frame, position)},"width":${frame.width},"height":${frame.height},"file_name":`,
    );
    json.string(imageName(task_data, frame));
    json.ascii(',"license":0,"flickr_url":"","coco_url":"","date_captured":0}');
    isFirst = false;
    if (json.isFull) await json.drain();
  }
}

/** A walk over the frames that can be left at the end of a subset and taken up again at the next one. */
function createFrameWalk(task_data: TaskData) {
  const iterator = task_data.group_by_frame(true)[Symbol.iterator]();
  let next = iterator.next();
  let position = 1;
  return {
    peek: (): Frame | undefined => (next.done ? undefined : next.value),
    get position() {
      return position;
    },
    advance(): void {
      next = iterator.next();
      position += 1;
    },
    close: (): void => void iterator.return?.(),
  };
}
type FrameWalk = ReturnType<typeof createFrameWalk>;

async function writeAnnotations(json: JsonWriter, subset: string, walk: FrameWalk, writing: Writing): Promise<void> {
  const { options, rows, images } = writing;
  const { signal } = options;
  let isFirst = true;
  const add = rows.begin(json, writing);
  for (let frame = walk.peek(); frame; walk.advance(), frame = walk.peek()) {
    if (images.subsets.length > 1 && frame.subset !== subset) {
      if (images.isSorted && !isFirst) break;
      continue;
    }
    isFirst = false;
    add(frame, images.idOf(frame, walk.position));
    if (!json.isFull) continue;
    signal.throwIfAborted();
    writing.progress(walk.position);
    await json.drain();
  }
}

async function writeSubset(zip: ZipWriter, subset: string, walk: FrameWalk, writing: Writing): Promise<void> {
  // Small files have no other moment for it.
  writing.options.signal.throwIfAborted();
  const entry = await zip.beginEntry(`annotations/${writing.filePrefix}_${subset}.json`);
  const json = createJsonWriter(entry);
  writeHead(json, writing);
  await writeImages(json, subset, writing);
  json.ascii('],"annotations":[');
  await writeAnnotations(json, subset, walk, writing);
  json.ascii(']}');
  await json.flush();
  await entry.end();
}

async function writeSubsets(zip: ZipWriter, writing: Writing): Promise<void> {
  const { task_data, images } = writing;
  let walk = createFrameWalk(task_data);
  try {
    for (const subset of images.subsets) {
      await writeSubset(zip, subset, walk, writing);
      if (images.isSorted) continue;
      walk.close();
      walk = createFrameWalk(task_data);
    }
  } finally {
    walk.close();
  }
}

/** Writes a data set of the COCO family: an annotation file for each subset, and the images where they are wanted. */
export async function exportCocoFiles(
  file_object: DestinationFile,
  task_data: TaskData,
  options: ExportOptions,
  variant: CocoVariant,
): Promise<void> {
  const share = options.save_images ? 0.5 : 1;
  let annotationId = 0;
  const writing: Writing = {
    ...variant,
    task_data,
    options,
    categories: createCategories(
      task_data.meta.labels,
      numberOption(options, 'first_class_id', { fallback: 1, minimum: 0, maximum: 1 }),
    ),
    images: numberImages(task_data),
    nextAnnotationId: () => (annotationId += 1),
    progress: (framesDone) => options.progress((share * framesDone) / Math.max(1, task_data.frame_count)),
  };
  await writeArchive(file_object.path, async (zip) => {
    await writeSubsets(zip, writing);
    if (!options.save_images) return;
    const pathOf = (frame: FrameInfo): string => `images/${frame.subset || 'default'}/${imageName(task_data, frame)}`;
    await addFrameImages(zip, task_data, options, pathOf, (fraction) =>
      options.progress(share + (1 - share) * fraction),
    );
  });
  variant.rows.finish?.();
}

/**
 * COCO instances: `annotations/instances_<subset>.json`, with images also `images/<subset>/<path>`. The option
 * `mask_mode` says how masks are written: `cvat` (crowd with plain run lengths), `rle` (no crowd), `polygons`.
 * Lines, points, cuboids, skeletons and tags have no place in the format; they are reported by type and label.
 */
export const exportCoco: Exporter = async (file_object, task_data, options) => {
  const builder = createInstanceBuilder(options.report, readMaskMode(options['mask_mode']), wayOf(options));
  const rows = instanceRows(builder, options.report);
  await exportCocoFiles(file_object, task_data, options, { filePrefix: 'instances', writesSublabels: true, rows });
};
