import { backX, backY } from '../image/image-tensor.ts';
import { numbersOf, outputLike, sigmoid, squeezed, UnexpectedOutput, type Tensor } from '../tensor.ts';
import {
  insidePicture,
  labelOf,
  placedBox,
  rectangleItem,
  rounded,
  scoreText,
  withoutOverlaps,
  type DetectorItem,
  type HeadInput,
  type Scored,
} from './found.ts';
import { bitmapOfMap, maskItems } from './masks.ts';

/** `more` holds numbers after the box and scores: mask coefficients, points or angle. */
interface Candidate extends Scored {
  readonly four: readonly [number, number, number, number];
  readonly more: readonly number[];
}

/** Candidates by index and column, independent of the tensor's layout. */
interface Table {
  readonly values: ArrayLike<number>;
  readonly isRows: boolean;
  readonly count: number;
  readonly size: number;
  at(candidate: number, place: number): number;
}

const parts = { detect: 0, oriented: 1 } as const;

/** Candidates are columns (v8 and later) or rows (v5). The larger dimension is the number of candidates. */
export function decodeYolo(input: HeadInput): DetectorItem[] {
  const { description } = input;
  const hasObjectness = description.head === 'yolo-objectness';
  const { tensor, prototypes } = tensorsOf(input);
  const [rows = 0, columns = 0] = squeezed(tensor.dims, 2);
  const first = hasObjectness ? 5 : 4;
  const extra = extraOf(input, prototypes, first, [rows, columns]);
  const wanted = first + description.labels.length + extra;
  const isRows = columns === wanted || (rows !== wanted && columns < rows);
  const table = tableOf(tensor, isRows);
  const labels = table.size - first - extra;
  if (labels < 1 || (description.labels.length > 0 && labels !== description.labels.length)) {
    throw new UnexpectedOutput(
      `each of its boxes has ${table.size} numbers, which does not match ${description.labels.length} labels`,
    );
  }
  const candidates: Candidate[] = [];
  const scoreOf = description.output.scores === 'sigmoid' ? sigmoid : (value: number) => value;
  const largest = isRows ? null : largestOf(table, first, labels);
  for (let index = 0; index < table.count; index += 1) {
    const objectness = hasObjectness ? scoreOf(table.at(index, 4)) : 1;
    if (objectness < input.threshold) continue;
    if (largest !== null && scoreOf(largest[index] as number) * objectness < input.threshold) continue;
    let [label, score] = [0, 0];
    for (let one = 0; one < labels; one += 1) {
      const value = scoreOf(table.at(index, first + one)) * objectness;
      if (value > score) [label, score] = [one, value];
    }
    if (score < input.threshold) continue;
    const more = Array.from({ length: extra }, (_, place) => table.at(index, first + labels + place));
    const four = fourOf(table, index);
    const numbered = label + description.output.first_label;
    candidates.push({ four, score, label: numbered, more, box: placedBox(four, input) });
  }
  const { overlap } = description;
  const kept = withoutOverlaps(candidates, overlap, description.task === 'oriented' ? turnedOverlap : undefined);
  return kept.flatMap((one) => itemsOf(one, prototypes, input));
}

/** Rows of box, score and label, from a model that includes non-maximum suppression. */
export function decodeBoxes(input: HeadInput): DetectorItem[] {
  const { description } = input;
  const { tensor, prototypes } = tensorsOf(input);
  const shape = squeezed(tensor.dims, 2);
  const table = tableOf(tensor, true);
  if (shape.length !== 2 || table.size < 6) {
    throw new UnexpectedOutput(`its rows have ${table.size} numbers; a box, a score and a label are 6`);
  }
  const { start, scoreAt, labelAt, size } = rowOf(description, table.size);
  const candidates: Candidate[] = [];
  for (let index = 0; index < table.count; index += 1) {
    const score = table.at(index, scoreAt);
    if (!(score >= input.threshold) || score <= 0) continue;
    const four = fourOf(table, index, start);
    const more = Array.from({ length: table.size - size }, (_, place) => table.at(index, size + place));
    const label = Math.round(table.at(index, labelAt));
    candidates.push({ four, score, label, more, box: placedBox(four, input) });
  }
  return withoutOverlaps(candidates, description.overlap).flatMap((one) => itemsOf(one, prototypes, input));
}

