import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../main/formats/io/open-source.ts';
import { createFrameStore } from '../../../main/media/frame-store.ts';
import type { PreparedMedia, PrepareRequest, PrepareRun } from '../../../main/media/media-preparation.ts';
import { prepareTaskMedia } from '../../../main/media/prepare.ts';
import { AppError } from '../../../main/platform/errors.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { gifFile, jpeg, pngFile, quarterColors, quarters, tarFile, writeFiles, zipFile } from './media-fixtures.ts';

type Images = Extract<PreparedMedia, { kind: 'images' }>;

const huge = pngFile({ width: 60_000, height: 60_000, bits: 8, colorType: 2 });

function uploadsOf(files: Readonly<Record<string, Uint8Array | string>>) {
  const folder = temporaryFolder();
  return Object.entries(files).map(([name, content], index) => {
    const file = join(folder, `upload-${index}`);
    writeFileSync(file, content);
    return { name, file };
  });
}

const zipOf = async (entries: Parameters<typeof zipFile>[1]): Promise<Buffer> =>
  readFileSync(await zipFile(join(temporaryFolder(), 'a.zip'), entries));

async function prepare(
  request: Omit<PrepareRequest, 'location'> & Partial<PrepareRequest>,
  run?: PrepareRun,
): Promise<Images> {
  const prepared = await prepareTaskMedia({ location: { directory: join(temporaryFolder(), '7') }, ...request }, run);
  if (prepared.kind !== 'images') throw new Error('A video came out.');
  return prepared;
}

async function failureOf(promise: Promise<unknown>): Promise<AppError> {
  const error: unknown = await promise.then(
    () => new Error('it was accepted'),
    (error: unknown) => error,
  );
  if (error instanceof AppError) return error;
  throw error;
}

const namesOf = (prepared: Images) => prepared.frames.map(({ path }) => path);
const skippedOf = (prepared: PreparedMedia) =>
  Object.fromEntries(prepared.skipped.map(({ name, reason }) => [name, reason]));
const everyFileBelow = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((item) => item.isFile())
        .map((item) => item.name)
    : [];

