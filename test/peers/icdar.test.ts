import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { icdarLocalization, icdarRecognition, icdarSegmentation } from '../../main/formats/icdar/index.ts';
import type { RegisteredImporter } from '../../main/formats/kit/plugin.ts';
import { fileOf, runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';
import { attributeOf, inOrder } from '../formats/support/scenes.ts';

const attributes = ['text', 'index', 'color', 'center'].map((name) => attributeOf(name));

const small = { width: 5, height: 2 };
const large = { width: 15, height: 10 };

function read(importer: RegisteredImporter, path: string, size: typeof small, ...names: string[]) {
  const frames = names.map((name) => ({ name, ...size, subset: 'train' }));
  const options = { labels: [{ name: 'icdar', attributes }], frames };
  return runImport(importer, path, options, { options: { conv_mask_to_poly: false } });
}

const textOf = (value: string) => ({ name: 'text', value });

const fixtures = join(sharedFixtures, 'icdar/cvat-datumaro');
describe('ICDAR of other tools', () => {
  it('word_recognition', async () => {
    const { task, summary } = await read(
      icdarRecognition.importer,
      join(fixtures, 'word_recognition'),
      large,
      'word_1.png',
      'word_2.png',
    );
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
    expect(task.tags.map(({ frame, attributes }) => [frame, attributes])).toEqual([
      [0, [textOf('PROPER')]],
      [1, [textOf('Canon')]],
    ]);
  });

  it('text_localization', async () => {
    const { task, summary } = await read(
      icdarLocalization.importer,
      join(fixtures, 'text_localization'),
      large,
      'img_1.png',
      'img_2.png',
    );
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
    expect(
      inOrder(task.shapes).map(({ frame, type, points, attributes }) => [frame, type, points, attributes[0]?.value]),
    ).toEqual([
      [0, 'polygon', [0, 0, 3, 1, 4, 6, 1, 7], 'FOOD'],
      [1, 'rectangle', [0, 0, 2, 3], 'RED'],
      [1, 'rectangle', [3, 3, 5, 6], 'LION'],
    ]);
  });

  it('text_segmentation', async () => {
    const { task, summary } = await read(
      icdarSegmentation.importer,
      join(fixtures, 'text_segmentation'),
      small,
      '1.png',
    );
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
    expect(task.shapes.map(({ group, attributes }) => [group, attributes.map(({ value }) => value)])).toEqual([
      [0, ['0', '108 225 132', 'F', '0 1']],
      [1, ['1', '82 174 214', 'T', '1 3']],
      [1, ['2', '241 73 144', 'h', '1 4']],
    ]);
  });

  it('a single file is none of them', async () => {
    for (const importer of [icdarRecognition.importer, icdarLocalization.importer, icdarSegmentation.importer])
      await expect(read(importer, fileOf('a.bin', 'x'), small)).rejects.toThrow('is not a dataset of ICDAR');
  });
});
