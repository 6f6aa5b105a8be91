import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { levelCount, levelSize, tileGrid, tileSide } from '../../../preload/geometry/image-tiles.ts';
import { createMediaFrames, type TaskFrames } from '../../../main/media/media-frames.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const all = [createMediaFrames(), createMediaFrames({ maxCacheBytes: 20_000 })] as const;
const [media, narrow] = all;
afterAll(() => Promise.all(all.map((frames) => frames.dispose())));

const frame = (file: string) => ({ path: file, file });

async function framesOf(files: Readonly<Record<string, Buffer>>, from = media) {
  const directory = temporaryFolder();
  await mkdir(join(directory, 'raw'), { recursive: true });
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(directory, 'raw', name), bytes);
  return { directory, frames: from.of({ directory, inPlace: false }) };
}

/** No two regions are equal. */
async function picture(width: number, height: number, orientation = 1): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0, place = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      data[place++] = (255 * x) / width;
      data[place++] = (255 * y) / height;
      data[place++] = 64 * (Math.floor(x / 40) % 2) + 64 * (Math.floor(y / 30) % 2);
    }
  }
  const image = sharp(data, { raw: { width, height, channels: 3 } });
  return image.withMetadata({ orientation }).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
}

async function levelOf(frames: TaskFrames, name: string, size: { width: number; height: number }, level: number) {
  const { columns, rows } = tileGrid(size, level);
  const tiles: { input: Buffer; left: number; top: number }[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const input = await frames.tile(frame(name), { level, column, row });
      tiles.push({ input, left: column * tileSide, top: row * tileSide });
    }
  }
  const base = sharp({ create: { ...levelSize(size, level), channels: 3, background: '#ff00ff' } });
  return base.composite(tiles).removeAlpha().raw().toBuffer();
}

function meanDifference(a: Buffer, b: Buffer): number {
  expect(a.length).toBe(b.length);
  return a.reduce((sum, value, place) => sum + Math.abs(value - (b[place] ?? 0)), 0) / a.length;
}

