import { writeFileSync } from 'node:fs';
import { buildModel } from './build-model.ts';

const cells = 5;
const cell = 64;

/** The finder's input: an image of 320 × 320 whose cells are red, green or neither. */
export const finderSide = cells * cell;

export function writeModel(path: string, content: Buffer): string {
  writeFileSync(path, content);
  return path;
}

interface FinderForm {
  readonly type?: 'float32' | 'uint8' | 'float16';
  readonly batch?: number;
  readonly isChannelsLast?: boolean;
  /** Name of a file that contains `finderWeights`. */
  readonly elsewhere?: string;
}

const grid = Float32Array.from({ length: 4 * cells * cells }, (_, index) => {
  const [row, place] = [Math.floor(index / (cells * cells)), index % (cells * cells)];
  if (row >= 2) return cell;
  return cell * ((row === 0 ? place % cells : Math.floor(place / cells)) + 0.5);
});

const repeated = (values: Float32Array, count: number) =>
  Float32Array.from({ length: values.length * count }, (_, index) => values[index % values.length] ?? 0);

/**
 * A detector in the form of YOLO v8 that finds red and green squares. The score of a cell is its excess of red or green
 * over the other channels.
 */
export function squareFinder(metadata: Readonly<Record<string, string>> = {}, form: FinderForm = {}): Buffer {
  const { type = 'float32', batch = 1, isChannelsLast = false, elsewhere } = form;
  // Bytes are scaled inside, as in exports with uint8 inputs.
  const scale = type === 'uint8' ? 1 / 255 : 1;
  return buildModel({
    inputs: [
      {
        name: 'images',
        type,
        dims: isChannelsLast ? [batch, finderSide, finderSide, 3] : [batch, 3, finderSide, finderSide],
      },
    ],
    outputs: [{ name: 'output0', dims: [batch, 6, cells * cells] }],
    weights: [
      { name: 'colours', dims: [2, 3, 1, 1], values: Float32Array.from([1, -1, -1, -1, 1, -1]) },
      { name: 'least', dims: [], values: Float32Array.from([0]) },
      { name: 'most', dims: [], values: Float32Array.from([1]) },
      { name: 'shape', dims: [3], values: BigInt64Array.from([BigInt(batch), 2n, BigInt(cells * cells)]) },
      { name: 'scale', dims: [], values: Float32Array.from([scale]) },
      {
        name: 'grid',
        dims: [batch, 4, cells * cells],
        values: repeated(grid, batch),
        ...(elsewhere === undefined ? {} : { elsewhere }),
      },
    ],
    nodes: [
      { operator: 'Cast', inputs: ['images'], outputs: ['floats'], attributes: { to: 1 } },
      { operator: 'Mul', inputs: ['floats', 'scale'], outputs: ['scaled'] },
      isChannelsLast
        ? { operator: 'Transpose', inputs: ['scaled'], outputs: ['planes'], attributes: { perm: [0, 3, 1, 2] } }
        : { operator: 'Identity', inputs: ['scaled'], outputs: ['planes'] },
      {
        operator: 'AveragePool',
        inputs: ['planes'],
        outputs: ['means'],
        attributes: { kernel_shape: [cell, cell], strides: [cell, cell] },
      },
      { operator: 'Conv', inputs: ['means', 'colours'], outputs: ['likeness'] },
      { operator: 'Clip', inputs: ['likeness', 'least', 'most'], outputs: ['scores'] },
      { operator: 'Reshape', inputs: ['scores', 'shape'], outputs: ['columns'] },
      { operator: 'Concat', inputs: ['grid', 'columns'], outputs: ['output0'], attributes: { axis: 1 } },
    ],
    metadata: {
      task: 'detect',
      stride: '32',
      imgsz: `[${finderSide}, ${finderSide}]`,
      names: `{0: 'red square', 1: "green one's"}`,
      license: 'none',
      ...metadata,
    },
  });
}

export const finderWeights = (): Buffer => Buffer.from(grid.buffer, grid.byteOffset, grid.byteLength);

/** Fails at each run, because the sizes of a reshape do not fit. */
export function brokenFinder(): Buffer {
  return buildModel({
    inputs: [{ name: 'images', dims: [1, 3, finderSide, finderSide] }],
    outputs: [{ name: 'output0', dims: [1, 6, 25] }],
    weights: [{ name: 'shape', dims: [3], values: BigInt64Array.from([1n, 2n, 7n]) }],
    nodes: [
      {
        operator: 'AveragePool',
        inputs: ['images'],
        outputs: ['means'],
        attributes: { kernel_shape: [cell, cell], strides: [cell, cell] },
      },
      { operator: 'Reshape', inputs: ['means', 'shape'], outputs: ['output0'] },
    ],
  });
}

/** One row that means another box as corners than as center and size: 100 100 200 200 0.9 0. */
export function rowsOfSix(): Buffer {
  const row = Float32Array.from({ length: 30 }, (_, index) => [100, 100, 200, 200, 0.9, 0][index % 6] ?? 0);
  return buildModel({
    inputs: [{ name: 'images', dims: [1, 3, finderSide, finderSide] }],
    outputs: [{ name: 'output0', dims: [1, 5, 6] }],
    weights: [
      { name: 'row', dims: [1, 5, 6], values: row },
      { name: 'zero', dims: [], values: Float32Array.from([0]) },
    ],
    nodes: [
      { operator: 'ReduceMean', inputs: ['images'], outputs: ['mean'], attributes: { keepdims: 0 } },
      { operator: 'Mul', inputs: ['mean', 'zero'], outputs: ['nothing'] },
      { operator: 'Add', inputs: ['row', 'nothing'], outputs: ['output0'] },
    ],
  });
}
