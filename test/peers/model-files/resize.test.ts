import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ModelInput } from '../../../preload/contract/schema/model-files.ts';
import { pictureTensor } from '../../../main/model-files/image/image-tensor.ts';
import { preparePython } from '../../sdk/python.ts';

interface Resized {
  readonly width: number;
  readonly height: number;
  readonly to_width: number;
  readonly to_height: number;
}

const folder = mkdtempSync(join(tmpdir(), 'limner-resize-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const python = await preparePython('requirements-models.txt');
const cases = await python<readonly Resized[]>('resize_images.py', [folder]);

// A value may fall on the other side of a half, because the programs calculate with 32 bits.
test.each([
  { program: 'opencv', smooth: false },
  { program: 'pillow', smooth: true },
])('images are resized to the values of $program', ({ program, smooth }) => {
  for (const [number, { width, height, to_width, to_height }] of cases.entries()) {
    const input: ModelInput = {
      layout: 'HWC',
      type: 'uint8',
      width: to_width,
      height: to_height,
      is_size_free: false,
      colour: 'RGB',
      divisor: 1,
      mean: [0, 0, 0],
      deviation: [1, 1, 1],
      fit: 'stretch',
      smooth,
      least_side: 0,
      fill: 0,
    };
    const data = readFileSync(join(folder, `${number}.image`));
    const wanted = readFileSync(join(folder, `${number}.${program}`));
    const found = pictureTensor({ width, height, data }, input).tensor.data as Uint8Array;
    expect(found.length).toBe(wanted.length);
    const differing = wanted.filter((value, index) => value !== found[index]).length;
    const apart = wanted.reduce((most, value, index) => Math.max(most, Math.abs(value - (found[index] ?? 0))), 0);
    expect(apart, `${width} × ${height}`).toBeLessThanOrEqual(1);
    expect(differing / wanted.length, `${width} × ${height}`).toBeLessThanOrEqual(0.02);
  }
});
