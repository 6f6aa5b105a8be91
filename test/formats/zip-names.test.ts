import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { craftZip, type CraftedEntry } from '../support/craft-zip.ts';
import { entriesOf, fileOf, importerOf, runImport } from './support/format-fixtures.ts';

/** Names in the encoding of a program that does not declare it: no UTF-8 flag and no extra field. */
const entry = (name: Uint8Array, content: string): CraftedEntry => ({ name, content, flags: 0 });
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');

/** 图片/汽车.txt in GBK, and Käse.txt in the code page 437 of MS-DOS and in Windows-1252. */
const chinese = Buffer.concat([hex('cdbc c6ac'), ascii('/'), hex('c6fb b3b5'), ascii('.txt')]);
const german437 = Buffer.concat([ascii('K'), hex('84'), ascii('se.txt')]);
const german1252 = Buffer.concat([ascii('K'), hex('e4'), ascii('se.txt')]);
/** データ/写真.txt in Shift_JIS: the second byte of ソ is a backslash in ASCII. */
const japanese = Buffer.concat([hex('8366 815b 835e'), ascii('/'), hex('835c'), ascii('.txt')]);

const classes = 'cat\n';
const row = '0 0.2 0.25 0.2 0.25\n';
const frames = ['图片/汽车.png', 'Käse.png', 'データ/ソ.png'].map((name) => ({ name, width: 100, height: 80 }));
const task = { frames, labels: [{ name: 'cat', color: '#102030' }] };

async function imported(name: Uint8Array, options: Readonly<Record<string, unknown>> = {}) {
  const bytes = craftZip({ entries: [entry(ascii('classes.txt'), classes), entry(name, row)] });
  const path = fileOf('set.zip', bytes);
  const { task: read, summary } = await runImport(importerOf('Ultralytics YOLO Detection 1.0'), path, task, {
    options,
  });
  return { images: read.shapes.map(({ frame }) => frames[frame]?.name), warnings: summary.warnings };
}

describe('names in a zip archive without a stated encoding', () => {
  it.each([
    ['GBK', chinese, '图片/汽车.png', 'gbk'],
    ['the code page of MS-DOS', german437, 'Käse.png', 'cp437'],
  ])('are read as %s, and a warning says so with an example', async (_encoding, name, image, encoding) => {
    const { images, warnings } = await imported(name);
    expect(images).toEqual([image]);
    expect(warnings).toEqual([expect.stringMatching(`^File names in set.zip .* read as ${encoding}, .*--encoding`)]);
    expect(warnings[0]).toContain(image.replace('.png', '.txt'));
  });

  it.each([
    ['shift_jis', japanese, 'データ/ソ.png'],
    ['windows-1252', german1252, 'Käse.png'],
    ['gbk', chinese, '图片/汽车.png'],
  ])('are read in the stated encoding: %s', async (encoding, name, image) => {
    expect(await imported(name, { encoding })).toEqual({ images: [image], warnings: [] });
  });

  it('are UTF-8 if their bytes are valid, like those of macOS, in any encoding of its texts', async () => {
    const name = Buffer.from('Käse.txt');
    expect(await imported(name)).toEqual({ images: ['Käse.png'], warnings: [] });
    expect(await imported(name, { encoding: 'windows-1252' })).toEqual({ images: ['Käse.png'], warnings: [] });
  });

  it('use the name of their Unicode field', async () => {
    const stated = Buffer.from('Köse.txt');
    const field = Buffer.alloc(9);
    field.writeUInt16LE(0x7075, 0);
    field.writeUInt16LE(5 + stated.length, 2);
    field.writeUInt8(1, 4);
    field.writeUInt32LE(crc32(german437), 5);
    const centralExtra = Buffer.concat([field, stated]);
    const bytes = craftZip({ entries: [{ ...entry(german437, row), centralExtra }] });
    expect([...(await entriesOf(fileOf('set.zip', bytes))).keys()]).toEqual(['Köse.txt']);
  });
});

describe('a zip archive whose members are not compressed by Deflate', () => {
  it.each([
    [9, 'Deflate64'],
    [12, 'bzip2'],
    [14, 'LZMA'],
    [93, 'Zstandard'],
    [95, 'xz'],
    [98, 'PPMd'],
    [77, 'method 77'],
  ])('is refused by its name: method %i is %s', async (method, name) => {
    const bytes = craftZip({ entries: [{ name: 'classes.txt', content: classes, method }] });
    await expect(entriesOf(fileOf('set.zip', bytes))).rejects.toThrow(
      `"classes.txt" in it is compressed with ${name}, and only Deflate is read; unpack the archive`,
    );
  });
});
