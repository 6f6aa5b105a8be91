import { numbersOf, outputLike, squeezed, UnexpectedOutput } from '../tensor.ts';
import {
  insidePicture,
  labelOf,
  placedBox,
  rectangleItem,
  withoutOverlaps,
  type DetectorItem,
  type HeadInput,
  type Scored,
} from './found.ts';

const strideSets = [
  [8, 16, 32],
  [8, 16, 32, 64],
  [4, 8, 16, 32],
] as const;

/** Column, row and stride of each output row, in the order of the grids. */
function cellsOf(count: number, { width, height }: { readonly width: number; readonly height: number }): Float64Array {
  const size = (side: number, stride: number) => Math.floor(side / stride);
  const strides = strideSets.find(
    (all) => all.reduce((sum, stride) => sum + size(width, stride) * size(height, stride), 0) === count,
  );
  if (strides === undefined) {
    throw new UnexpectedOutput(`it returned ${count} rows, which is not one per cell of ${width} × ${height}`);
  }
  const cells = new Float64Array(count * 3);
  let place = 0;
  for (const stride of strides) {
    for (let row = 0; row < size(height, stride); row += 1) {
      for (let column = 0; column < size(width, stride); column += 1, place += 3)
        cells.set([column, row, stride], place);
    }
  }
  return cells;
}

/** Rows of offsets in cells, logarithms of sizes, objectness and label scores: YOLOX before its grid is applied. */
export function decodeYolox(input: HeadInput): DetectorItem[] {
  const { description, placing, threshold } = input;
  const tensor = outputLike(input.outputs, 'boxes', ({ dims }) => squeezed(dims, 2).length === 2);
  const [count = 0, size = 0] = squeezed(tensor.dims, 2);
  const labels = size - 5;
  if (labels !== description.labels.length) {
    throw new UnexpectedOutput(
      `its rows have ${labels} label scores, but there are ${description.labels.length} labels`,
    );
  }
  const values = numbersOf(tensor);
  const cells = cellsOf(count, placing);
  const found: Scored[] = [];
  for (let index = 0; index < count; index += 1) {
    const at = (place: number) => values[index * size + place] ?? 0;
    const objectness = at(4);
    if (objectness < threshold) continue;
    let [label, score] = [0, 0];
    for (let one = 0; one < labels; one += 1) {
      const value = at(5 + one) * objectness;
      if (value > score) [label, score] = [one, value];
    }
    if (score < threshold || score <= 0) continue;
    const [column = 0, row = 0, stride = 8] = cells.subarray(index * 3, index * 3 + 3);
    const four = [
      (at(0) + column) * stride,
      (at(1) + row) * stride,
      Math.exp(at(2)) * stride,
      Math.exp(at(3)) * stride,
    ] as const;
    found.push({ label: label + description.output.first_label, score, box: placedBox(four, input) });
  }
  return withoutOverlaps(found, description.overlap).flatMap(({ box, score, label }) => {
    const inside = insidePicture(box, input);
    const name = labelOf(description, label);
    return inside === null || name === '' ? [] : [rectangleItem(name, score, inside)];
  });
}
