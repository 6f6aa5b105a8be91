import { polygonsToRunLengths } from '../../../preload/geometry/polygon-raster.ts';
import {
  areaOfCounts,
  boundingBoxOfRuns,
  decompressCounts,
  runLengthsProblem,
  type RunLengths,
} from '../../../preload/geometry/run-length.ts';
import { openByteInput } from '../../formats/io/byte-input.ts';
import { readJsonArrays, type JsonArrayOptions } from '../../formats/io/json-array-reader.ts';
import type { Source } from '../../formats/io/source.ts';
import { isRecord } from '../../formats/kit/records.ts';
import { AppError } from '../../platform/errors.ts';
import { createCocoObjects, type CocoObjects, type CocoSet, type EvaluationKind } from './coco-objects.ts';

/** A JSON file: the given file, or a file in an archive or folder. */
export interface CocoFile {
  readonly source: Source;
  readonly path: string;
}

interface ReadOptions {
  /** If absent, taken from the first result: keypoints before masks before boxes. */
  readonly kind?: EvaluationKind;
  readonly signal?: AbortSignal;
}

type Raw = Readonly<Record<string, unknown>>;
type Size = readonly [width: number, height: number];

type Tables = Awaited<ReturnType<typeof readTables>>;

const refuse = (message: string): AppError => new AppError('invalid', message);
const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'number' && Number.isFinite(one));

/**
 * Streams COCO truth and results into columns.
 * @throws AppError 'invalid' with the location, for input that pycocotools cannot evaluate either
 */
export async function readCocoSet(truth: CocoFile, results: CocoFile, options: ReadOptions = {}): Promise<CocoSet> {
  const tables = await readTables(truth, options);
  const kind = options.kind ?? (await kindOfResults(results, options));
  const truths = await readTruths(truth, kind, tables, options);
  const found = await readResults(results, kind, tables, options);
  return { kind, images: tables.sizes.length, categories: tables.categories, truths, results: found };
}

async function readItems(
  { source, path }: CocoFile,
  key: string | undefined,
  { signal }: ReadOptions,
  visit: (item: Raw, index: number) => void,
): Promise<boolean> {
  let isThere = false;
  const input = await openByteInput(source, path);
  const arrays: JsonArrayOptions = {
    array: (name) => {
      if (name !== key) return 'skip';
      isThere = true;
      return (items, first) => {
        for (const [place, item] of items.entries()) {
          if (!isRecord(item)) throw refuse(`${path}: ${key ?? 'result'} ${first + place + 1} is not an object.`);
          visit(item, first + place);
        }
      };
    },
    signal,
  };
  try {
    await readJsonArrays(input, arrays);
  } finally {
    await input.close();
  }
  return isThere;
}

async function readTables(file: CocoFile, options: ReadOptions) {
  const sizes = new Map<number, Size>();
  const names = new Map<number, string>();
  const idOf = (item: Raw, kind: string, index: number): number => {
    const id = item['id'];
    if (typeof id === 'number' && Number.isFinite(id)) return id;
    throw refuse(`${file.path}: ${kind} ${index + 1} has no numeric id.`);
  };
  const hasImages = await readItems(file, 'images', options, (item, index) => {
    sizes.set(idOf(item, 'image', index), [Number(item['width'] ?? 0), Number(item['height'] ?? 0)]);
  });
  const hasCategories = await readItems(file, 'categories', options, (item, index) => {
    const id = idOf(item, 'category', index);
    names.set(id, typeof item['name'] === 'string' ? item['name'] : String(id));
  });
  if (!hasImages || !hasCategories) {
    throw refuse(
      `${file.path} is not COCO ground truth: an object with "images", "categories" and "annotations" is needed.`,
    );
  }
  const ascending = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);
  const imageIds = ascending(sizes.keys());
  const categoryIds = ascending(names.keys());
  return {
    images: new Map(imageIds.map((id, index) => [id, index])),
    sizes: imageIds.map((id): Size => sizes.get(id) ?? [0, 0]),
    categories: categoryIds.map((id) => ({ id, name: names.get(id) ?? String(id) })),
    categoryOf: new Map(categoryIds.map((id, index) => [id, index])),
  };
}

async function kindOfResults(file: CocoFile, options: ReadOptions): Promise<EvaluationKind> {
  let kind: EvaluationKind = 'bbox';
  await readItems(file, undefined, options, (item, index) => {
    if (index > 0) return;
    if (item['keypoints'] !== undefined) kind = 'keypoints';
    else if (item['segmentation'] !== undefined) kind = 'segm';
  });
  return kind;
}

async function readTruths(
  file: CocoFile,
  kind: EvaluationKind,
  { images, sizes, categoryOf }: Tables,
  options: ReadOptions,
): Promise<CocoObjects> {
  const truths = createCocoObjects();
  await readItems(file, 'annotations', options, (item, index) => {
    const image = images.get(Number(item['image_id']));
    const category = categoryOf.get(Number(item['category_id']));
    // Ignored, as in pycocotools.
    if (image === undefined || category === undefined) return;
    const where = `${file.path}: annotation ${index + 1}`;
    const isCrowd = Number(item['iscrowd'] ?? 0) !== 0;
    const segmentation = kind === 'segm' ? segmentationOf(item, sizes[image]!, where) : undefined;
    const box = isNumbers(item['bbox']) ? item['bbox'] : boundingBoxOfRuns((segmentation ?? noMask)());
    const stated = item['area'];
    truths.add({
      image,
      category,
      box,
      area: typeof stated === 'number' ? stated : areaOf(box, segmentation),
      isCrowd,
      isIgnored: isCrowd || (kind === 'keypoints' && item['num_keypoints'] === 0),
      hasIdZero: item['id'] === 0,
      segmentation,
      keypoints: kind === 'keypoints' ? keypointsOf(item, where) : undefined,
    });
  });
  return truths;
}

