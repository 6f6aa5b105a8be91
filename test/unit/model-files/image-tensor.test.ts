import { describe, expect, it } from 'vitest';
import type { ModelInput } from '../../../preload/contract/schema/model-files.ts';
import { pictureTensor } from '../../../main/model-files/image/image-tensor.ts';
import { bytesOf, levelsOf, sentTensor, type LevelTensor } from '../../../main/model-files/tensor.ts';

const input: ModelInput = {
  layout: 'NCHW',
  type: 'float32',
  width: 2,
  height: 2,
  is_size_free: false,
  colour: 'RGB',
  divisor: 255,
  mean: [0.5, 0.25, 0],
  deviation: [0.5, 1, 1],
  fit: 'letterbox',
  smooth: false,
  least_side: 0,
  fill: 51,
};
/** Two pixels beside each other: (255, 0, 51) and (0, 255, 102). */
const wide = { width: 2, height: 1, data: Uint8Array.from([255, 0, 51, 0, 255, 102]) };
const valuesOf = (given: Partial<ModelInput>) =>
  [...pictureTensor(wide, { ...input, ...given }).tensor.data].map((value) => Math.round(Number(value) * 1000) / 1000);

describe('an image as a tensor', () => {
  it('has normalized planes, with padding of the same colour', () => {
    expect(valuesOf({})).toEqual([1, -1, -0.6, -0.6, -0.25, 0.75, -0.05, -0.05, 0.2, 0.4, 0.2, 0.2]);
  });

  it('has interleaved channels in the order of the model', () => {
    const levels = { divisor: 1, mean: [0, 0, 0], deviation: [1, 1, 1] };
    expect(valuesOf({ layout: 'NHWC', colour: 'BGR', ...levels })).toEqual([
      51, 0, 255, 102, 255, 0, 51, 51, 51, 51, 51, 51,
    ]);
  });

  it('is padded with zeros after normalization if Segment Anything does so', () => {
    expect(valuesOf({ fit: 'corner', fill: 0 })).toEqual([1, -1, 0, 0, -0.25, 0.75, 0, 0, 0.2, 0.4, 0, 0]);
  });

  it('has the middle pixels at a third of the size', () => {
    const data = Uint8Array.from({ length: 6 * 3 * 3 }, (_, index) => index * 4);
    const { tensor } = pictureTensor({ width: 6, height: 3, data }, { ...input, height: 1, fit: 'stretch' });
    expect([...(tensor as LevelTensor).levels]).toEqual([84, 120, 88, 124, 92, 128]);
  });

  it('is sent to the process of its model as one byte per value', () => {
    const { tensor } = pictureTensor(wide, input);
    expect(bytesOf(tensor)).toBe(12);
    expect(sentTensor(tensor)).not.toHaveProperty('data');
    expect(levelsOf(tensor).map(({ length }) => length)).toEqual([12]);
    expect(tensor.data).toHaveLength(12);
  });
});
