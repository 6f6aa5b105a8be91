import { shapeTypes, type ShapeType } from '../../../preload/contract/annotation-names.ts';
import { RecordError, isFiniteNumber } from '../kit/records.ts';
import { normalRotation } from '../kit/corner-box.ts';
import { pixelsOf, readNumber, withoutNoise } from '../kit/short-decimals.ts';
import type { ImageSize, LabeledShape } from '../kit/task-data.ts';
import { boxStyle, type ColumnRole, type Columns } from './columns.ts';

export type BoxOrder = 'xywh' | 'xyxy' | 'center';

export interface Row {
  readonly fields: readonly string[];
  readonly line: number;
}

export interface Table {
  readonly columns: Columns;
  /** True if the columns are labels, with 1 where an image has the label. */
  readonly isOfLabels: boolean;
  readonly isNormalized: boolean;
  /** True if decimals use a comma; possible only with another delimiter. */
  readonly hasDecimalComma: boolean;
  /** Meaning of the four numbers of a box column. */
  readonly boxOrder: BoxOrder;
}

export type Outline = Pick<LabeledShape, 'type' | 'points' | 'rotation' | 'elements'>;

export function fieldOf({ columns }: Pick<Table, 'columns'>, fields: readonly string[], role: ColumnRole): string {
  const place = columns.places.get(role);
  return place === undefined ? '' : (fields[place] ?? '').trim();
}

function numberOf(text: string, { hasDecimalComma }: Pick<Table, 'hasDecimalComma'>, what: string): number {
  const plain = hasDecimalComma ? text.replace(/^([+-]?\d*),(\d+)$/, '$1.$2') : text;
  const value = readNumber(plain);
  if (!Number.isNaN(value)) return value;
  throw new RecordError('', `${what} must be a number, but is ${JSON.stringify(text.slice(0, 60))}`);
}

export function optionalNumber(table: Table, fields: readonly string[], role: ColumnRole): number | undefined {
  const text = fieldOf(table, fields, role);
  return text === '' ? undefined : numberOf(text, table, role);
}

/** Numbers separated by spaces, commas or semicolons, with or without brackets. */
function numbersOf(text: string, what: string): number[] {
  const parts = text.split(/[\s,;()[\]]+/).filter((part) => part !== '');
  return parts.map((part) => numberOf(part, { hasDecimalComma: false }, what));
}

/** Box numbers of a row, unconverted; undefined if the row has no box. */
export function boxNumbers(table: Table, fields: readonly string[]): number[] | undefined {
  const style = boxStyle(table.columns);
  if (!style) return undefined;
  if (style[0] === 'bbox') {
    const text = fieldOf(table, fields, 'bbox');
    if (text === '') return undefined;
    const numbers = numbersOf(text, 'bbox');
    if (numbers.length !== 4) throw new RecordError('', `bbox must be four numbers, but has ${numbers.length}`);
    return numbers;
  }
  const texts = style.map((role) => fieldOf(table, fields, role));
  if (texts.every((text) => text === '')) return undefined;
  return texts.map((text, index) => numberOf(text, table, style[index] ?? ''));
}

/** Left, top, right and bottom of a box in the given order of numbers. */
function sidesOf([a = 0, b = 0, c = 0, d = 0]: readonly number[], order: BoxOrder): number[] {
  if (order === 'xyxy') return [a, b, c, d];
  if (c < 0 || d < 0) throw new RecordError('', `the box has a negative size, ${c} × ${d}`);
  return order === 'xywh' ? [a, b, a + c, b + d] : [a - c / 2, b - d / 2, a + c / 2, b + d / 2];
}

function boxOf(table: Table, numbers: readonly number[], size: ImageSize): number[] {
  const style = boxStyle(table.columns) ?? [];
  const order: BoxOrder =
    style[0] === 'bbox'
      ? table.boxOrder
      : style.includes('xmax')
        ? 'xyxy'
        : style.includes('x') || style.includes('xmin')
          ? 'xywh'
          : 'center';
  if (!table.isNormalized) return order === 'xyxy' ? [...numbers] : sidesOf(numbers, order).map(withoutNoise);
  if (!(size.width > 0 && size.height > 0))
    throw new RecordError('', 'the size of the image is not known, and the box is stated in fractions of it');
  const pixels = numbers.map((value, index) => pixelsOf(value, index % 2 === 0 ? size.width : size.height));
  return sidesOf(pixels, order).map(withoutNoise);
}

/** `[["head", x, y, "visible"], …]` */
function elementsOf(text: string, frame: number): LabeledShape[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new RecordError('', 'points of a skeleton must be a JSON list');
  }
  if (!Array.isArray(parsed)) throw new RecordError('', 'points of a skeleton must be a JSON list');
  return parsed.map((element: unknown): LabeledShape => {
    const [label, x, y, state] = Array.isArray(element) ? (element as unknown[]) : [];
    if (typeof label !== 'string' || !isFiniteNumber(x) || !isFiniteNumber(y))
      throw new RecordError('', 'a point of a skeleton must be its label, x, y and a state');
    return {
      type: 'points',
      frame,
      label,
      points: [x, y],
      occluded: state === 'hidden',
      outside: state === 'absent',
      attributes: [],
      group: 0,
      z_order: 0,
    };
  });
}

function typeOf(text: string): ShapeType | 'tag' | undefined {
  const lower = text.toLowerCase();
  return lower === 'tag' ? 'tag' : shapeTypes.find((type) => type === lower);
}

/**
 * Outline of a row: `tag` for an image label, undefined for a row without an object. Throws `RecordError` for invalid
 * rows.
 */
export function outlineOfRow(
  table: Table,
  fields: readonly string[],
  frame: number,
  size: ImageSize,
): Outline | 'tag' | undefined {
  const stated = fieldOf(table, fields, 'type');
  const type = typeOf(stated);
  if (type === 'tag') return 'tag';
  const pointsText = fieldOf(table, fields, 'points');
  const rotation = normalRotation(optionalNumber(table, fields, 'rotation') ?? 0);
  const turned = rotation === 0 ? {} : { rotation };
  if (type === 'skeleton') return { type, points: [], elements: elementsOf(pointsText, frame) };
  if (type !== undefined && type !== 'rectangle') return { type, points: numbersOf(pointsText, 'points'), ...turned };
  if (stated !== '' && type === undefined && table.columns.places.has('keyframe'))
    throw new RecordError('', `type is ${JSON.stringify(stated.slice(0, 60))}, which is not a supported shape type`);
  const numbers = boxNumbers(table, fields);
  if (numbers) return { type: 'rectangle', points: boxOf(table, numbers, size), ...turned };
  if (pointsText !== '') return { type: 'polygon', points: numbersOf(pointsText, 'points') };
  if (type === 'rectangle') throw new RecordError('', 'the row has no box');
  if (fieldOf(table, fields, 'label') === '') return undefined;
  if (boxStyle(table.columns)) throw new RecordError('', 'the row has a label, but no box');
  return 'tag';
}

export function isTrue(text: string): boolean {
  return /^(1|true|yes|y)$/i.test(text);
}
