import { AppError } from '../../../platform/errors.ts';
import { type AnnotationAdder, createAnnotationAdder, plainShape } from '../../kit/add-annotation.ts';
import { eachFile } from '../../kit/dataset-files.ts';
import { crowdName } from '../crowd.ts';
import { namedFiles, readCocoFile } from '../coco-file.ts';
import { truthOf } from '../../kit/read-attributes.ts';
import { brief, faultOf, isRecord } from '../../kit/records.ts';
import { createUnreadMembers } from '../../kit/unread-members.ts';
import type { CocoLabel, CocoTables } from '../coco-tables.ts';
import { type Source } from '../../io/source.ts';
import { readMaskImage } from '../../kit/mask-files/read-image.ts';
import { createSizeWatch } from '../../kit/mask-files/size-watch.ts';
import { masksByValue } from '../../kit/mask-files/value-masks.ts';
import type { DatasetReader } from '../../kit/define-format.ts';
import type { ImportOptions } from '../../kit/plugin.ts';
import type { ImageSize, TaskData } from '../../kit/task-data.ts';

const format = 'COCO Panoptic';
const listedProblems = 20;

/** Finds the segment image in the folder named like its JSON file, or anywhere under a `panoptic` folder. */
function createImageFinder(source: Source, jsonPath: string): (name: string) => string | undefined {
  const folder = jsonPath.replace(/\.json$/i, '');
  const parent = jsonPath.slice(0, jsonPath.lastIndexOf('/') + 1);
  return (name) => {
    const clean = name.replaceAll('\\', '/').replace(/^(\.?\/)+/, '');
    const direct = [`${folder}/${clean}`, `${parent}${clean}`, clean].find((path) => source.has(path));
    if (direct !== undefined) return direct;
    const elsewhere = source.entries.filter(({ path }) => path.endsWith(`/${clean}`) && path.includes('panoptic'));
    return elsewhere.length === 1 ? elsewhere[0]?.path : undefined;
  };
}

interface Segment {
  readonly label: CocoLabel;
  readonly isCrowd: boolean;
  readonly at: string;
}

interface Reading {
  readonly source: Source;
  readonly task_data: TaskData;
  readonly options: ImportOptions;
  readonly file: string;
  readonly add: AnnotationAdder;
  readonly findImage: (name: string) => string | undefined;
  readonly sizes: ReturnType<typeof createSizeWatch>;
  readonly noteUnread: ReturnType<typeof createUnreadMembers>;
}

function readSegments(
  value: unknown,
  at: string,
  { labels }: CocoTables,
  { file, noteUnread, options: { report } }: Reading,
): Map<number, Segment> {
  const segments = new Map<number, Segment>();
  if (!Array.isArray(value)) {
    report.invalid(file, `${at}.segments_info`, `must be a list, but is ${brief(value)}`);
    return segments;
  }
  for (const [index, item] of value.entries()) {
    const place = `${at}.segments_info[${index}]`;
    const { id, category_id: category, iscrowd } = isRecord(item) ? item : {};
    const label = labels.get(category);
    if (!Number.isSafeInteger(id)) report.invalid(file, `${place}.id`, `must be a whole number, but is ${brief(id)}`);
    else if (!label) {
      report.invalid(file, `${place}.category_id`, `is ${brief(category)}, which is not in "categories"`);
    } else {
      if (isRecord(item)) noteUnread(item, label.name);
      segments.set(Number(id), { label, isCrowd: truthOf(iscrowd ?? 0) === true, at: place });
    }
  }
  return segments;
}

/** Segment id of a pixel: its color, lowest byte first. Gray images may state the id directly. */
function segmentOf(value: number, isColor: boolean, segments: ReadonlyMap<number, Segment>): number {
  if (isColor) return ((value & 255) << 16) | (value & 0xff00) | (value >> 16);
  return segments.has(value) ? value : value * 65_793;
}