const noMask = (): RunLengths => ({ height: 0, width: 0, counts: [] });
const areaOf = (box: readonly number[], segmentation: (() => RunLengths) | undefined): number =>
  segmentation === undefined ? (box[2] ?? 0) * (box[3] ?? 0) : areaOfCounts(segmentation().counts);

async function readResults(
  file: CocoFile,
  kind: EvaluationKind,
  { images, sizes, categoryOf }: Tables,
  options: ReadOptions,
): Promise<CocoObjects> {
  const results = createCocoObjects();
  const strangers = new Set<number>();
  // pycocotools derives areas and boxes from the fields of the first result.
  let from: 'bbox' | 'segmentation' | 'keypoints' = 'bbox';
  const isList = await readItems(file, undefined, options, (item, index) => {
    const where = `${file.path}: result ${index + 1}`;
    if (index === 0) from = sourceOfBoxes(item, where);
    const score = item['score'];
    if (typeof score !== 'number' || !Number.isFinite(score)) throw refuse(`${where} has no numeric score.`);
    const image = images.get(Number(item['image_id']));
    if (image === undefined) return void strangers.add(Number(item['image_id']));
    const category = categoryOf.get(Number(item['category_id']));
    if (category === undefined) return;
    const own = item['bbox'];
    const given = isNumbers(own) && own.length === 4 ? own : undefined;
    const needsMask = kind === 'segm' || from === 'segmentation';
    const raw = item['segmentation'] === undefined && given !== undefined ? { segmentation: [cornersOf(given)] } : item;
    const segmentation = needsMask ? segmentationOf(raw, sizes[image]!, where) : undefined;
    const points = kind === 'keypoints' || from === 'keypoints' ? keypointsOf(item, where) : undefined;
    const extent = from === 'keypoints' ? extentOf(points ?? []) : undefined;
    const box = extent ?? given ?? (segmentation === undefined ? undefined : boundingBoxOfRuns(segmentation()));
    if (box === undefined) throw refuse(`${where} has no box of four numbers (x, y, width, height).`);
    results.add({
      image,
      category,
      box,
      score,
      area: from === 'segmentation' ? areaOf(box, segmentation) : (box[2] ?? 0) * (box[3] ?? 0),
      segmentation: kind === 'segm' && segmentation !== undefined ? segmentation : undefined,
      keypoints: kind === 'keypoints' && points !== undefined ? points : undefined,
    });
  });
  if (!isList)
    throw refuse(`${file.path} contains no COCO results: a list of {image_id, category_id, score, …} is needed.`);
  if (strangers.size > 0) {
    const some = [...strangers].slice(0, 3).join(', ');
    throw refuse(
      `${file.path} has results for ${strangers.size} images that are not in the ground truth (image_id ${some}). ` +
        'Both files must belong to the same dataset.',
    );
  }
  return results;
}

function sourceOfBoxes(item: Raw, where: string): 'bbox' | 'segmentation' | 'keypoints' {
  if (Array.isArray(item['bbox']) && item['bbox'].length > 0) return 'bbox';
  if (item['segmentation'] !== undefined) return 'segmentation';
  if (item['keypoints'] !== undefined) return 'keypoints';
  throw refuse(`${where} has neither "bbox" nor "segmentation" nor "keypoints".`);
}

function cornersOf([left = 0, top = 0, width = 0, height = 0]: readonly number[]): number[] {
  const [right, bottom] = [left + width, top + height];
  return [left, top, left, bottom, right, bottom, right, top];
}

/** Bounding box of all points, visible or not. */
function extentOf(points: readonly number[]): number[] {
  const [xs, ys] = [points.filter((_, at) => at % 3 === 0), points.filter((_, at) => at % 3 === 1)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

function keypointsOf(item: Raw, where: string): readonly number[] {
  const points = item['keypoints'];
  if (isNumbers(points) && points.length > 0 && points.length % 3 === 0) return points;
  throw refuse(`${where} has no "keypoints" of three numbers each (x, y, visibility).`);
}

/** Keeps the file's encoding (polygons, RLE or compressed RLE) and rasterizes it only for the comparison. */
function segmentationOf(item: Raw, [width, height]: Size, where: string): () => RunLengths {
  const given = item['segmentation'];
  if (Array.isArray(given) && given.every(isNumbers)) return () => polygonsToRunLengths(given, width, height);
  const size = isRecord(given) ? given['size'] : undefined;
  const counts = isRecord(given) ? given['counts'] : undefined;
  if (!isNumbers(size) || (typeof counts !== 'string' && !isNumbers(counts))) {
    throw refuse(`${where} has no segmentation: polygons, or {"size": [height, width], "counts": …}.`);
  }
  const [rows = 0, columns = 0] = size;
  return () => {
    const runs = {
      height: rows,
      width: columns,
      counts: typeof counts === 'string' ? decompressCounts(counts) : [...counts],
    };
    const problem = runLengthsProblem(runs);
    if (problem !== null) throw refuse(`${where}: ${problem}`);
    return runs;
  };
}
