import { boxOfPixelCorners, cornersOf } from '../kit/corner-box.ts';
import type { Attribute, LabeledShape, LabelInfo } from '../kit/task-data.ts';
import { readValues } from '../kit/yolo-family/row-values.ts';

export interface DotaRow {
  readonly label: string;
  readonly outline: Pick<LabeledShape, 'points' | 'rotation'>;
  /** 0 easy, 1 difficult; later versions of the data set have 2. */
  readonly difficulty: number;
}

const corners = 8;

/** What stands above the rows of a file: where the image is from, and how large a pixel is on the ground. */
export function isHeaderLine(line: string): boolean {
  return /^\s*(imagesource|gsd|acquisition[ _]?date[sd]?)\s*:/i.test(line);
}

/** Four corners, the label, and how difficult it is to see; or why the line cannot be read. */
export function readDotaRow(line: string): DotaRow | string {
  const text = line.trim();
  const fields = text.split(/^[^\s,]+,/.test(text) ? /\s*,\s*/ : /\s+/);
  if (fields.length < corners + 1)
    return `a row has four corners, a label and a difficulty, this one has ${fields.length} values`;
  const values = readValues(fields.slice(0, corners));
  if (typeof values === 'string') return values;
  const last = fields.at(-1) ?? '';
  const isStated = fields.length > corners + 1 && /^\d{1,2}$/.test(last);
  const label = fields.slice(corners, isStated ? -1 : undefined).join(' ');
  return { label, outline: boxOfPixelCorners(values), difficulty: isStated ? Number(last) : 0 };
}

/** The attribute `difficult`, where the label has one or the row says something. */
export function difficultyAttributes({ difficulty }: DotaRow, label: LabelInfo | undefined): Attribute[] {
  const attribute = label?.attributes.find(({ name }) => name === 'difficult');
  if (!attribute && difficulty === 0) return [];
  return [
    { name: 'difficult', value: attribute?.input_type === 'checkbox' ? String(difficulty > 0) : String(difficulty) },
  ];
}

export function writeDotaRow(shape: LabeledShape, label: string): string {
  const stated = shape.attributes.find(({ name }) => name === 'difficult')?.value.toLowerCase();
  const difficulty = stated === 'true' ? '1' : stated !== undefined && /^\d{1,2}$/.test(stated) ? stated : '0';
  return `${cornersOf(shape).join(' ')} ${label} ${difficulty}\n`;
}

/** A row that is hardly of another format: others have numbers only, a text in quotes, or no number at the end. */
export function isTellingRow(line: string): boolean {
  const row = readDotaRow(line);
  return typeof row !== 'string' && /^[^\d"][^"]*$/.test(row.label) && /\s\d{1,2}\s*$/.test(line);
}