/** Places in a row. Seven numbers with the default order are those of YOLOv7, unless the last one is an angle. */
function rowOf({ output, task }: HeadInput['description'], size: number) {
  const isYolov7 = size === 7 && task === 'detect' && output.row === 'box-score-label';
  const row = isYolov7 ? 'image-box-label-score' : output.row;
  if (row === 'label-score-box') return { start: 2, scoreAt: 1, labelAt: 0, size: 6 };
  if (row === 'image-box-label-score') return { start: 1, scoreAt: 6, labelAt: 5, size: 7 };
  if (row === 'image-box-score-label') return { start: 1, scoreAt: 5, labelAt: 6, size: 7 };
  return { start: 0, scoreAt: 4, labelAt: 5, size: 6 };
}

function tensorsOf({ outputs, description }: HeadInput): { tensor: Tensor; prototypes: Tensor | null } {
  const isPrototypes = ({ dims }: Tensor) => dims.length === 4 && (dims[1] ?? 0) > 1;
  const tensor = outputLike(outputs, 'boxes', (one) => !isPrototypes(one) && squeezed(one.dims, 2).length === 2);
  const isSegment = description.task === 'segment';
  return { tensor, prototypes: isSegment ? outputLike(outputs, 'masks', isPrototypes) : null };
}

/** Numbers after the scores. Points have two values, or three with their visibility. */
function extraOf(
  { description }: HeadInput,
  prototypes: Tensor | null,
  first: number,
  sizes: readonly number[],
): number {
  const { task, keypoints, labels } = description;
  if (task === 'segment') return prototypes?.dims[1] ?? 0;
  if (task !== 'pose') return parts[task];
  const isPlain = sizes.includes(first + labels.length + keypoints.length * 2);
  return keypoints.length * (isPlain ? 2 : 3);
}

function tableOf(tensor: Tensor, isRows: boolean): Table {
  const values = numbersOf(tensor);
  const [rows = 0, columns = 0] = squeezed(tensor.dims, 2);
  return isRows
    ? { values, isRows, count: rows, size: columns, at: (one, place) => values[one * columns + place] ?? 0 }
    : { values, isRows, count: columns, size: rows, at: (one, place) => values[place * columns + one] ?? 0 };
}

/** Largest score of each candidate. Reads memory in its order, because nearly all candidates are dropped afterwards. */
function largestOf({ values, count }: Table, first: number, labels: number): Float64Array {
  const largest = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  for (let place = first; place < first + labels; place += 1) {
    const start = place * count;
    for (let one = 0; one < count; one += 1) {
      const value = values[start + one] as number;
      if (value > (largest[one] as number)) largest[one] = value;
    }
  }
  return largest;
}

const fourOf = (table: Table, index: number, start = 0): [number, number, number, number] => [
  table.at(index, start),
  table.at(index, start + 1),
  table.at(index, start + 2),
  table.at(index, start + 3),
];

function itemsOf(found: Candidate, prototypes: Tensor | null, input: HeadInput): DetectorItem[] {
  const { description } = input;
  const label = labelOf(description, found.label);
  if (label === '') return [];
  if (description.task === 'oriented') return [turnedItem(found, label, input)];
  const box = insidePicture(found.box, input);
  if (box === null) return [];
  if (description.task === 'pose') return [poseItem(found, label, input)];
  if (prototypes === null) return [rectangleItem(label, found.score, box)];
  return segmentItems(found, label, prototypes, input);
}

/** An upright rectangle and its rotation about the centre in degrees. */
function turnedItem({ four, more, score, box }: Candidate, label: string, input: HeadInput): DetectorItem {
  const angle = (more[0] ?? 0) * (180 / Math.PI);
  const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  // Both scales are equal unless the image was stretched, which rotated boxes do not support.
  const [width, height] = [four[2] / input.placing.scaleX, four[3] / input.placing.scaleY];
  const half = [width / 2, height / 2];
  const points = [middle.x - half[0]!, middle.y - half[1]!, middle.x + half[0]!, middle.y + half[1]!];
  return {
    label,
    confidence: scoreText(score),
    type: 'rectangle',
    points: points.map(rounded),
    rotation: rounded(((angle % 360) + 360) % 360),
  };
}

