import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeImage } from '../../../main/media/encode-image.ts';
import type { Display } from '../../../main/media/display.ts';
import { openForDisplay } from '../../../main/media/decode.ts';
import { probeImage } from '../../../main/media/probe.ts';
import { AppError } from '../../../main/platform/errors.ts';

/** Files written by tifffile, and the samples that it reads in the four corners (test/fixtures/make_tiffs.py). */
const folder = join(import.meta.dirname, '../../fixtures/tiff');
const corners = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<string, number[][]>;

const quarters = [
  [220, 30, 30],
  [30, 200, 30],
  [30, 30, 220],
  [240, 240, 240],
];

async function shown(name: string, display?: Display, isTurned = true): Promise<number[][]> {
  const image = await openForDisplay(join(folder, `${name}.tif`), { name, display, isTurned });
  const { data, info } = await image.toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const start = (y * info.width + x) * info.channels;
    const [red = 0, green = red, blue = red] = data.subarray(start, start + info.channels);
    return [red, green, blue];
  };
  const [right, bottom] = [info.width - 1, info.height - 1];
  return [at(0, 0), at(right, 0), at(0, bottom), at(right, bottom)];
}

const gray = (...values: number[]) => values.map((value) => [value, value, value]);

/** Corner samples, scaled between the minimum and the maximum of the file. */
function spreadCorners(name: string, low: number, high: number) {
  const values = (corners[name] ?? []).map(([value = 0]) => Math.round(((value - low) * 255) / (high - low)));
  return gray(...values.map((value) => Math.min(255, Math.max(0, value))));
}

async function refusal(name: string): Promise<string> {
  const error: unknown = await probeImage(join(folder, `${name}.tif`)).catch((error: unknown) => error);
  return error instanceof AppError ? error.message : 'accepted';
}

describe('a TIFF file of an unusual kind', () => {
  it.each(['deflate', 'lzw', 'packbits', 'webp', 'zstd', 'lerc'])(
    'shows its colours when it is compressed with %s',
    async (compression) => {
      expect(await shown(`compression-${compression}`)).toEqual(quarters);
    },
  );

  it('shows its colours in tiles that are compressed with Zstandard and a predictor', async () => {
    expect(await shown('tiles-zstd-predictor')).toEqual(quarters);
  });

  it.each([
    ['lzma', 'LZMA'],
    ['jpeg2000', 'JPEG 2000'],
    ['jpegxl', 'JPEG XL'],
    ['jpegxr', 'JPEG XR'],
    ['png', 'PNG'],
  ])('is refused with the name of a compression that no decoder supports: %s', async (compression, name) => {
    const message = await refusal(`compression-${compression}`);
    expect(message).toContain(`has the compression ${name}, which cannot be read here. Save it with LZW`);
    expect(message).not.toContain('damaged');
  });

  it('is refused if it contains complex numbers', async () => {
    expect(await refusal('complex-64')).toContain('contains complex numbers');
  });

  it('shows red, green and blue of a file whose fourth band is not transparency', async () => {
    expect(await shown('rgb-infrared')).toEqual(quarters);
    expect(await shown('rgb-two-extra-16')).toEqual(quarters);
  });

  it('shows transparency on white if the file declares it', async () => {
    const [topLeft = []] = await shown('rgb-alpha');
    expect(Math.min(...topLeft)).toBeGreaterThan(240);
  });

  it('shows the first three of many bands, the first of two, and the selected ones', async () => {
    expect(await shown('gray-8-bands')).toEqual(quarters);
    expect(await shown('gray-5-bands-planar')).toEqual(quarters);
    expect(await shown('gray-2-bands')).toEqual(gray(220, 30, 30, 240));
    expect(await shown('gray-2-bands', { bands: [1] })).toEqual(gray(10, 10, 250, 250));
    expect(await shown('rgb-infrared', { bands: [3, 0, 1] })).toEqual([
      [10, 220, 30],
      [10, 30, 200],
      [250, 30, 30],
      [250, 240, 240],
    ]);
  });

  it('refuses a missing band with the list of bands', async () => {
    await expect(shown('gray-2-bands', { bands: [2] })).rejects.toThrow('has no band 2. Choose bands from 0 to 1.');
    await expect(shown('rgb-infrared', { window: [1, 99] })).rejects.toThrow(
      '8 bits per channel, and all are displayed',
    );
  });

  it.each([
    ['signed-8', -25, 75],
    ['signed-16', -1000, 3000],
    ['signed-32', -1000, 3000],
    ['float-16', -0.25, 0.75],
    ['float-32', -1000, 3000],
    ['float-64', -1000, 3000],
  ])('stretches all values of %s from black to white, including negative ones', async (name, low, high) => {
    const found = (await shown(name)).flat();
    const wanted = spreadCorners(name, low, high).flat();
    expect(Math.max(...found.map((value, index) => Math.abs(value - (wanted[index] ?? 0))))).toBeLessThanOrEqual(1);
  });

  it('shows zero as white if the file says so', async () => {
    expect(await shown('signed-16-white-is-zero')).toEqual(gray(255, 0, 255, 0));
  });

  it('excludes missing measurements from the range', async () => {
    for (const name of ['float-32-no-data', 'float-64-no-data-tag']) {
      const [topLeft, , bottomLeft, bottomRight] = await shown(name);
      expect([topLeft, bottomLeft, bottomRight]).toEqual(gray(0, 0, 255));
    }
  });

  it('is not darkened by one hot pixel, and by none with a narrower window', async () => {
    expect(await shown('unsigned-16-hot-pixel')).toEqual(gray(0, 255, 0, 255));
    const [, right = []] = await shown('signed-16', { window: [0, 50] });
    expect(right).toEqual([255, 255, 255]);
  });

  it('is upright, or as stored on request', async () => {
    expect(await shown('turned-infrared')).toEqual(quarters);
    expect(await shown('turned-infrared', undefined, false)).not.toEqual(quarters);
    const part = { left: 0, top: 0, width: 4, height: 4 };
    const cut = await encodeImage({
      source: join(folder, 'turned-infrared.tif'),
      name: 'a',
      encoding: { format: 'png', region: part },
    });
    const image = await openForDisplay(cut, { name: 'a' });
    expect([...(await image.raw().toBuffer()).subarray(0, 3)]).toEqual([220, 30, 30]);
  });

  it('is shown or refused, and never silently black', async () => {
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.tif'))) {
      const name = file.slice(0, -'.tif'.length);
      if ((await refusal(name)) !== 'accepted') continue;
      const values = (await shown(name)).flat();
      expect(Math.max(...values), name).toBeGreaterThan(200);
    }
  });
});
