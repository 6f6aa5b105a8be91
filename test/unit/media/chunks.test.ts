import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../main/formats/io/open-source.ts';
import { createChunks, defaultChunkSize } from '../../../main/media/chunks.ts';
import { createFrameStore } from '../../../main/media/frame-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { jpeg, pngFile, quarterColors, quarters, tiffFile, writeFiles } from './media-fixtures.ts';

async function chunksOf(files: Readonly<Record<string, Uint8Array>>) {
  const directory = temporaryFolder();
  writeFiles(join(directory, 'raw'), files);
  const location = { directory, inPlace: false };
  return { directory, chunks: createChunks(createFrameStore({ location })) };
}

async function contentOf(path: string): Promise<Record<string, Buffer>> {
  const source = await openSource({ path, name: 'chunk.zip' });
  const content: Record<string, Buffer> = {};
  for (const entry of source.entries) content[entry.path] = await source.read(entry.path);
  await source.close();
  return content;
}

const frame = (file: string, width = 60, height = 40) => ({ path: file, file, width, height });
const request = (quality: 'compressed' | 'original', ...frames: ReturnType<typeof frame>[]) => ({
  frames,
  quality,
  imageQuality: 70,
});

describe('chunk', () => {
  it('packs compressed frames as numbered JPEG files, upright', async () => {
    const { chunks } = await chunksOf({
      'b.jpg': await jpeg(60, 40, 6),
      'a.tif': await quarters(60, 40).tiff().toBuffer(),
    });
    const chunk = await chunks.chunk(request('compressed', frame('b.jpg', 40, 60), frame('a.tif')));
    expect(chunk).toMatchObject({ contentType: 'application/zip', broken: [] });
    const bytes = readFileSync(chunk.path);
    expect(chunk.sizeBytes).toBe(bytes.length);
    expect(chunk.checksum).toBe(crc32(bytes).toString(16).padStart(8, '0'));
    const content = await contentOf(chunk.path);
    expect(Object.keys(content)).toEqual(['000000.jpeg', '000001.jpeg']);
    expect(await sharp(content['000000.jpeg']).metadata()).toMatchObject({ format: 'jpeg', width: 40, height: 60 });
    expect(await quarterColors(content['000001.jpeg'] ?? Buffer.alloc(0))).toBe('RGBW');
  });

  it('packs original frames byte for byte with their own extensions', async () => {
    const files = { 'x/b.JPG': await jpeg(60, 40), 'a.tif': await quarters(60, 40).tiff().toBuffer() };
    const { chunks } = await chunksOf(files);
    const chunk = await chunks.chunk(request('original', frame('x/b.JPG'), frame('a.tif')));
    expect(await contentOf(chunk.path)).toEqual({ '000000.jpg': files['x/b.JPG'], '000001.tif': files['a.tif'] });
  });

  it('packs original frames that EXIF rotates upright, in their stated size', async () => {
    const turned = (format: 'jpeg' | 'png' | 'webp' | 'tiff') =>
      quarters(60, 40).withMetadata({ orientation: 6 }).toFormat(format).toBuffer();
    const deep = Uint16Array.from({ length: 2400 }, (_, index) => index * 25);
    const { chunks } = await chunksOf({
      'a.jpg': await turned('jpeg'),
      'b.png': await turned('png'),
      'c.webp': await turned('webp'),
      'd.tiff': await turned('tiff'),
      'deep.tif': tiffFile(60, 40, deep, 1, 6),
    });
    const names = ['a.jpg', 'b.png', 'c.webp', 'd.tiff', 'deep.tif'];
    const frames = names.map((name) => frame(name, 40, 60));
    const content = await contentOf((await chunks.chunk(request('original', ...frames))).path);
    expect(Object.keys(content)).toEqual(['000000.jpg', '000001.png', '000002.webp', '000003.tiff', '000004.tif']);
    for (const [name, bytes] of Object.entries(content)) {
      const { width, height, orientation = 1 } = await sharp(bytes).metadata();
      expect({ name, width, height, orientation }).toEqual({ name, width: 40, height: 60, orientation: 1 });
      if (name !== '000004.tif') expect(await quarterColors(bytes), name).toBe('BRWG');
    }
    expect((await sharp(content['000004.tif']).metadata()).depth).toBe('ushort');
  });

  it('replaces a damaged frame by a placeholder of the same size and names it, so that the numbers stay right', async () => {
    const { chunks } = await chunksOf({
      'a.jpg': await jpeg(60, 40),
      'bad.png': pngFile({ width: 30, height: 20, bits: 8, colorType: 7 }),
      'c.jpg': await jpeg(60, 40),
    });
    const frames = [frame('a.jpg'), frame('bad.png', 30, 20), frame('c.jpg')];
    const chunk = await chunks.chunk(request('compressed', ...frames));
    const content = await contentOf(chunk.path);
    expect(await sharp(content['000001.jpeg']).metadata()).toMatchObject({ width: 30, height: 20 });
    expect(await quarterColors(content['000002.jpeg'] ?? Buffer.alloc(0))).toBe('RGBW');
    expect(chunk.broken).toEqual([{ path: 'bad.png', reason: expect.stringContaining('bad.png cannot be decoded') }]);
  });

  it('is created once and cached, and again when a file, the quality or the frames change', async () => {
    const { chunks, directory } = await chunksOf({ 'a.jpg': await jpeg(60, 40), 'b.jpg': await jpeg(60, 40) });
    const requested = request('compressed', frame('a.jpg'));
    const [first, second] = await Promise.all([chunks.chunk(requested), chunks.chunk(requested)]);
    expect(second).toEqual(first);
    const made = statSync(first.path).ino;
    expect(statSync((await chunks.chunk(requested)).path).ino).toBe(made);
    expect((await chunks.chunk({ ...requested, imageQuality: 71 })).path).not.toBe(first.path);
    expect((await chunks.chunk({ ...requested, frames: [frame('b.jpg')] })).path).not.toBe(first.path);
    writeFiles(join(directory, 'raw'), { 'a.jpg': await jpeg(80, 40) });
    expect((await chunks.chunk(requested)).path).not.toBe(first.path);
  });

  it('names a missing file, and stops when cancelled', async () => {
    const { chunks } = await chunksOf({ 'a.jpg': await jpeg(60, 40) });
    await expect(chunks.chunk(request('original', frame('a.jpg'), frame('gone.jpg')))).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('gone.jpg'),
    });
    const signal = AbortSignal.abort();
    await expect(chunks.chunk({ ...request('original', frame('a.jpg')), signal })).rejects.toThrow();
  });
});

it('chunk sizes follow the area of the first image, within 2 and 72', () => {
  expect(defaultChunkSize({ width: 1920, height: 1080 })).toBe(36);
  expect(defaultChunkSize({ width: 3840, height: 2160 })).toBe(9);
  expect(defaultChunkSize({ width: 100, height: 100 })).toBe(72);
  expect(defaultChunkSize({ width: 20_000, height: 10_000 })).toBe(2);
  expect(defaultChunkSize({ width: 1000, height: 999 })).toBe(72);
  expect(defaultChunkSize({ width: 1920, height: 1200 })).toBe(32);
  expect(defaultChunkSize()).toBe(36);
});