/** Overlap of two rotated boxes by their Gaussian distributions (ProbIoU), as in training. */
function turnedOverlap(a: Candidate, b: Candidate): number {
  const [first, second] = [spreadOf(a), spreadOf(b)];
  const [sa, sb, sc] = [first.a + second.a, first.b + second.b, first.c + second.c];
  const determinant = sa * sb - sc * sc;
  const [dx, dy] = [first.x - second.x, first.y - second.y];
  const near = 1e-7;
  const distance = ((sa * dy * dy + sb * dx * dx) / (determinant + near)) * 0.25;
  const turn = ((sc * -dx * dy) / (determinant + near)) * 0.5;
  const own = Math.sqrt(
    Math.max(0, first.a * first.b - first.c ** 2) * Math.max(0, second.a * second.b - second.c ** 2),
  );
  const size = Math.log(determinant / (4 * own + near) + near) * 0.5;
  const bounded = Math.min(100, Math.max(near, distance + turn + size));
  return 1 - Math.sqrt(1 - Math.exp(-bounded) + near);
}

function spreadOf({ four, more }: Candidate) {
  const [x, y, width, height] = four;
  const angle = more[0] ?? 0;
  const [wide, high] = [width ** 2 / 12, height ** 2 / 12];
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  return {
    x,
    y,
    a: wide * cosine ** 2 + high * sine ** 2,
    b: wide * sine ** 2 + high * cosine ** 2,
    c: (wide - high) * cosine * sine,
  };
}

const visible = 0.5;

function poseItem({ more, score }: Candidate, label: string, { description, placing }: HeadInput): DetectorItem {
  const values = more.length === description.keypoints.length * 2 ? 2 : 3;
  const elements = description.keypoints.map((name, index) => {
    const [x = 0, y = 0, seen = 1] = more.slice(index * values, index * values + values);
    return {
      label: name,
      type: 'points',
      outside: seen < visible ? 1 : 0,
      points: [rounded(backX(placing, x)), rounded(backY(placing, y))],
      confidence: scoreText(seen),
    };
  });
  return { label, confidence: scoreText(score), type: 'skeleton', elements };
}

/**
 * Computes a mask from coefficients and prototypes, which are smaller than the model input. Like Ultralytics, it scales
 * the sums before it compares them with 0: values between 0 and 1 would move the border.
 */
function segmentItems(found: Candidate, label: string, prototypes: Tensor, input: HeadInput): DetectorItem[] {
  const { placing, description } = input;
  const [count = 0, height = 0, width = 0] = squeezed(prototypes.dims, 3);
  const values = numbersOf(prototypes);
  const [across, down] = [width / placing.width, height / placing.height];
  const plane = width * height;
  const sums = new Float32Array(plane);
  const toMap = {
    x: (x: number) => (x * placing.scaleX + placing.offsetX) * across,
    y: (y: number) => (y * placing.scaleY + placing.offsetY) * down,
  };
  // Cells of the padding repeat those at the border of the image.
  const [firstColumn, lastColumn] = [Math.round(toMap.x(0)), Math.round(toMap.x(input.width)) - 1];
  const [firstLine, lastLine] = [Math.round(toMap.y(0)), Math.round(toMap.y(input.height)) - 1];
  const columns = [toMap.x(found.box.left) - 2, toMap.x(found.box.right) + 2].map(Math.round);
  const lines = [toMap.y(found.box.top) - 2, toMap.y(found.box.bottom) + 2].map(Math.round);
  for (let line = Math.max(0, lines[0] ?? 0); line < Math.min(height, lines[1] ?? 0); line += 1) {
    const row = Math.max(firstLine, Math.min(lastLine, line)) * width;
    for (let column = Math.max(0, columns[0] ?? 0); column < Math.min(width, columns[1] ?? 0); column += 1) {
      const cell = row + Math.max(firstColumn, Math.min(lastColumn, column));
      let sum = 0;
      for (let one = 0; one < count; one += 1) {
        sum += (found.more[one] ?? 0) * (values[one * plane + cell] ?? 0);
      }
      sums[line * width + column] = sum;
    }
  }
  // Ultralytics keeps pixels whose upper left corner is in the box.
  const cropped = { ...found.box, left: Math.ceil(found.box.left), top: Math.ceil(found.box.top) };
  const bits = bitmapOfMap(cropped, input, {
    values: sums,
    start: 0,
    columns: width,
    rows: height,
    scale: [placing.scaleX * across, placing.scaleY * down],
    shift: [-placing.offsetX * across, -placing.offsetY * down],
  });
  return bits === null
    ? []
    : maskItems(label, found.score, bits, description.output.shape === 'polygon' ? 'polygon' : 'mask');
}
