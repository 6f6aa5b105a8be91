import { boxFromExtent } from '../kit/box-extent.ts';
import type { LabeledShape } from '../kit/task-data.ts';
import { readNumber } from '../kit/yolo-family/box-row.ts';

/** The twelve categories, by their number. */
export const categories: readonly string[] = [
  'ignored regions',
  'pedestrian',
  'people',
  'bicycle',
  'car',
  'van',
  'truck',
  'tricycle',
  'awning-tricycle',
  'bus',
  'motor',
  'others',
];

export interface VisDroneRow {
  readonly label: string;
  readonly points: readonly number[];
  /** Ground truth: 0 where the box is not judged. Results: the detector's confidence. */
  readonly score: number;
  readonly isTruncated: boolean;
  readonly occlusion: number;
}

/** Reads `left,top,width,height,score,category,truncation,occlusion`, or says why it cannot be read. */
export function readVisDroneRow(line: string): VisDroneRow | string | undefined {
  const text = line.trim();
  if (text === '') return undefined;
  const fields = text.replace(/,$/, '').split(',');
  if (fields.length !== 8) return `a row has 8 values with commas between; this one has ${fields.length}`;
  const values = fields.map((field) => readNumber(field.trim()));
  const wrong = values.findIndex(Number.isNaN);
  if (wrong >= 0) return `${JSON.stringify(fields[wrong]?.slice(0, 80))} is not a number`;
  const [, , , , score = 1, category = -1, truncation = 0, occlusion = 0] = values;
  const label = categories[category];
  if (label === undefined) return `${fields[5]?.trim()} is none of the twelve categories`;
  const points = boxFromExtent(values.slice(0, 4));
  if (typeof points === 'string') return points;
  return { label, points, score, isTruncated: truncation > 0, occlusion };
}

const isTrue = ({ attributes }: LabeledShape, name: string): boolean =>
  attributes.some((one) => one.name === name && /^(true|1)$/i.test(one.value));

/** Corners on whole pixels, as VisDrone's own files and what reads them have; what is seen keeps a pixel each way. */
function wholeExtent(points: readonly number[]): readonly number[] {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
  const side = (from: number, to: number): readonly [number, number] => {
    const begin = Math.round(Math.min(from, to));
    return [begin, from === to ? 0 : Math.max(1, Math.round(Math.max(from, to)) - begin)];
  };
  const [left, width] = side(x1, x2);
  const [top, height] = side(y1, y2);
  return [left, top, width, height];
}

export function writeVisDroneRow(shape: LabeledShape): string {
  const { label, points, occluded, score } = shape;
  const judged = isTrue(shape, 'ignored') || label === categories[0] ? 0 : (score ?? 1);
  const flags = [isTrue(shape, 'truncated') ? 1 : 0, occluded ? 1 : 0];
  return `${[...wholeExtent(points), judged, categories.indexOf(label), ...flags].join(',')}\n`;
}
