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

const grid = Float32Array.from({ length: 4 * cells * cells }, (_, index) => {
  const [row, place] = [Math.floor(index / (cells * cells)), index % (cells * cells)];
  if (row >= 2) return cell;
  return cell * ((row === 0 ? place % cells : Math.floor(place / cells)) + 0.5);
});

/**
 * A detector in the form of YOLO v8 that finds red and green squares. The score of a cell is its excess of red or green
 * over the other channels.
 */
export function squareFinder(metadata: Readonly<Record<string, string>> = {}): Buffer {
  return buildModel({
    inputs: [{ name: 'images', dims: [1, 3, finderSide, finderSide] }],
    outputs: [{ name: 'output0', dims: [1, 6, cells * cells] }],
    weights: [
      { name: 'colours', dims: [2, 3, 1, 1], values: Float32Array.from([1, -1, -1, -1, 1, -1]) },
      { name: 'least', dims: [], values: Float32Array.from([0]) },
      { name: 'most', dims: [], values: Float32Array.from([1]) },
      { name: 'shape', dims: [3], values: BigInt64Array.from([1n, 2n, BigInt(cells * cells)]) },
      { name: 'grid', dims: [1, 4, cells * cells], values: grid },
    ],
    nodes: [
      {
        operator: 'AveragePool',
        inputs: ['images'],
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