describe('uploads', () => {
  it('become frames with their upright sizes; invalid files are listed and skipped', async () => {
    const directory = temporaryFolder();
    const uploads = uploadsOf({
      'a.jpg': await jpeg(60, 40, 6),
      'notes.jpg': 'these are only notes',
      'pano.png': huge,
      'b/c.png': await quarters(20, 10).png().toBuffer(),
      'moving.gif': gifFile(1, 1, 3),
      'empty.png': '',
    });
    const prepared = await prepare({ location: { directory }, uploads });
    expect(prepared.frames).toEqual([
      { path: 'a.jpg', file: 'a.jpg', identity: null, width: 40, height: 60, related_files: [] },
      { path: 'b/c.png', file: 'b/c.png', identity: null, width: 20, height: 10, related_files: [] },
      { path: 'moving.gif', file: 'moving.gif', identity: null, width: 1, height: 1, related_files: [] },
    ]);
    expect(skippedOf(prepared)).toEqual({
      'notes.jpg': 'notes.jpg is not an image: it starts like text.',
      'pano.png': expect.stringContaining('60000 × 60000 pixels; the limit is 500 megapixels'),
      'empty.png': 'empty.png is not an image: it is empty.',
    });
    expect(prepared.warnings).toEqual([
      { name: 'moving.gif', reason: 'moving.gif contains 3 images; only the first is used.' },
    ]);
    expect(prepared.inPlace).toBe(false);
    expect(everyFileBelow(join(directory, 'raw')).sort()).toEqual(['a.jpg', 'c.png', 'moving.gif']);
    expect(uploads.every(({ file }) => existsSync(file))).toBe(true);
    const store = createFrameStore({ location: { directory, inPlace: prepared.inPlace } });
    const [first] = prepared.frames;
    if (first) expect(await quarterColors(await store.compressedFrame(first, 90))).toBe('BRWG');
  });

  it('with full paths of the client get short names, and equal names get different ones', async () => {
    const image = await jpeg(8, 8);
    const directory = temporaryFolder();
    const names = ['C:\\photos\\x.jpg', '/home/user/y.jpg', 'y.jpg', '../../etc/z.jpg', 'Y.JPG', 'con.jpg'];
    const uploads = uploadsOf(Object.fromEntries(names.map((name) => [name, image])));
    const prepared = await prepare({ location: { directory }, uploads, sorting_method: 'predefined' });
    expect(namesOf(prepared)).toEqual(['photos/x.jpg', 'home/user/y.jpg', 'y.jpg', 'etc/z.jpg', 'Y.JPG', 'con.jpg']);
    expect(new Set(prepared.frames.map(({ file }) => file.toLowerCase())).size).toBe(names.length);
    for (const { file } of prepared.frames) expect(existsSync(join(directory, 'raw', file)), file).toBe(true);
    const same = [...uploadsOf({ 'a.jpg': image }), ...uploadsOf({ 'a.jpg': await jpeg(9, 9) })];
    const twice = await prepare({ uploads: same });
    expect(namesOf(twice)).toEqual(['a (2).jpg', 'a.jpg']);
    expect(twice.warnings).toEqual([
      { name: 'a (2).jpg', reason: 'a.jpg was given more than once; this one is named a (2).jpg.' },
    ]);
  });

  it('can be prepared again after a crash, without duplicate frames', async () => {
    const directory = temporaryFolder();
    const uploads = uploadsOf({ 'a.jpg': await jpeg(8, 8), 'b.jpg': await jpeg(9, 9) });
    await prepare({ location: { directory }, uploads });
    mkdirSync(join(directory, 'raw.abandoned.part'));
    const placed = ['a.jpg', 'b.jpg'].map((name) => ({ name, file: join(directory, 'raw', name) }));
    const again = await prepare({ uploads: [...uploads, ...placed] });
    expect(namesOf(again)).toEqual(['a.jpg', 'b.jpg']);
    expect((await failureOf(prepare({ location: { directory }, uploads }))).message).toBe(
      'Adding more data is not supported',
    );
  });

  it('replace the rest of an earlier attempt when they are complete, not before', async () => {
    const directory = temporaryFolder();
    await prepare({ location: { directory }, uploads: uploadsOf({ 'old.jpg': await jpeg(8, 8) }) });
    const raw = join(directory, 'raw');
    const retry = { location: { directory }, replacesLeft: true };
    await failureOf(prepare({ ...retry, uploads: uploadsOf({ 'a.txt': 'text' }) }));
    expect(readdirSync(raw)).toEqual(['old.jpg']);
    await prepare({ ...retry, uploads: uploadsOf({ 'new.jpg': await jpeg(9, 9) }) });
    expect(readdirSync(raw)).toEqual(['new.jpg']);
    expect(readdirSync(directory)).toEqual(['raw']);
  });

  it('fail with one sentence that names the files when nothing is left', async () => {
    const uploads = uploadsOf({ 'a.txt': 'text', 'b.png': huge, 'c.jpg': '' });
    const error = await failureOf(prepare({ uploads }));
    expect(error.code).toBe('invalid');
    expect(error.message).toMatch(
      /^None of the 3 files is an image that can be read: a\.txt is not an image: it starts like text; b\.png is 60000/,
    );
    expect(uploads.every(({ file }) => existsSync(file))).toBe(true);
    expect((await failureOf(prepare({ uploads: [] }))).message).toContain('No files were given');
    expect((await failureOf(prepare({ uploads: uploadsOf({ 'a.txt': 'text' }) }))).message).toBe(
      'The only file given cannot be used: a.txt is not an image: it starts like text.',
    );
  });

  it('keep context images with their image', async () => {
    const image = await jpeg(8, 8);
    const prepared = await prepare({
      uploads: uploadsOf({
        'x/a.jpg': image,
        'x/related_images/a_jpg/2.jpg': image,
        'x/related_images/a_jpg/10.jpg': image,
        'x/related_images/b_jpg/1.jpg': image,
      }),
    });
    expect(prepared.frames).toHaveLength(1);
    expect(prepared.frames[0]?.related_files.map(({ path }) => path)).toEqual([
      'x/related_images/a_jpg/2.jpg',
      'x/related_images/a_jpg/10.jpg',
    ]);
    expect(Object.keys(skippedOf(prepared))).toEqual(['x/related_images/b_jpg/1.jpg']);
  });
});