async function importImage(
  path: string,
  segments: ReadonlyMap<number, Segment>,
  frame: number,
  size: ImageSize,
  { source, file, add, sizes, options: { report } }: Reading,
): Promise<void> {
  const image = await readMaskImage(source, path);
  sizes.compare(path, image, size);
  const masks = masksByValue(
    image.width,
    image.height,
    (index) => segmentOf(image.valueAt(index), image.isColor, segments),
    0,
  );
  let unknown = 0;
  for (const [id, { points, area }] of masks) {
    const segment = segments.get(id);
    if (!segment) {
      unknown += 1;
      if (unknown <= listedProblems)
        report.invalid(path, `segment ${id}`, `${area} pixels have this number, which is missing in "segments_info"`);
      continue;
    }
    const { label, isCrowd, at } = segment;
    const attributes = isCrowd ? [{ name: crowdName, value: 'true' }] : [];
    add.shape(
      plainShape({
        type: 'mask',
        frame,
        label: label.name,
        points,
        attributes,
      }),
      at,
    );
  }
  if (unknown > listedProblems) report.warn(`${path}: ${unknown} segments are missing in "segments_info".`);
  for (const [id, { at }] of segments)
    if (!masks.has(id)) report.invalid(file, at, `no pixel of ${path} has the number ${id} of this segment`);
}

async function importAnnotation(item: unknown, index: number, tables: CocoTables, reading: Reading): Promise<void> {
  const { file, options, findImage } = reading;
  const { report } = options;
  const at = `annotations[${index}]`;
  const { image_id: imageId, file_name: name, segments_info: info } = isRecord(item) ? item : {};
  const place = tables.images.find(imageId);
  if (place < 0) return report.invalid(file, `${at}.image_id`, `is ${brief(imageId)}, which is not in "images"`);
  const segments = readSegments(info, at, tables, reading);
  const frame = tables.images.frame(place);
  if (frame < 0) {
    report.invalid(
      file,
      at,
      `no frame of the task matches the image of ${brief(name)}; its ${segments.size} segments were left out`,
    );
    return undefined;
  }
  const path = typeof name === 'string' ? findImage(name) : undefined;
  if (path === undefined) {
    return report.invalid(file, `${at}.file_name`, `the segment image ${brief(name)} is not in the dataset`);
  }
  try {
    await importImage(path, segments, frame, tables.images.size(place), reading);
  } catch (error) {
    report.invalid(path, at, faultOf(error));
  }
  return undefined;
}

/** Reads COCO panoptic from an archive or folder: `panoptic_<subset>.json` and the segment images. Masks stay masks. */
export const importPanoptic: DatasetReader = async (source, task_data, options) => {
  const { report, signal } = options;
  const files = namedFiles(source, 'panoptic');
  if (files.length === 0) {
    throw new AppError(
      'invalid',
      `${source.name} has no ${format} annotations. It must contain a file "annotations/panoptic_<subset>.json" and its images.`,
    );
  }
  const sizes = createSizeWatch(report);
  const statedSizes = createSizeWatch(report, { files: 'images in the file', kept: 'masks' });
  const noteUnread = createUnreadMembers(report, new Set('id category_id area bbox iscrowd'.split(' ')));
  await eachFile(files, task_data, options, async ({ path, subset }, progress) => {
    const add = createAnnotationAdder(task_data, report, path);
    const findImage = createImageFinder(source, path);
    const reading: Reading = { source, task_data, options, file: path, add, findImage, sizes, noteUnread };
    await readCocoFile({
      source,
      path,
      file: path,
      context: { subset, task_data, sizes: statedSizes },
      report,
      signal,
      progress,
      annotations: async (items, firstIndex, tables) => {
        for (const [offset, item] of items.entries()) {
          signal.throwIfAborted();
          await importAnnotation(item, firstIndex + offset, tables, reading);
          await task_data.backpressure?.();
        }
      },
    });
  });
  sizes.finish();
  statedSizes.finish();
};
