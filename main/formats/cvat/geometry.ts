import { shapeKinds, shapeTypes, type ShapeType } from '../../../preload/contract/annotation-names.ts';
import type { XmlAttributes } from '../io/xml-reader.ts';
import type { XmlWriter } from '../io/xml-writer.ts';
import { readNumber } from '../kit/short-decimals.ts';

export const elementOfShapeType: Readonly<Record<ShapeType, string>> = {
  rectangle: 'box',
  ellipse: 'ellipse',
  polygon: 'polygon',
  polyline: 'polyline',
  points: 'points',
  cuboid: 'cuboid',
  mask: 'mask',
  skeleton: 'skeleton',
};

export const shapeTypeOfElement: ReadonlyMap<string, ShapeType> = new Map(
  shapeTypes.map((type) => [elementOfShapeType[type], type]),
);

const boxNames = ['xtl', 'ytl', 'xbr', 'ybr'];
const ellipseNames = ['cx', 'cy', 'rx', 'ry'];
/** Front face, then back face; each top left, bottom left, top right, bottom right. */
const cuboidNames = ['1', '2'].flatMap((face) =>
  ['tl', 'bl', 'tr', 'br'].flatMap((corner) => [`x${corner}${face}`, `y${corner}${face}`]),
);

/** XML attributes that hold coordinates. */
export const geometryNames: readonly string[] = [
  ...boxNames,
  ...ellipseNames,
  ...cuboidNames,
  'points',
  'rle',
  'left',
  'top',
  'width',
  'height',
];

const powersOfTen = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

/**
 * The number in `text[from, to)`, or NaN. Up to 15 digits are assembled as one integer and divided once, which rounds
 * exactly like parsing. Everything else uses `Number`.
 */
export function parseNumber(text: string, from = 0, to = text.length): number {
  let units = 0;
  let digits = 0;
  let point = -1;
  let index = from;
  const negative = text.charCodeAt(from) === 45;
  if (negative) index += 1;
  for (; index < to; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 48 && code <= 57) {
      units = units * 10 + code - 48;
      digits += 1;
    } else if (code === 46 && point < 0) point = index;
    else break;
  }
  const decimals = point < 0 ? 0 : to - point - 1;
  if (index < to || digits === 0 || digits > 15 || decimals >= powersOfTen.length)
    return parseSlowly(text.slice(from, to));
  const magnitude = units / (powersOfTen[decimals] ?? 1);
  return negative ? 0 - magnitude : magnitude;
}

