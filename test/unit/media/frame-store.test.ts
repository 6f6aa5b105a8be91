import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createFrameStore } from '../../../main/media/frame-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  bmpHeader,
  colorsAt,
  jpeg,
  png16,
  pngFile,
  quarterColors,
  quarters,
  tiffFile,
  writeFiles,
} from './media-fixtures.ts';

async function storeOf(files: Readonly<Record<string, Uint8Array | string>>) {
  const directory = temporaryFolder();
  writeFiles(join(directory, 'raw'), files);
  return { directory, store: createFrameStore({ location: { directory, inPlace: false } }) };
}

const frame = (file: string) => ({ path: file, file });

const middles = [
  [0.25, 0.5],
  [0.75, 0.5],
] as const;
async function halves(image: Uint8Array): Promise<number[]> {
  const colors = await colorsAt(image, middles);
  return colors.map(([gray]) => gray);
}

function near(value: number) {
  return { asymmetricMatch: (other: number) => Math.abs(other - value) <= 4, toString: () => `near ${value}` };
}

describe('compressedFrame', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('rotates EXIF orientation %i upright', async (orientation) => {
    const { store } = await storeOf({
      'a.jpg': await jpeg(60, 40, orientation),
      'a.webp': await quarters(60, 40).withMetadata({ orientation }).webp().toBuffer(),
    });
    const upright = ['RGBW', 'GRWB', 'WBGR', 'BWRG', 'RBGW', 'BRWG', 'WGBR', 'GWRB'][orientation - 1];
    for (const file of ['a.jpg', 'a.webp']) {
      const shown = await store.compressedFrame(frame(file), 90);
      const { format, width, height, orientation: left } = await sharp(shown).metadata();
      expect({ format, width, height }).toEqual({
        format: 'jpeg',
        width: orientation >= 5 ? 40 : 60,
        height: orientation >= 5 ? 60 : 40,
      });
      expect(left ?? 1).toBe(1);
      expect(await quarterColors(shown), file).toBe(upright);
    }
  });

  it('stretches the used values of a 16-bit gray image to 8 bits', async () => {
    const dark = (x: number) => (x < 20 ? 1000 : 4000);
    const samples = Uint16Array.from({ length: 40 * 20 }, (_, index) => dark(index % 40));
    const { store } = await storeOf({ 'depth.png': png16(40, 20, 1, dark), 'depth.tif': tiffFile(40, 20, samples) });
    for (const file of ['depth.png', 'depth.tif'])
      expect(await halves(await store.compressedFrame(frame(file), 95)), file).toEqual([near(0), near(255)]);
  });

  it('keeps the colours of a 16-bit colour image, and lightens 12-bit data', async () => {
    const full = png16(40, 20, 3, (x, _y, channel) => (channel === 0 ? (x < 20 ? 65_535 : 32_768) : 8192));
    const twelve = png16(40, 20, 3, (x) => (x < 20 ? 0 : 4095));
    const { store } = await storeOf({ 'full.png': full, 'twelve.png': twelve });
    expect(await colorsAt(await store.compressedFrame(frame('full.png'), 100), middles)).toEqual([
      [near(255), near(32), near(32)],
      [near(128), near(32), near(32)],
    ]);
    expect(await halves(await store.compressedFrame(frame('twelve.png'), 95))).toEqual([near(0), near(255)]);
  });

  it('shows float and 32-bit images in their range, with their rotation', async () => {
    const floats = Float32Array.from({ length: 40 * 20 }, (_, index) => (index % 40 < 20 ? -3 : 0.5));
    floats[0] = Number.NaN;
    const integers = Uint32Array.from({ length: 40 * 20 }, (_, index) => (index % 40 < 20 ? 100_000 : 300_000));
    const { store } = await storeOf({
      'float.tif': tiffFile(40, 20, floats, 3),
      'integer.tif': tiffFile(40, 20, integers),
      'turned.tif': tiffFile(40, 20, integers, 1, 3),
    });
    expect(await halves(await store.compressedFrame(frame('float.tif'), 95))).toEqual([near(0), near(255)]);
    expect(await halves(await store.compressedFrame(frame('integer.tif'), 95))).toEqual([near(0), near(255)]);
    expect(await halves(await store.compressedFrame(frame('turned.tif'), 95))).toEqual([near(255), near(0)]);
  });

  it('puts transparent images on white and uses the first frame of an animation', async () => {
    const clear = await sharp({
      create: { width: 20, height: 20, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer();
    const first = await quarters(20, 20).png().toBuffer();
    const animation = await sharp([first, clear], { join: { animated: true } })
      .gif()
      .toBuffer();
    const { store } = await storeOf({ 'clear.png': clear, 'moving.gif': animation });
    expect(await quarterColors(await store.compressedFrame(frame('clear.png'), 90))).toBe('WWWW');
    const shown = await store.compressedFrame(frame('moving.gif'), 90);
    expect(await sharp(shown).metadata()).toMatchObject({ width: 20, height: 20 });
    expect(await quarterColors(shown)).toBe('RGBW');
  });

  it('decodes bitmaps and CMYK photographs', async () => {
    const { data } = await quarters(20, 20).raw().toBuffer({ resolveWithObject: true });
    for (let at = 0; at < data.length; at += 3) data.subarray(at, at + 3).reverse();
    const cmyk = await quarters(20, 20).toColourspace('cmyk').jpeg().toBuffer();
    const { store } = await storeOf({ 'a.bmp': Buffer.concat([bmpHeader(20, -20), data]), 'cmyk.jpg': cmyk });
    expect(await quarterColors(await store.compressedFrame(frame('a.bmp'), 90))).toBe('RGBW');
    expect(await sharp(await store.compressedFrame(frame('cmyk.jpg'), 90)).metadata()).toMatchObject({ space: 'srgb' });
  });

  it('shows the existing part of a truncated image', async () => {
    const photo = await quarters(400, 400).png().toBuffer();
    const noisy = await sharp(photo).jpeg({ quality: 100 }).toBuffer();
    const { store } = await storeOf({ 'cut.jpg': noisy.subarray(0, noisy.length * 0.7) });
    const shown = await store.compressedFrame(frame('cut.jpg'), 90);
    expect(await sharp(shown).metadata()).toMatchObject({ width: 400, height: 400 });
    expect((await quarterColors(shown)).slice(0, 2)).toBe('RG');
  });

  it('names a file that cannot be shown, is too large, or is missing', async () => {
    const { store, directory } = await storeOf({
      'notes.jpg': 'some notes',
      'broken.png': pngFile({ width: 10, height: 10, bits: 8, colorType: 7 }),
      'pano.png': pngFile({ width: 60_000, height: 60_000, bits: 8, colorType: 2 }),
    });
    for (const [file, code, message] of [
      ['notes.jpg', 'invalid', 'notes.jpg is not an image'],
      ['broken.png', 'invalid', 'broken.png cannot be decoded'],
      ['pano.png', 'invalid', '500 megapixels'],
      ['gone.png', 'not-found', 'Its annotations are unchanged'],
      ['../raw/x.png', 'invalid', ''],
      [join(directory, 'raw', 'notes.jpg'), 'invalid', ''],
    ] as const) {
      const refusal = { code, message: expect.stringContaining(message) };
      await expect(store.compressedFrame(frame(file), 90), file).rejects.toMatchObject(refusal);
    }
    await expect(store.compressedFrame(frame('notes.jpg'), 0)).rejects.toThrow('1 to 100');
  });

  it('gives smaller files for lower quality', async () => {
    const { store } = await storeOf({ 'a.jpg': await jpeg(200, 200) });
    const low = await store.compressedFrame(frame('a.jpg'), 10);
    const high = await store.compressedFrame(frame('a.jpg'), 100);
    expect(low.length).toBeLessThan(high.length);
  });
});

describe('thumbnail', () => {
  it('fits into the size, keeps the proportions, and does not enlarge', async () => {
    const { store } = await storeOf({ 'a.jpg': await jpeg(600, 300, 6), 'small.jpg': await jpeg(20, 10) });
    const facts = async (file: string, size?: number) => sharp(await store.thumbnail(frame(file), size)).metadata();
    expect(await facts('a.jpg')).toMatchObject({ format: 'jpeg', width: 128, height: 256 });
    expect(await facts('small.jpg', 64)).toMatchObject({ width: 20, height: 10 });
  });

  it('is kept on disk, and made again when the file was replaced', async () => {
    const { store, directory } = await storeOf({ 'a.jpg': await jpeg(600, 300) });
    const first = await store.thumbnail(frame('a.jpg'));
    const cached = readdirSync(join(directory, 'cache', 'thumbnails'), { recursive: true }).filter((name) =>
      String(name).endsWith('.jpg'),
    );
    expect(cached).toHaveLength(1);
    expect(await store.thumbnail(frame('a.jpg'))).toEqual(first);
    writeFileSync(join(directory, 'raw', 'a.jpg'), await jpeg(300, 600));
    expect(await sharp(await store.thumbnail(frame('a.jpg'))).metadata()).toMatchObject({ width: 128, height: 256 });
  });

  it('is returned although it cannot be cached, and the originals are never written to', async () => {
    const { store, directory } = await storeOf({ 'a.jpg': await jpeg(60, 30) });
    const before = statSync(join(directory, 'raw', 'a.jpg'));
    await Promise.all(Array.from({ length: 20 }, () => store.thumbnail(frame('a.jpg'))));
    rmSync(join(directory, 'cache'), { recursive: true });
    expect((await store.thumbnail(frame('a.jpg'))).length).toBeGreaterThan(0);
    expect(statSync(join(directory, 'raw', 'a.jpg')).mtimeMs).toBe(before.mtimeMs);
    expect(readdirSync(join(directory, 'raw'))).toEqual(['a.jpg']);
  });

  it('keeps its cache below the limit', async () => {
    const directory = temporaryFolder();
    const files = Object.fromEntries(
      await Promise.all(Array.from({ length: 30 }, async (_, index) => [`${index}.jpg`, await jpeg(200 + index, 200)])),
    );
    writeFiles(join(directory, 'raw'), files as Record<string, Buffer>);
    const maxCacheBytes = 20_000;
    const store = createFrameStore({ location: { directory, inPlace: false }, maxCacheBytes });
    for (let index = 0; index < 30; index += 1) await store.compressedFrame(frame(`${index}.jpg`), 90);
    const sizes = readdirSync(join(directory, 'cache'), { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile())
      .map((item) => statSync(join(item.parentPath, item.name)).size);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(sizes.length).toBeGreaterThan(0);
    expect(total).toBeLessThanOrEqual(maxCacheBytes * 1.2);
  });
});

it('originalFrame returns the unchanged file, also in place', async () => {
  const folder = writeFiles(temporaryFolder(), { 'odd name.PNG': await quarters(4, 4).png().toBuffer() });
  const store = createFrameStore({ location: { directory: temporaryFolder(), inPlace: true } });
  const path = join(folder, 'odd name.PNG');
  expect(await store.originalFrame({ path: 'odd name.PNG', file: path })).toEqual({
    path,
    contentType: 'image/png',
    extension: '.PNG',
  });
  expect(existsSync(path)).toBe(true);
});
