import { buildModel } from './build-model.ts';

/** A text detector in the form of PP-OCR: every red or green pixel is text. */
export const blockDetector = (): Buffer =>
  buildModel({
    inputs: [{ name: 'x', dims: ['batch', 3, 'height', 'width'] }],
    outputs: [{ name: 'fetch_name_0', dims: ['batch', 1, 'height', 'width'] }],
    weights: [
      { name: 'least', dims: [], values: Float32Array.from([0]) },
      { name: 'most', dims: [], values: Float32Array.from([1]) },
    ],
    nodes: [
      { operator: 'ReduceMax', inputs: ['x'], outputs: ['brightest'], attributes: { axes: [1], keepdims: 1 } },
      { operator: 'Clip', inputs: ['brightest', 'least', 'most'], outputs: ['fetch_name_0'] },
    ],
  });

const letterCount = 25;

/**
 * A recognition in the form of PP-OCR: a red column is the first letter, a green one the second, others are blank. Its
 * last character is a space, which dictionaries do not contain.
 */
export function blockReader(metadata: Readonly<Record<string, string>> = {}): Buffer {
  const classes = letterCount + 2;
  // Channels are blue, green, red, from −1 to 1.
  const colours = new Float32Array(classes * 3);
  colours.set([0, -1, 1], 3);
  colours.set([0, 1, -1], 6);
  const bias = new Float32Array(classes).fill(-1);
  bias.set([0.5, 0, 0]);
  return buildModel({
    inputs: [{ name: 'x', dims: ['batch', 3, 48, 'width'] }],
    outputs: [{ name: 'softmax_0.tmp_0', dims: ['batch', 'steps', classes] }],
    weights: [
      { name: 'colours', dims: [classes, 3, 1, 1], values: colours },
      { name: 'bias', dims: [classes], values: bias },
      { name: 'rows', dims: [1], values: BigInt64Array.from([2n]) },
    ],
    nodes: [
      {
        operator: 'AveragePool',
        inputs: ['x'],
        outputs: ['columns'],
        attributes: { kernel_shape: [48, 8], strides: [48, 8] },
      },
      { operator: 'Conv', inputs: ['columns', 'colours', 'bias'], outputs: ['likeness'] },
      { operator: 'Squeeze', inputs: ['likeness', 'rows'], outputs: ['steps'] },
      { operator: 'Transpose', inputs: ['steps'], outputs: ['softmax_0.tmp_0'], attributes: { perm: [0, 2, 1] } },
    ],
    metadata,
  });
}

export const blockLetters: readonly string[] = Array.from({ length: letterCount }, (_, index) =>
  String.fromCodePoint(65 + index),
);
