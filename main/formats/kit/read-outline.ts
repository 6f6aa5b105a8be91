import { maskFromRunLengths } from '../../../preload/geometry/mask-runs.ts';
import {
  decompressCounts,
  mergeRunLengths,
  type RunLengths,
  runLengthsProblem,
} from '../../../preload/geometry/run-length.ts';
import { brief, RecordError, isFiniteNumber, isRecord } from './records.ts';
import { addDecimals } from './short-decimals.ts';
import type { ImageSize } from './task-data.ts';

/** Maximum image side. Limits the work for a mask, which grows with the number of columns. */
const maxImageSide = 1_000_000;

/** Outline of an annotation: polygons, one mask, or its box. `problems` lists the unusable parts. */
export type Outline = { readonly problems: readonly RecordError[] } & (
  | { readonly type: 'polygon'; readonly parts: readonly (readonly number[])[] }
  | { readonly type: 'mask' | 'rectangle'; readonly points: readonly number[] }
);

const noProblems: readonly RecordError[] = [];

function polygonProblem(part: unknown): string | undefined {
  if (!Array.isArray(part)) return `must be a list of numbers, but is ${brief(part)}`;
  if (part.length < 6 || part.length % 2 !== 0)
    return `must have an even number of at least 6 coordinates, but has ${part.length}`;
  const wrong = indexOfNoNumber(part);
  return wrong < 0 ? undefined : `has ${brief(part[wrong])} where a number must be`;
}

/** Index of the first value that is not a finite number. JSON can give Infinity, but not NaN. */
function indexOfNoNumber(values: readonly unknown[]): number {
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (typeof value !== 'number' || value - value !== 0) return index;
  }
  return -1;
}

function readPolygons(segmentation: readonly unknown[]): Outline {
  // Some tools omit the list around a single polygon.
  const parts = typeof segmentation[0] === 'number' ? [segmentation] : segmentation;
  let good: (readonly number[])[] | undefined;
  let problems: RecordError[] | undefined;
  for (let index = 0; index < parts.length; index += 1) {
    const problem = polygonProblem(parts[index]);
    if (problem !== undefined) {
      good ??= parts.slice(0, index) as number[][];
      problems ??= [];
      problems.push(new RecordError(`segmentation[${index}]`, problem));
    } else if (good) good.push(parts[index] as number[]);
  }
  if (good?.length === 0) throw problems?.[0] ?? new RecordError('segmentation', 'is empty');
  // polygonProblem has checked every number.
  return { type: 'polygon', parts: good ?? (parts as readonly number[][]), problems: problems ?? noProblems };
}

function readCounts(counts: unknown): readonly number[] {
  if (Array.isArray(counts)) {
    const wrong = indexOfNoNumber(counts);
    if (wrong >= 0) throw new RecordError('segmentation.counts', `has ${brief(counts[wrong])} where a number must be`);
    // indexOfNoNumber has checked every number.
    return counts as readonly number[];
  }
  if (typeof counts !== 'string')
    throw new RecordError('segmentation.counts', `must be a list or a string, but is ${brief(counts)}`);
  try {
    return decompressCounts(counts);
  } catch (error) {
    throw new RecordError('segmentation.counts', error instanceof Error ? error.message : 'cannot be read');
  }
}

function readRuns(segmentation: Readonly<Record<string, unknown>>, image: ImageSize): RunLengths {
  const size = segmentation['size'];
  const [height, width] = Array.isArray(size) ? (size as unknown[]) : [];
  const isSide = (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) > 0 && Number(value) <= maxImageSide;
  if (!isSide(height) || !isSide(width))
    throw new RecordError('segmentation.size', 'must be the height and width of the image');
  if (image.width > 0 && (width !== image.width || height !== image.height)) {
    throw new RecordError(
      'segmentation.size',
      `is ${width} × ${height}, but the image is ${image.width} × ${image.height}`,
    );
  }
  const runs = { height, width, counts: readCounts(segmentation['counts']) };
  const problem = runLengthsProblem(runs);
  if (problem !== null) throw new RecordError('segmentation.counts', problem);
  return runs;
}

/** Joins several masks to one, like pycocotools. */
function readMask(masks: readonly Readonly<Record<string, unknown>>[], image: ImageSize): Outline {
  const [first, ...others] = masks.map((mask) => readRuns(mask, image));
  if (!first) throw new RecordError('segmentation', 'is empty');
  if (others.some(({ width, height }) => width !== first.width || height !== first.height))
    throw new RecordError('segmentation', 'has masks of different sizes');
  const points = maskFromRunLengths(others.length === 0 ? first : mergeRunLengths([first, ...others]));
  if (!points) throw new RecordError('segmentation', 'is a mask without pixels');
  return { type: 'mask', points, problems: noProblems };
}

function readBox(bbox: unknown): Outline {
  if (!Array.isArray(bbox)) throw new RecordError('bbox', 'is missing, and so is the segmentation');
  const [x, y, width, height] = bbox as unknown[];
  if (
    bbox.length !== 4 ||
    !isFiniteNumber(x) ||
    !isFiniteNumber(y) ||
    !isFiniteNumber(width) ||
    !isFiniteNumber(height)
  ) {
    throw new RecordError('bbox', 'must be four numbers: x, y, width, height');
  }
  if (width < 0 || height < 0) throw new RecordError('bbox', `has a negative size, ${width} × ${height}`);
  return { type: 'rectangle', points: [x, y, addDecimals(x, width), addDecimals(y, height)], problems: noProblems };
}

/** Null if the annotation has no segmentation. */
function readSegmentation(segmentation: unknown, imageSize: () => ImageSize): Outline | null {
  if (Array.isArray(segmentation) && segmentation.length > 0)
    return segmentation.every(isRecord) ? readMask(segmentation, imageSize()) : readPolygons(segmentation);
  if (isRecord(segmentation)) return readMask([segmentation], imageSize());
  if (typeof segmentation === 'string' || typeof segmentation === 'number')
    throw new RecordError('segmentation', `must be a list or an object, but is ${brief(segmentation)}`);
  return null;
}

function boxOrNull(bbox: unknown): Outline | null {
  try {
    return readBox(bbox);
  } catch {
    return null;
  }
}

/**
 * Outline of an annotation: its polygons, else its mask (plain or compressed RLE), else its box. Invalid parts of a
 * polygon list are dropped, and an unusable segmentation is replaced by a valid box; `problems` lists both. Throws
 * `RecordError` if nothing usable remains.
 */
export function readOutline(segmentation: unknown, bbox: unknown, imageSize: () => ImageSize): Outline {
  try {
    const outline = readSegmentation(segmentation, imageSize);
    if (outline) return outline;
  } catch (error) {
    const box = error instanceof RecordError ? boxOrNull(bbox) : null;
    if (!box || !(error instanceof RecordError)) throw error;
    return { ...box, problems: [new RecordError(error.at, `${error.message}: the box was read instead`)] };
  }
  return readBox(bbox);
}
