import { truncate, writeFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { openSource } from '../../../main/formats/io/open-source.ts';
import { createMediaFrames } from '../../../main/media/media-frames.ts';
import { createRangeFrames, type FrameSource, type MediaContent } from '../../../main/media/range-frames.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const count = 7;
const directory = sharedFolder();
const mediaFrames = createMediaFrames();
for (let number = 0; number < count; number += 1) {
  const file = join(directory, 'raw', `${number}.png`);
  await mkdir(dirname(file), { recursive: true });
  await sharp({ create: { width: 8 + number, height: 4, channels: 3, background: '#336699' } }).toFile(file);
}
afterAll(() => mediaFrames.dispose());

/** Frames 1 to 5, or some of them, three per chunk. */
function framesOf(change: Partial<FrameSource> = {}) {
  const frame = (number: number) => ({
    path: `${number}.png`,
    file: `${number}.png`,
    width: 8 + number,
    height: 4,
    related: number === 1 ? ['2.png', '0.png'] : [],
  });
  const { included = null } = change;
  const source: FrameSource = {
    first: 1,
    last: 5,
    included: null,
    chunkSize: 3,
    imageQuality: 0,
    frame,
    frames: (first, last) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index)
        .filter((number) => included === null || included.includes(number))
        .map(frame),
    ...change,
  };
  return createRangeFrames(mediaFrames.of({ directory, inPlace: false }), source);
}

/** Widths of the images in a chunk of originals, which identify its frames. */
async function framesIn(content: MediaContent): Promise<number[]> {
  if ('bytes' in content) throw new Error('Chunks are files.');
  const source = await openSource({ path: content.path, name: 'chunk.zip' });
  const found: number[] = [];
  for (const { path } of source.entries) found.push((await sharp(await source.read(path)).metadata()).width - 8);
  await source.close();
  return found;
}

test('chunks are counted in the task or in the range, and a range has its part of a chunk', async () => {
  const frames = framesOf();
  const chunk = async (number: number, counted: 'task' | 'range', of = frames) =>
    framesIn(await of.chunk(number, counted, 'original'));
  expect([await chunk(0, 'task'), await chunk(1, 'task')]).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  expect([await chunk(0, 'range'), await chunk(1, 'range')]).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  const some = framesOf({ included: [1, 3, 4, 5] });
  expect([await chunk(0, 'range', some), await chunk(1, 'range', some)]).toEqual([[1, 3, 4], [5]]);
  await expect(frames.chunk(2, 'task', 'original')).rejects.toThrow('Chunk 2 does not exist here.');
  await expect(some.chunk(2, 'range', 'original')).rejects.toThrow('Chunk 2 does not exist here.');
});

test('originals are bytes up to 64 MB, and files to stream beyond', async () => {
  expect(await framesOf().frame(2, 'original')).toMatchObject({ contentType: 'image/png', bytes: expect.any(Buffer) });
  const large = join(directory, 'raw', 'large.bin');
  await writeFile(large, '');
  await truncate(large, 64 * 1024 * 1024 + 1);
  const frame = () => ({ path: 'large.bin', file: 'large.bin', width: 1, height: 1, related: [] });
  expect(await framesOf({ frame }).frame(1, 'original')).toEqual({
    contentType: 'application/octet-stream',
    path: large,
    sizeBytes: 64 * 1024 * 1024 + 1,
    etag: expect.stringMatching(/^[0-9a-z]+-[0-9a-z]+$/),
  });
});

test("quality 0 is the lowest of the encoder; the preview is the range's first frame", async () => {
  expect(await framesOf().frame(1, 'compressed')).toMatchObject({ contentType: 'image/jpeg' });
  const preview = await framesOf({ included: [4] }).preview();
  expect('bytes' in preview && (await sharp(preview.bytes).metadata()).width).toBe(12);
});

test('related images are returned as one archive, in order; without any an error says so', async () => {
  const content = await framesOf().context(1);
  expect(content.contentType).toBe('application/zip');
  await expect(framesOf().context(2)).rejects.toThrow('Frame 2 has no related images.');
});
