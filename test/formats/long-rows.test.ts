import { describe, expect, it } from 'vitest';
import { folderOf, importerOf, runImport } from './support/format-fixtures.ts';
import { scene } from './support/scenes.ts';

/** A file of rows for each format, with the files that make it valid. */
const files: Readonly<Record<string, readonly [path: string, head: string]>> = {
  'MOT 1.1': ['gt/gt.txt', ''],
  'ICDAR Recognition 1.0': ['a/gt.txt', ''],
  'ICDAR Localization 1.0': ['a/gt_one.txt', ''],
  'ICDAR Segmentation 1.0': ['a/one_GT.txt', ''],
  'LFW 1.0': ['a/annotations/pairs.txt', ''],
  'Market-1501 1.0': ['images_a.txt', ''],
  'WiderFace 1.0': ['wider_face_split/wider_face_a_bbx_gt.txt', 'x/one.jpg\n9\n'],
};

const pieces = [' ', '1', '1 ', ', "', '"', ',', '#', '\t', 'query/', '\\', 'a.jpg,', '1,'];

describe('rows of absurd length', () => {
  it.each(Object.entries(files))('are reported as invalid rows of %s', async (name, [path, head]) => {
    const importer = importerOf(name);
    const rows = pieces.flatMap((piece) => [`${piece.repeat(20_000)}x`, `1 2 3 4 5${piece.repeat(20_000)}`]);
    const { task, summary } = await runImport(importer, folderOf({ [path]: head + rows.join('\n') }), scene);
    expect([...task.shapes, ...task.tags, ...task.tracks]).toEqual([]);
    expect(summary.invalid.every(({ file }) => file === path)).toBe(true);
    const long = await runImport(importer, folderOf({ [path]: `${head}${'z'.repeat(70_000)}\n` }), scene);
    expect(long.summary.invalid[0]).toMatchObject({ file: path, reason: 'the line has more than 65536 characters' });
  });
});
