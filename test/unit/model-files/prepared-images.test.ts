import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { ModelInput } from '../../../preload/contract/schema/model-files.ts';
import { createPreparedImages } from '../../../main/model-files/image/prepared-images.ts';

const input: ModelInput = {
  layout: 'NCHW',
  type: 'float32',
  width: 64,
  height: 64,
  is_size_free: false,
  colour: 'RGB',
  divisor: 255,
  mean: [0, 0, 0],
  deviation: [1, 1, 1],
  fit: 'letterbox',
  smooth: false,
  least_side: 0,
  fill: 114,
};
/** 12 MB of pixels each, so that two are kept. */
const images = await Promise.all(
  ['#100', '#200', '#300', '#400'].map((background) =>
    sharp({ create: { width: 2000, height: 2000, channels: 3, background } })
      .png()
      .toBuffer(),
  ),
);

const call = (prepared: ReturnType<typeof createPreparedImages>, index: number) =>
  prepared.use((prepare) => prepare(images[index] ?? Buffer.of(), input));

describe('prepared images', () => {
  it('decodes an image once for several calls', async () => {
    const prepared = createPreparedImages();
    const first = await call(prepared, 0);
    expect((await call(prepared, 0)).pixels === first.pixels).toBe(true);
    expect(first.pixels.data.length).toBe(12_000_000);
    prepared.clear();
  });

  it('frees the pixels of the oldest image at once when newer ones replace it', async () => {
    const prepared = createPreparedImages();
    const found = [];
    for (const index of images.keys()) found.push(await call(prepared, index));
    expect(found.map(({ pixels }) => pixels.data.length > 0)).toEqual([false, false, true, true]);
    prepared.clear();
  });

  it('keeps the pixels of a replaced image until its call ends', async () => {
    const prepared = createPreparedImages();
    const pixels = await prepared.use(async (prepare) => {
      const own = await prepare(images[0] ?? Buffer.of(), input);
      for (const index of [1, 2, 3]) await call(prepared, index);
      expect(own.pixels.data.length).toBe(12_000_000);
      return own.pixels;
    });
    await Promise.resolve();
    expect(pixels.data.length).toBe(0);
    prepared.clear();
  });
});
