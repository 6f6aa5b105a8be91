import { plainShape } from '../kit/add-annotation.ts';
import type { FormatReport } from '../kit/report.ts';
import { decimal } from '../kit/short-decimals.ts';
import type { Attribute, LabeledShape, LabelInfo } from '../kit/task-data.ts';

/** A row of a label file: type, fourteen numbers, and in results a score. */
export interface KittiRow {
  readonly type: string;
  readonly truncated: string;
  readonly occluded: number;
  readonly points: readonly number[];
  /** True if the row has 3D data. */
  readonly isInSpace: boolean;
  readonly score: number | undefined;
}

const numbersWithoutScore = 14;
/** Placeholder values for missing 3D data. */
const unknownInSpace = new Set([-1, -10, -1000]);

function trailingNumbers(fields: readonly string[]): number {
  let count = 0;
  while (count < fields.length && decimal.test(fields[fields.length - 1 - count] ?? '')) count += 1;
  return count;
}

/**
 * Parses a row, or returns the reason why it cannot. Types may have spaces, so numbers are counted from the end. If a
 * type itself ends with a number, `isLabel` decides which reading matches a label of the task.
 */
export function readKittiRow(line: string, isLabel: (type: string) => boolean): KittiRow | string {
  const fields = line.trim().split(/\s+/);
  const trailing = trailingNumbers(fields);
  const counts = [numbersWithoutScore + 1, numbersWithoutScore].filter(
    (count) => trailing >= count && fields.length > count,
  );
  const typeOf = (count: number): string => fields.slice(0, fields.length - count).join(' ');
  const ofOneWord = counts.find((one) => one === fields.length - 1);
  const count = counts.find((one) => isLabel(typeOf(one))) ?? ofOneWord ?? counts[0];
  if (count === undefined)
    return `a row must have a type and 14 numbers, or 15 with a score, but has ${fields.length} fields of which the last ${trailing} are numbers`;
  const texts = fields.slice(fields.length - count);
  const values = texts.map(Number);
  const [, occluded = 0, , x1 = 0, y1 = 0, x2 = 0, y2 = 0] = values;
  if (!values.every(Number.isFinite)) return 'a number is too large';
  const score = count > numbersWithoutScore ? values[numbersWithoutScore] : undefined;
  return {
    type: typeOf(count),
    truncated: texts[0] ?? '0',
    occluded,
    points: [x1, y1, x2, y2],
    isInSpace: [values[2] ?? -1, ...values.slice(7, numbersWithoutScore)].some((value) => !unknownInSpace.has(value)),
    score,
  };
}

/** Attribute `truncated`, if the label has one or the row states it: a fraction from 0 to 1, or a boolean. */
function truncatedAttribute({ truncated }: KittiRow, label: LabelInfo | undefined): Attribute[] {
  const attribute = label?.attributes.find(({ name }) => name === 'truncated');
  const isTruncated = Number(truncated) > 0;
  if (!attribute && !isTruncated) return [];
  const isText = attribute !== undefined && attribute.input_type !== 'checkbox';
  return [{ name: 'truncated', value: isText ? truncated : String(isTruncated) }];
}

/** Converts a row to a shape. 3D data is reported as dropped. */
export function shapeOfRow(
  row: KittiRow,
  frame: number,
  label: LabelInfo | undefined,
  report: FormatReport,
): LabeledShape {
  const { type, points, occluded, score, isInSpace } = row;
  if (isInSpace) report.dropped('rectangle', type, 'A 2D box has no location and extent in 3D.');
  if (occluded > 1) report.dropped('rectangle', type, 'Degrees of occlusion become one flag.');
  const isScore = score !== undefined && score >= 0 && score <= 1;
  if (score !== undefined && !isScore) report.dropped('rectangle', type, 'Scores must be from 0 to 1.');
  return plainShape({
    type: 'rectangle',
    frame,
    label: type,
    points,
    occluded: occluded > 0,
    attributes: truncatedAttribute(row, label),
    score: isScore && score !== 1 ? score : undefined,
  });
}

/** A box as a row of sixteen fields: placeholders for 3D data, and the score at the end. */
export function writeKittiRow({ label, points, occluded, attributes, score = 1 }: LabeledShape): string {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
  const stated = attributes.find(({ name }) => name === 'truncated')?.value.toLowerCase();
  const truncated = stated === 'true' ? '1.0' : stated !== undefined && decimal.test(stated) ? stated : '0.0';
  const box = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
  return `${label} ${truncated} ${occluded ? 1 : 0} -1 ${box.join(' ')} -1 -1 -1 -1 -1 -1 -1 ${Number.isInteger(score) ? score.toFixed(1) : score}`;
}