describe('archives', () => {
  async function entries() {
    return {
      'set/img10.jpg': await jpeg(20, 10),
      'set/img2.png': await quarters(10, 20).png().toBuffer(),
      'labels.txt': 'cat',
      '__MACOSX/set/._img2.png': 'x',
      '.hidden.jpg': await jpeg(8, 8),
    };
  }

  it('of all kinds are unpacked with their folders; other files are deleted', async () => {
    const tar = await tarFile({
      'set/img10.jpg': await jpeg(20, 10),
      'set/img2.png': await quarters(10, 20).png().toBuffer(),
    });
    const zip = await zipOf(await entries());
    for (const [name, content] of Object.entries({
      'a.zip': zip,
      'a.tar': tar,
      'a.tar.gz': gzipSync(tar),
      'a.tgz': gzipSync(tar),
      'no extension': zip,
    })) {
      const directory = temporaryFolder();
      const prepared = await prepare({
        location: { directory },
        uploads: uploadsOf({ [name]: content }),
        sorting_method: 'natural',
      });
      expect(namesOf(prepared), name).toEqual(['set/img2.png', 'set/img10.jpg']);
      expect(everyFileBelow(directory).sort(), name).toEqual(['img10.jpg', 'img2.png']);
    }
  });

  it('several at once each get a folder, and are used beside single images', async () => {
    const one = await zipOf({ 'a.jpg': await jpeg(8, 8) });
    const uploads = uploadsOf({ 'one.zip': one, 'two.zip': one, 'a.jpg': await jpeg(9, 9) });
    const prepared = await prepare({ uploads });
    expect(namesOf(prepared)).toEqual(['a.jpg', 'one/a.jpg', 'two/a.jpg']);
  });

  it('that are truncated, dangerous or nested are refused with a sentence, beside valid ones', async () => {
    const zip = await zipOf(await entries());
    const evil = await zipOf({ 'aaa/evil.jpg': await jpeg(8, 8) });
    for (let at = evil.indexOf('aaa/evil'); at >= 0; at = evil.indexOf('aaa/evil')) evil.write('../../ev', at);
    const nested = await zipOf({ 'inner.zip': zip, 'b.jpg': await jpeg(8, 8) });
    const target = temporaryFolder();
    const prepared = await prepare({
      location: { directory: join(target, 'data', '7') },
      uploads: uploadsOf({
        'cut.zip': zip.subarray(0, zip.length / 2),
        'evil.zip': evil,
        'nested.zip': nested,
        'fake.zip': 'no archive',
        'good.jpg': await jpeg(8, 8),
      }),
    });
    expect(namesOf(prepared)).toEqual(['good.jpg', 'nested/b.jpg']);
    expect(Object.keys(skippedOf(prepared)).sort()).toEqual(['cut.zip', 'evil.zip', 'fake.zip', 'nested/inner.zip']);
    expect(skippedOf(prepared)['nested/inner.zip']).toContain('archive inside an archive');
    expect(everyFileBelow(target).sort()).toEqual(['b.jpg', 'good.jpg']);
    const alone = await failureOf(prepare({ uploads: uploadsOf({ 'cut.zip': zip.subarray(0, zip.length / 2) }) }));
    expect(alone).toMatchObject({ code: 'invalid', message: expect.stringContaining('cut.zip') });
  });

  it('lose only the damaged entry', async () => {
    const zip = await zipOf({ 'a.jpg': await jpeg(40, 40), 'b.jpg': await jpeg(41, 40) });
    const inside = zip.indexOf(Buffer.from('b.jpg')) + 60;
    zip[inside] = (zip[inside] ?? 0) ^ 0xff;
    const prepared = await prepare({ uploads: uploadsOf({ 'a.zip': zip }) });
    expect(namesOf(prepared)).toEqual(['a.jpg']);
    expect(skippedOf(prepared)).toEqual({ 'b.jpg': expect.stringContaining('damaged') });
  });
});