function parseSlowly(text: string): number {
  return readNumber(text.trim()) + 0;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function readNumbers(attributes: XmlAttributes, names: readonly string[]): number[] | string {
  const values: number[] = [];
  for (const name of names) {
    const text = attributes[name];
    if (text === undefined) return `"${name}" is missing`;
    const value = parseNumber(text);
    if (Number.isNaN(value)) return `"${name}" is not a number: ${quoted(text)}`;
    values.push(value);
  }
  return values;
}

function pairProblem(text: string, pair: number, from: number, to: number): string {
  return `point ${pair} is not two numbers: ${quoted(text.slice(from, to))}`;
}

const comma = 44;
const semicolon = 59;

/** Reads a list of plain decimals in one pass; undefined for other notations. */
function readPlainPairs(text: string): number[] | undefined {
  const values: number[] = [];
  const end = text.length;
  let at = 0;
  while (at < end) {
    const negative = text.charCodeAt(at) === 45;
    if (negative) at += 1;
    let units = 0;
    let digits = 0;
    let point = -1;
    let code = 0;
    for (; at < end; at += 1) {
      code = text.charCodeAt(at);
      if (code >= 48 && code <= 57) {
        units = units * 10 + code - 48;
        digits += 1;
      } else if (code === 46 && point < 0) point = at;
      else break;
    }
    const decimals = point < 0 ? 0 : at - point - 1;
    const separator = values.length % 2 === 0 ? comma : semicolon;
    if (digits === 0 || digits > 15 || decimals >= powersOfTen.length) return undefined;
    if (at < end ? code !== separator : separator === comma) return undefined;
    const magnitude = units / (powersOfTen[decimals] ?? 1);
    values.push(negative ? 0 - magnitude : magnitude);
    at += 1;
  }
  return values.length % 2 === 0 ? values : undefined;
}

/** Parses `x,y;x,y`, or returns the reason why it cannot. A trailing semicolon is accepted. */
function readPairs(text: string): number[] | string {
  return readPlainPairs(text) ?? readUnusualPairs(text);
}

function readUnusualPairs(text: string): number[] | string {
  const values: number[] = [];
  const end = text.trimEnd().length;
  for (let from = 0, pair = 1; from < end; pair += 1) {
    const nextPair = text.indexOf(';', from);
    const to = nextPair < 0 || nextPair > end ? end : nextPair;
    const middle = text.indexOf(',', from);
    if (middle < 0 || middle >= to) return pairProblem(text, pair, from, to);
    const x = parseNumber(text, from, middle);
    const y = parseNumber(text, middle + 1, to);
    if (Number.isNaN(x) || Number.isNaN(y)) return pairProblem(text, pair, from, to);
    values.push(x, y);
    from = to + 1;
  }
  return values;
}

function readPointList(type: ShapeType, attributes: XmlAttributes): number[] | string {
  const text = attributes['points'];
  if (text === undefined) return '"points" is missing';
  const values = readPairs(text);
  const { exactly, least = 2 } = shapeKinds[type];
  const minimum = (exactly ?? least) / 2;
  if (typeof values === 'string' || values.length >= minimum * 2) return values;
  return `it needs at least ${minimum} points and has ${values.length / 2}`;
}

/**
 * Converts center and radii to center, right and top. Rounds to two decimals, because sums of numbers with two decimals
 * have no more.
 */
function readEllipse(attributes: XmlAttributes): number[] | string {
  const values = readNumbers(attributes, ellipseNames);
  if (typeof values === 'string') return values;
  const [cx = 0, cy = 0, rx = 0, ry = 0] = values;
  return [cx, cy, Number((cx + rx).toFixed(2)), Number((cy - ry).toFixed(2))];
}

function readMask(attributes: XmlAttributes): number[] | string {
  const box = readNumbers(attributes, ['left', 'top', 'width', 'height']);
  if (typeof box === 'string') return box;
  const [left = 0, top = 0, width = 0, height = 0] = box;
  if (!box.every(Number.isSafeInteger) || width < 1 || height < 1) return 'its box has fractions of pixels';
  const rle = attributes['rle'];
  if (rle === undefined) return '"rle" is missing';
  const points: number[] = [];
  let area = 0;
  for (const text of rle.split(',')) {
    const run = parseNumber(text.trim());
    if (!Number.isSafeInteger(run) || run < 0) return `"rle" has a run that is not a whole number: ${quoted(text)}`;
    points.push(run);
    area += run;
  }
  if (area !== width * height)
    return `its runs cover ${area} pixels, its box of ${width} by ${height} has ${width * height}`;
  points.push(left, top, left + width - 1, top + height - 1);
  return points;
}

/** Points of a shape element in the order of the model, or the reason why they cannot be read. */
export function readGeometry(type: ShapeType, attributes: XmlAttributes): number[] | string {
  switch (type) {
    case 'rectangle':
      return readNumbers(attributes, boxNames);
    case 'ellipse':
      return readEllipse(attributes);
    case 'cuboid':
      return readNumbers(attributes, cuboidNames);
    case 'mask':
      return readMask(attributes);
    case 'skeleton':
      return [];
    default:
      return readPointList(type, attributes);
  }
}

function writeNumbers(xml: XmlWriter, names: readonly string[], values: readonly number[]): void {
  names.forEach((name, index) => xml.attributeTwoDecimals(name, values[index] ?? 0));
}

function writeMask(xml: XmlWriter, points: readonly number[]): void {
  const [left = 0, top = 0, right = 0, bottom = 0] = points.slice(-4);
  xml.attributeNumbers('rle', points, 0, points.length - 4);
  xml.attribute('left', left);
  xml.attribute('top', top);
  xml.attribute('width', right - left + 1);
  xml.attribute('height', bottom - top + 1);
}

/** Writes points as attributes of the open element, and the rotation if it is not 0. */
export function writeGeometry(xml: XmlWriter, type: ShapeType, points: readonly number[], rotation = 0): void {
  if (type === 'rectangle') writeNumbers(xml, boxNames, points);
  else if (type === 'cuboid') writeNumbers(xml, cuboidNames, points);
  else if (type === 'mask') writeMask(xml, points);
  else if (type === 'ellipse') {
    const [cx = 0, cy = 0, right = 0, top = 0] = points;
    writeNumbers(xml, ellipseNames, [cx, cy, right - cx, cy - top]);
  } else if (type !== 'skeleton') xml.attributePoints('points', points);
  if (rotation !== 0 && (type === 'rectangle' || type === 'ellipse')) xml.attributeTwoDecimals('rotation', rotation);
}

/** Reason why points cannot be written, or undefined. The exporter drops and reports such shapes. */
export function geometryProblem(type: ShapeType, points: readonly number[]): string | undefined {
  if (!points.every(Number.isFinite)) return 'its coordinates are not finite numbers';
  const { exactly } = shapeKinds[type];
  if (exactly !== undefined && type !== 'skeleton' && points.length !== exactly)
    return `it has ${points.length} numbers instead of ${exactly}`;
  if (type === 'mask' && points.length < 5) return 'it has no pixels';
  if (type !== 'skeleton' && points.length === 0) return 'it has no points';
  return undefined;
}