describe('tiles of an image', () => {
  it('equal its pixels on every level', async () => {
    const size = { width: 1301, height: 777 };
    const bytes = await picture(size.width, size.height);
    const { frames } = await framesOf({ 'a.jpg': bytes });
    expect(await frames.tiles(frame('a.jpg'))).toEqual({ ...size, orientation: 1, tile_side: 512, levels: 3 });
    for (let level = 0; level < levelCount(size); level += 1) {
      const { width, height } = levelSize(size, level);
      const even = sharp(bytes).extend({
        right: width * 2 ** level - size.width,
        bottom: height * 2 ** level - size.height,
        extendWith: 'copy',
      });
      const whole = sharp(await even.png().toBuffer());
      const wanted = level === 0 ? whole : whole.resize(width, height, { kernel: 'linear', fit: 'fill' });
      expect(meanDifference(await levelOf(frames, 'a.jpg', size, level), await wanted.raw().toBuffer())).toBeLessThan(
        2,
      );
    }
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('state their rotation: EXIF orientation %i', async (orientation) => {
    const bytes = await picture(700, 520, orientation);
    const { frames } = await framesOf({ 'a.jpg': bytes });
    const upright = orientation >= 5 ? { width: 520, height: 700 } : { width: 700, height: 520 };
    expect(await frames.tiles(frame('a.jpg'))).toEqual({ ...upright, orientation, tile_side: 512, levels: 2 });
    const stored = await levelOf(frames, 'a.jpg', { width: 700, height: 520 }, 0);
    const wanted = await sharp(bytes, { autoOrient: false }).raw().toBuffer();
    expect(meanDifference(stored, wanted)).toBeLessThan(2);
  });

  it('support images of more bits, and transparent ones', async () => {
    const values = Uint16Array.from({ length: 600 * 600 }, (_, place) => 1000 + (place % 600));
    const gray = sharp(values, { raw: { width: 600, height: 600, channels: 1 } }).toColourspace('grey16');
    const clear = sharp({ create: { width: 300, height: 200, channels: 4, background: '#00000000' } });
    const { frames } = await framesOf({
      'gray.png': await gray.png().toBuffer(),
      'clear.png': await clear.png().toBuffer(),
    });
    const { data } = await sharp(await frames.tile(frame('gray.png'), { level: 1, column: 0, row: 0 }))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[0]).toBeLessThan(5);
    expect(data.at(-1)).toBeGreaterThan(250);
    const tile = await frames.tile(frame('clear.png'), { level: 0, column: 0, row: 0 });
    expect((await sharp(tile).stats()).channels.map(({ min }) => min)).toEqual([255, 255, 255]);
  });

  it('that do not exist are not found, and videos have none', async () => {
    const { frames } = await framesOf({ 'a.jpg': await picture(700, 400) });
    for (const place of [
      { level: 2, column: 0, row: 0 },
      { level: 0, column: 2, row: 0 },
      { level: 0, column: 0, row: 1 },
    ]) {
      await expect(frames.tile(frame('a.jpg'), place)).rejects.toMatchObject({ code: 'not-found' });
    }
    await expect(frames.tiles({ ...frame('a.jpg'), videoFrame: 0 })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('of a truncated file exist up to its end; invalid images are named', async () => {
    const bytes = await picture(1301, 777);
    const { frames } = await framesOf({
      'cut.jpg': bytes.subarray(0, bytes.length / 2),
      'notes.jpg': Buffer.from('notes'),
    });
    const first = await sharp(await frames.tile(frame('cut.jpg'), { level: 0, column: 1, row: 0 }))
      .raw()
      .toBuffer();
    const wanted = await sharp(bytes).extract({ left: 512, top: 0, width: 512, height: 100 }).raw().toBuffer();
    expect(meanDifference(first.subarray(0, wanted.length), wanted)).toBeLessThan(2);
    await expect(frames.tiles(frame('notes.jpg'))).rejects.toThrow('notes.jpg is not an image');
  });
});

describe('the file of the tiles', () => {
  const filesIn = async (directory: string): Promise<string[]> => {
    const found = await readdir(join(directory, 'cache'), { withFileTypes: true, recursive: true }).catch(() => []);
    return found.filter((item) => item.isFile()).map((item) => join(item.parentPath, item.name));
  };

  it('is single, without temporary files, and is reused by a later run', async () => {
    const { directory, frames } = await framesOf({ 'a.jpg': await picture(1301, 777) });
    const place = { level: 0, column: 1, row: 1 };
    const tile = await frames.tile(frame('a.jpg'), place);
    const files = await filesIn(directory);
    expect(files).toHaveLength(1);
    expect(files[0]).toMatch(/\.tiles$/);
    const later = createMediaFrames();
    expect(await later.of({ directory, inPlace: false }).tile(frame('a.jpg'), place)).toEqual(tile);
    await later.dispose();
  });

  it('is created again if it is torn', async () => {
    const { directory, frames } = await framesOf({ 'a.jpg': await picture(1301, 777) });
    const place = { level: 0, column: 1, row: 1 };
    const tile = await frames.tile(frame('a.jpg'), place);
    const [file = ''] = await filesIn(directory);
    await writeFile(file, (await readFile(file)).subarray(0, 5000));
    expect(await frames.tile(frame('a.jpg'), place)).toEqual(tile);
  });

  it('is not started, or cancelled, without a waiting request; a later one gets it', async () => {
    const flat = sharp({ create: { width: 9000, height: 7000, channels: 3, background: '#336699' } });
    const { directory, frames } = await framesOf({
      'a.jpg': await flat.jpeg().toBuffer(),
      'b.jpg': await picture(700, 400),
    });
    const leaving = new AbortController();
    const left = frames.tiles(frame('a.jpg'), leaving.signal);
    left.catch(() => undefined);
    while (!(await filesIn(directory)).some((path) => path.endsWith('.jpeg'))) await Promise.resolve();
    const waiting = frames.tiles(frame('b.jpg'), leaving.signal);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await expect(waiting).rejects.toThrow('gone');
    expect(await frames.tiles(frame('b.jpg'))).toMatchObject({ levels: 2 });
    const files = await filesIn(directory);
    expect(files).toHaveLength(1);
  });

  it('that would need most of the cache is refused with what to do', async () => {
    const { directory, frames } = await framesOf({ 'a.jpg': await picture(700, 400) }, narrow);
    await expect(frames.tiles(frame('a.jpg'))).rejects.toThrow(/a\.jpg: they take 1 MB.*Raise LIMNER_MEDIA_CACHE_MB/);
    expect(await filesIn(directory)).toEqual([]);
  });
});
