import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { detectFormat } from '../../main/formats/registry.ts';
import { withSource } from '../../main/formats/io/open-source.ts';
import { entriesOf, importerOf, runImport } from '../formats/support/format-fixtures.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { preparePython } from './python.ts';

const format = 'Hugging Face ImageFolder 1.0';
const folder = sharedFolder();
const python = await preparePython('requirements-parquet.txt');
beforeAll(() => python('write_parquet.py', [folder]));

const frame = (name: string, subset: string) => ({ name, width: 64, height: 48, subset });

async function readSnapshot(name: string, names: readonly string[], subset: string, options = {}) {
  const frames = names.map((one) => frame(one, subset));
  const labels = ['car', 'person', 'cat', 'dog'].map((label) => ({ name: label }));
  const { task, summary } = await runImport(importerOf(format), join(folder, name), { frames, labels }, { options });
  const found = task.shapes.map(({ frame: at, label, points }) => `${names[at]} ${label} ${points.join(' ')}`);
  return { found, tags: task.tags.map(({ frame: at, label }) => `${names[at]} ${label}`), summary };
}

describe('a Parquet file of datasets', () => {
  it('is recognized as a dataset of Hugging Face', async () => {
    const [first] = await detectFormat({ path: join(folder, 'detection'), name: 'detection' });
    expect(first).toMatchObject({
      name: format,
      reason: 'data/test-00000-of-00001.parquet has an image in each row.',
    });
  });

  it('has the boxes of every row group and file, with the names of their classes', async () => {
    const names = Array.from({ length: 7 }, (_, number) => `street_${number}.${number % 2 ? 'jpg' : 'png'}`);
    const { found, summary } = await readSnapshot('detection', names, 'train');
    expect(found).toEqual(
      [1, 2, 4, 5].flatMap((number) => [
        `${names[number]} ${number % 2 ? 'person' : 'car'} ${number + 1.5} 2.25 ${number + 11.6} 14.25`,
        `${names[number]} person 20 10 40 30`,
      ]),
    );
    // The two images of the other split are not in this task.
    expect(summary).toMatchObject({ invalidCount: 2, dropped: [] });
    expect(summary.warnings).toContain('These columns of data/train-00000-of-00002.parquet were left out: weather.');
  });

  it('has images that are equal to the stored ones, in the folder of their split', async () => {
    const entries = await entriesOf(join(folder, 'detection'));
    const images = [...entries.keys()].filter((path) => /\.(?:png|jpg)$/.test(path));
    expect(images).toHaveLength(9);
    for (const path of images) {
      const start = path.endsWith('.png') ? '89504e47' : 'ffd8ffe0';
      expect(entries.get(path)?.toString('hex', 0, 4), path).toBe(start);
    }
    expect(images.filter((path) => path.startsWith('test/'))).toEqual(['test/street_7.jpg', 'test/street_8.png']);
  });

  it('names images without a name by their number, and reads objects that are records', async () => {
    const { found, summary } = await readSnapshot('records', ['000000.png', '000001.jpg', '000002.png'], 'train');
    expect(found).toEqual([
      '000001.jpg car 2.5 2.25 12.6 14.25',
      '000001.jpg car 20 10 40 30',
      '000002.png car 3.5 2.25 13.6 14.25',
      '000002.png car 20 10 40 30',
    ]);
    expect(summary.invalidCount).toBe(0);
  });

  it('can state boxes by their corners', async () => {
    const { found, summary } = await readSnapshot('records', ['000000.png', '000001.jpg', '000002.png'], 'train', {
      box: 'xyxy',
    });
    expect(found).toEqual([
      '000001.jpg car 2.5 2.25 10.1 12',
      '000001.jpg car 20 10 20 20',
      '000002.png car 3.5 2.25 10.1 12',
      '000002.png car 20 10 20 20',
    ]);
    expect(summary.invalidCount).toBe(0);
  });

  it('gives images of the same name their row number, and leaves images without a label alone', async () => {
    const names = ['image.png', '000001_image.png', '000002_image.png'];
    const { tags, summary } = await readSnapshot('classification', names, 'validation');
    expect(tags).toEqual(['image.png cat', '000001_image.png dog']);
    expect(summary.invalidCount).toBe(0);
  });
});

describe('a Parquet file of pyarrow', () => {
  const files = ['snappy', 'gzip', 'zstd', 'brotli', 'none'].flatMap((name) => [name, `${name}2`]);

  it.each(files)('is read alone when it is %s', async (name) => {
    const path = join(folder, 'pyarrow', 'data', `${name}.parquet`);
    const entries = await entriesOf(path);
    const lines = `${entries.get(`${name}/metadata.jsonl`)?.toString()}`.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      [0, 1, 0, 1].map((label, number) => ({ file_name: `${number}.png`, label })),
    );
    expect(entries.get(`${name}/3.png`)?.toString('latin1', 1, 4)).toBe('PNG');
  });

  it('takes classes and splits from the dataset card', async () => {
    const path = join(folder, 'pyarrow');
    await withSource({ path, name: 'pyarrow' }, async ({ classes, entries }) => {
      expect(classes).toEqual(['cat', 'dog']);
      const night = entries.filter((entry) => entry.path.startsWith('night/')).map((entry) => entry.path);
      expect(night).toHaveLength(9);
    });
    const { tags } = await readSnapshot('pyarrow', ['0.png', '1.png', '2.png', '3.png'], 'day');
    expect(new Set(tags)).toEqual(new Set(['0.png cat', '1.png dog', '2.png cat', '3.png dog']));
  });

  it.each([
    ['lz4', 'Cannot read lz4.parquet: it is compressed as LZ4_RAW.'],
    ['delta', 'Cannot read delta.parquet: it uses the encoding DELTA_BYTE_ARRAY.'],
  ])('is refused with a sentence when it is %s', async (name, sentence) => {
    await expect(entriesOf(join(folder, 'refused', `${name}.parquet`))).rejects.toThrow(sentence);
  });

  it('without images is left out with a sentence', async () => {
    await withSource({ path: join(folder, 'refused', 'text.parquet'), name: 'text.parquet' }, async (source) => {
      expect(source.warnings).toEqual(['text.parquet was left out: it has no column with images.']);
      expect(source.entries.map(({ path }) => path)).toEqual(['text.parquet']);
    });
  });
});