describe('files of this machine', () => {
  async function folderOfImages() {
    const image = await jpeg(30, 20);
    return writeFiles(temporaryFolder(), {
      '2.jpg': image,
      '10.jpg': image,
      'deep/er/3.png': await quarters(8, 8).png().toBuffer(),
      'readme.md': '# hi',
      '.git/x.jpg': image,
      'Thumbs.db': 'x',
    });
  }

  it('are used where they are, without a copy', async () => {
    const folder = await folderOfImages();
    const directory = temporaryFolder();
    const prepared = await prepare({ location: { directory }, local: { paths: [folder] }, sorting_method: 'natural' });
    expect(prepared.frames.map(({ path, file }) => [path, file])).toEqual([
      ['2.jpg', join(folder, '2.jpg')],
      ['10.jpg', join(folder, '10.jpg')],
      ['deep/er/3.png', join(folder, 'deep/er/3.png')],
    ]);
    expect(prepared.inPlace).toBe(true);
    expect(Object.keys(skippedOf(prepared))).toEqual(['readme.md']);
    expect(everyFileBelow(directory)).toEqual([]);
    const store = createFrameStore({ location: { directory, inPlace: prepared.inPlace } });
    for (const frame of prepared.frames) expect(await quarterColors(await store.thumbnail(frame))).toBe('RGBW');
  });

  it('are copied on request, and stay in place', async () => {
    const folder = await folderOfImages();
    const directory = temporaryFolder();
    const prepared = await prepare({ location: { directory }, local: { paths: [folder] }, copy: true });
    expect(prepared.inPlace).toBe(false);
    expect(prepared.frames.map(({ file }) => file)).toEqual(['10.jpg', '2.jpg', 'deep/er/3.png']);
    expect(readFileSync(join(directory, 'raw', '2.jpg'))).toEqual(readFileSync(join(folder, '2.jpg')));
  });

  it('may be several files and folders, each once, with missing ones listed', async () => {
    const folder = await folderOfImages();
    const paths = [join(folder, 'deep'), join(folder, '2.jpg'), folder, join(folder, 'gone.jpg')];
    const prepared = await prepare({ local: { paths }, sorting_method: 'predefined' });
    const name = folder.slice(folder.lastIndexOf('/') + 1);
    expect(namesOf(prepared)).toEqual(['deep/er/3.png', '2.jpg', `${name}/10.jpg`]);
    expect(skippedOf(prepared)[join(folder, 'gone.jpg')]).toContain('does not exist');
  });

  it('must be inside a shared folder, and have names relative to it', async () => {
    const outside = writeFiles(temporaryFolder(), {
      'secret.jpg': await jpeg(8, 8),
      'more/secret.jpg': await jpeg(8, 8),
    });
    const root = await folderOfImages();
    symlinkSync(join(outside, 'secret.jpg'), join(root, 'link.jpg'));
    symlinkSync(join(outside, 'more'), join(root, 'linked'));
    symlinkSync(root, join(root, 'deep', 'loop'));
    symlinkSync(join(root, '2.jpg'), join(root, 'inside.jpg'));
    const prepared = await prepare({ local: { root, paths: ['/'], exclude: ['10.jpg'] } });
    expect(namesOf(prepared)).toEqual(['2.jpg', 'deep/er/3.png']);
    expect(Object.keys(skippedOf(prepared)).sort()).toEqual(['inside.jpg', 'link.jpg', 'linked', 'readme.md']);
    const part = await prepare({
      local: { root, paths: ['deep', '/2.jpg', '../x', join(outside, 'secret.jpg'), 'link.jpg'] },
    });
    expect(namesOf(part)).toEqual(['2.jpg', 'deep/er/3.png']);
    expect(Object.keys(skippedOf(part))).toHaveLength(3);
  });

  it('may be archives, which are unpacked into the task', async () => {
    const folder = temporaryFolder();
    const path = await zipFile(join(folder, 'set.zip'), { 'a.jpg': await jpeg(8, 8) });
    const directory = temporaryFolder();
    const prepared = await prepare({ location: { directory }, local: { paths: [path] } });
    expect(prepared).toMatchObject({ inPlace: false, frames: [{ path: 'a.jpg', file: 'a.jpg' }] });
    expect(existsSync(path)).toBe(true);
  });
});

