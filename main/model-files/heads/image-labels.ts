import { backX, backY } from '../image/image-tensor.ts';
import { numbersOf, outputLike, sigmoid, softmax, squeezed, UnexpectedOutput } from '../tensor.ts';
import {
  scoreText,
  withoutOverlaps,
  insidePicture,
  rectangleItem,
  type DetectorItem,
  type HeadInput,
} from './found.ts';
import { bitmapOf, linearMap, maskItems } from './masks.ts';

/** Labels of the image: the most likely one, or all above the threshold if scores are independent. */
export function decodeClasses({ outputs, description, threshold }: HeadInput): DetectorItem[] {
  const tensor = outputLike(outputs, 'label scores', ({ dims }) => squeezed(dims, 1).length === 1);
  const values = numbersOf(tensor);
  const { scores: kind } = description.output;
  const scores = Array.from(kind === 'softmax' ? softmax(values) : values, (value) =>
    kind === 'sigmoid' ? sigmoid(value) : value,
  );
  if (description.labels.length > 0 && description.labels.length !== scores.length) {
    throw new UnexpectedOutput(
      `it returned ${scores.length} scores, but there are ${description.labels.length} labels`,
    );
  }
  const found = scores
    .map((score, index) => ({ score, label: description.labels[index] ?? '' }))
    .filter(({ score, label }) => score >= threshold && label !== '')
    .toSorted((a, b) => b.score - a.score);
  const shown = kind === 'sigmoid' ? found : found.slice(0, 1);
  return shown.map(({ score, label }) => ({ label, confidence: scoreText(score), type: 'tag' }));
}

/** A label per pixel: from class maps (argmax), one binary map, or label indexes. */
export function decodeSemantic(input: HeadInput): DetectorItem[] {
  const { outputs, description, placing, width, height, threshold } = input;
  const tensor = outputLike(outputs, 'a map', ({ dims }) => dims.length >= 3 || squeezed(dims, 2).length === 2);
  const shape = squeezed(tensor.dims, 3);
  const isPixels = description.output.map === 'pixels' && shape.length === 3;
  const [rows = 0, columns = 0] = isPixels ? shape.slice(0, 2) : shape.slice(-2);
  const count = shape.length === 3 ? ((isPixels ? shape[2] : shape[0]) ?? 1) : 1;
  const values = isPixels ? inPlanes(numbersOf(tensor), count) : numbersOf(tensor);
  const isNumbers = !tensor.type.startsWith('float');
  const [across, down] = [columns / placing.width, rows / placing.height];
  const maps = Array.from({ length: count }, (_, one) => linearMap(values, columns, rows, one * rows * columns));
  const only = scoreOf(description.output.scores, values);
  const first = description.output.first_label;
  const numbers = new Int32Array(width * height).fill(-1);
  for (let y = 0; y < height; y += 1) {
    const row = ((y + 0.5) * placing.scaleY + placing.offsetY) * down;
    for (let x = 0; x < width; x += 1) {
      const column = ((x + 0.5) * placing.scaleX + placing.offsetX) * across;
      let label = -1;
      if (isNumbers) {
        const place = Math.min(rows - 1, Math.floor(row)) * columns + Math.min(columns - 1, Math.floor(column));
        label = (values[place] ?? 0) - first;
      } else if (count === 1) label = only(maps[0]?.(column, row) ?? 0) > threshold ? 0 : -1;
      else {
        let most = Number.NEGATIVE_INFINITY;
        for (let one = 0; one < count; one += 1) {
          const value = maps[one]?.(column, row) ?? 0;
          if (value > most) [most, label] = [value, one - first];
        }
      }
      numbers[y * width + x] = label;
    }
  }
  const all = { left: 0, top: 0, right: width, bottom: height };
  return description.labels.flatMap((label, number) => {
    if (!numbers.includes(number)) return [];
    const bits = bitmapOf(all, input, (x, y) => numbers[Math.floor(y) * width + Math.floor(x)] === number);
    return bits === null ? [] : maskItems(label, 1, bits, description.output.shape === 'polygon' ? 'polygon' : 'mask');
  });
}

/** Moves the labels of each pixel into one plane per label. */
function inPlanes(values: ArrayLike<number>, count: number): Float32Array {
  const plane = values.length / count;
  const planes = new Float32Array(values.length);
  for (let pixel = 0; pixel < plane; pixel += 1) {
    for (let label = 0; label < count; label += 1) planes[label * plane + pixel] = values[pixel * count + label] ?? 0;
  }
  return planes;
}

function scoreOf(kind: HeadInput['description']['output']['scores'], values: ArrayLike<number>) {
  if (kind === 'sigmoid') return sigmoid;
  if (kind !== 'range') return (value: number) => value;
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < values.length; index += 1) {
    min = Math.min(min, values[index] ?? 0);
    max = Math.max(max, values[index] ?? 0);
  }
  return (value: number) => (value - min) / Math.max(1e-9, max - min);
}

const step = 4;

/** Faces of CenterFace: a heatmap of centres with sizes, offsets and five landmarks. */
export function decodeCenterFace(input: HeadInput): DetectorItem[] {
  const { outputs, placing, threshold, description } = input;
  const channels =
    (count: number) =>
    ({ dims }: { dims: readonly number[] }) =>
      dims.length === 4 && dims[1] === count;
  const heat = outputLike(outputs, 'face centres', channels(1));
  const size = outputLike(outputs, 'face sizes', channels(2));
  const offset = outputLike(outputs, 'face offsets', (one) => one !== size && channels(2)(one));
  const [rows = 0, columns = 0] = heat.dims.slice(-2);
  const plane = rows * columns;
  const [values, sizes, offsets] = [numbersOf(heat), numbersOf(size), numbersOf(offset)];
  const found = [];
  for (let place = 0; place < plane; place += 1) {
    const score = values[place] ?? 0;
    if (score < threshold) continue;
    const [row, column] = [Math.floor(place / columns), place % columns];
    const [high, wide] = [step * Math.exp(sizes[place] ?? 0), step * Math.exp(sizes[plane + place] ?? 0)];
    const top = step * (row + (offsets[place] ?? 0) + 0.5) - high / 2;
    const left = step * (column + (offsets[plane + place] ?? 0) + 0.5) - wide / 2;
    const box = {
      left: backX(placing, left),
      top: backY(placing, top),
      right: backX(placing, left + wide),
      bottom: backY(placing, top + high),
    };
    found.push({ box, score, label: 0 });
  }
  const [label = ''] = description.labels;
  return withoutOverlaps(found, description.overlap).flatMap(({ box, score }) => {
    const inside = insidePicture(box, input);
    return inside === null ? [] : [rectangleItem(label, score, inside)];
  });
}
