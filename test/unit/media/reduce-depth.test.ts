import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openForDisplay } from '../../../main/media/decode.ts';
import { encodeImage } from '../../../main/media/encode-image.ts';
import { createRandom } from '../../support/random.ts';
import { png16, tiffFile } from './media-fixtures.ts';

const width = 90;
const height = 70;
const samples = width * height;
const random = createRandom(5);
const numbers = (from: number, to: number, count = samples) =>
  Uint16Array.from({ length: count }, () => from + Math.floor(random() * (to - from + 1)));

/** Reference by a loop over every sample: maps the range from..to to 0–255. */
function stretched(values: ArrayLike<number>, from: number, to: number): number[] {
  const span = to > from ? to - from : 1;
  return Array.from(values, (value) => {
    const shown = Math.round(((value - from) * 255) / span);
    return Number.isNaN(shown) ? 0 : Math.min(255, Math.max(0, shown));
  });
}

async function shown(file: Buffer): Promise<number[]> {
  const image = await openForDisplay(file, { name: 'a picture' });
  return [...(await image.raw().toBuffer())];
}

/** Gray is one channel, or three equal ones. */
const gray = (values: readonly number[], channels: number) => values.filter((_, index) => index % channels === 0);

function expectNear(found: readonly number[], wanted: readonly number[]): void {
  expect(found.length).toBe(wanted.length);
  const largest = found.reduce((most, value, index) => Math.max(most, Math.abs(value - (wanted[index] ?? 0))), 0);
  expect(largest).toBeLessThanOrEqual(1);
}

describe('an image of more than 8 bits equals a loop over its samples, within a rounding step', () => {
  it('16-bit gray, stretched', async () => {
    const values = numbers(1234, 40_321);
    const file = png16(width, height, 1, (x, y) => values[y * width + x] ?? 0);
    const found = await shown(file);
    expectNear(gray(found, found.length / samples), stretched(values, Math.min(...values), Math.max(...values)));
  });

  it('16-bit gray of one value, and of two neighbours', async () => {
    for (const values of [numbers(700, 700), numbers(700, 701)]) {
      const found = await shown(png16(width, height, 1, (x, y) => values[y * width + x] ?? 0));
      expectNear(gray(found, found.length / samples), stretched(values, 700, Math.max(701, ...values)));
    }
  });

  it('16-bit colour by its upper bits, and 12-bit colour lightened', async () => {
    for (const most of [65_535, 4095]) {
      const values = numbers(0, most, samples * 3);
      values[0] = 0;
      values[1] = most;
      const file = png16(width, height, 3, (x, y, channel) => values[(y * width + x) * 3 + channel] ?? 0);
      expectNear(await shown(file), stretched(values, 0, most));
    }
  });

  it('16-bit colour with a profile', async () => {
    const values = numbers(0, 65_535, samples * 3);
    const file = await sharp(values, { raw: { width, height, channels: 3 } })
      .toColourspace('rgb16')
      .withIccProfile('p3')
      .png()
      .toBuffer();
    const loop = await sharp(file).toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer();
    const deep = new Uint16Array(loop.buffer, loop.byteOffset, loop.length / 2);
    expectNear(await shown(file), stretched(deep, 0, 65_535));
  });

  it('floats and 32-bit integers by their range; NaN is black', async () => {
    const floats = Float32Array.from({ length: samples }, () => random() * 12 - 5);
    const range = [Math.min(...floats), Math.max(...floats)] as const;
    floats[17] = Number.NaN;
    floats[18] = Number.POSITIVE_INFINITY;
    floats[19] = Number.NEGATIVE_INFINITY;
    const ofFloats = await shown(tiffFile(width, height, floats, 3));
    expectNear(gray(ofFloats, ofFloats.length / samples), stretched(floats, ...range));
    const integers = Uint32Array.from({ length: samples }, () => 90_000 + Math.floor(random() * 500_000));
    const ofIntegers = await shown(tiffFile(width, height, integers));
    expectNear(
      gray(ofIntegers, ofIntegers.length / samples),
      stretched(integers, Math.min(...integers), Math.max(...integers)),
    );
  });

  it('also if it is scaled down or cropped', async () => {
    const file = png16(width, height, 1, (x) => (x < 45 ? 1000 : 4000));
    const small = await encodeImage({ source: file, name: 'a', encoding: { format: 'png', size: 18 } });
    expect(await sharp(small).metadata()).toMatchObject({ width: 18, height: 14, depth: 'uchar' });
    const region = { left: 50, top: 0, width: 10, height: 10 };
    const cut = await encodeImage({ source: file, name: 'a', encoding: { format: 'png', region } });
    expect([...(await sharp(cut).extractChannel(0).raw().toBuffer())]).toEqual(Array<number>(100).fill(255));
  });
});