describe('order and choice of frames', () => {
  async function twelve() {
    const image = await jpeg(8, 8);
    return uploadsOf(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${index}.jpg`, image])));
  }

  it('follow start, stop and step after sorting', async () => {
    const uploads = await twelve();
    const prepared = await prepare({
      uploads,
      sorting_method: 'natural',
      start_frame: 2,
      stop_frame: 9,
      frame_filter: 'step=3',
    });
    expect(namesOf(prepared)).toEqual(['2.jpg', '5.jpg', '8.jpg']);
    expect(prepared).toMatchObject({ start_frame: 2, stop_frame: 8, frame_step: 3 });
    expect(await prepare({ uploads, stop_frame: 99 })).toMatchObject({ start_frame: 0, stop_frame: 11, frame_step: 1 });
  });

  it('may be given, with the others after them in natural order', async () => {
    const uploads = await twelve();
    const prepared = await prepare({
      uploads,
      sorting_method: 'predefined',
      upload_file_order: ['11.jpg', '/home/user/3.jpg', 'x.jpg'],
      stop_frame: 3,
    });
    expect(namesOf(prepared)).toEqual(['11.jpg', '3.jpg', '0.jpg', '1.jpg']);
    expect(skippedOf(prepared)).toEqual({ 'x.jpg': expect.stringContaining('is in the given order') });
  });

  it('are shuffled by seed', async () => {
    const uploads = await twelve();
    const orders = await Promise.all(
      [1, 1, 2].map(async (random_seed) => namesOf(await prepare({ uploads, sorting_method: 'random', random_seed }))),
    );
    expect(orders[0]).toEqual(orders[1]);
    expect(orders[0]).not.toEqual(orders[2]);
  });

  it('are refused with a sentence if they are invalid', async () => {
    const uploads = await twelve();
    expect(await failureOf(prepare({ uploads, frame_filter: 'every 5' }))).toMatchObject({
      code: 'invalid',
      details: { frame_filter: [expect.stringContaining('step=N')] },
    });
    expect((await failureOf(prepare({ uploads, start_frame: 12 }))).message).toBe(
      'The first frame is 12, but the media have frames 0 to 11.',
    );
    expect((await failureOf(prepare({ uploads, start_frame: 5, stop_frame: 4 }))).message).toContain(
      'is before the first',
    );
  });
});

describe('a failing preparation', () => {
  async function archive() {
    return uploadsOf({ 'a.zip': await zipOf({ 'a.jpg': await jpeg(8, 8), 'b.jpg': await jpeg(8, 8) }) });
  }

  it('reports a full disk with its own code, leaves nothing behind, and keeps the uploads', async () => {
    const directory = temporaryFolder();
    const uploads = await archive();
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const run: PrepareRun = {
      openSource: async (file) => ({
        ...(await openSource(file)),
        read: async () => {
          throw full;
        },
      }),
    };
    const error = await failureOf(prepare({ location: { directory }, uploads }, run));
    expect(error).toMatchObject({
      code: 'storage-full',
      message: expect.stringContaining('The uploaded files are kept'),
    });
    expect(readdirSync(directory)).toEqual([]);
    expect(uploads.every(({ file }) => existsSync(file))).toBe(true);
  });

  it('refuses an archive that is larger than the free space before anything is written', async () => {
    const directory = temporaryFolder();
    const run: PrepareRun = {
      openSource: async (file) => {
        const source = await openSource(file);
        return { ...source, entries: source.entries.map((entry) => ({ ...entry, sizeBytes: 2 ** 60 })) };
      },
    };
    const error = await failureOf(prepare({ location: { directory }, uploads: await archive() }, run));
    expect(error).toMatchObject({
      code: 'storage-full',
      message: expect.stringMatching(/a\.zip needs [\d,]+ MB and the disk has [\d,]+ MB free/),
    });
    expect(readdirSync(directory)).toEqual([]);
  });

  it('stops when cancelled, by the signal or by the progress callback', async () => {
    const directory = temporaryFolder();
    const uploads = await archive();
    const controller = new AbortController();
    const bySignal = prepare(
      { location: { directory }, uploads },
      { signal: controller.signal, progress: () => controller.abort() },
    );
    expect(await failureOf(bySignal)).toMatchObject({ code: 'cancelled' });
    const stop = (): void => {
      throw new AppError('cancelled', 'Stop.');
    };
    expect((await failureOf(prepare({ location: { directory }, uploads }, { progress: stop }))).message).toBe('Stop.');
    expect(readdirSync(directory)).toEqual([]);
    expect(uploads.every(({ file }) => existsSync(file))).toBe(true);
  });

  it('reports increasing progress that ends at 1', async () => {
    const fractions: number[] = [];
    await prepare({ uploads: await archive() }, { progress: (fraction) => fractions.push(fraction) });
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
  });

  it('says that a video needs ffmpeg if it is missing, and that one task contains one video', async () => {
    const video = Buffer.from('\0\0\0\u0018ftypisom\0\0\0\0isommp42', 'latin1');
    expect(await failureOf(prepare({ uploads: uploadsOf({ 'a.mp4': video }) }))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('ffmpeg'),
    });
    expect((await failureOf(prepare({ uploads: uploadsOf({ 'a.mp4': video, 'b.mp4': video }) }))).message).toContain(
      'A task can have one video, and 2 were given',
    );
    const mixed = await prepare({ uploads: uploadsOf({ 'a.mp4': video, 'b.jpg': await jpeg(8, 8) }) });
    expect(skippedOf(mixed)).toEqual({ 'a.mp4': expect.stringContaining('video among images') });
  });
});
