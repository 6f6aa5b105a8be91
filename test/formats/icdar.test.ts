import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { icdarLocalization, icdarRecognition, icdarSegmentation } from '../../main/formats/icdar/index.ts';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { withSource } from '../../main/formats/io/open-source.ts';
import { encodeBmp } from '../../main/formats/kit/mask-files/bmp-writer.ts';
import { encodePng } from '../../main/formats/kit/mask-files/png-writer.ts';
import { decodeMaskImage } from '../../main/formats/kit/mask-files/read-image.ts';
import type { RegisteredExporter, RegisteredImporter } from '../../main/formats/kit/plugin.ts';
import type { LabeledShape, Tag } from '../../main/formats/kit/task-data.ts';
import { exportTo, type Files, folderOf, runExport, runImport, shapeOf, zipOf } from './support/format-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { attributeOf, inOrder, outlines, scene, sceneFrames } from './support/scenes.ts';

const labels = [
  {
    name: 'icdar',
    attributes: ['text', 'index', 'color', 'center'].map((name) => attributeOf(name, 'text')),
  },
];
const texts: InMemoryTaskDataOptions = { ...scene, labels };

const write = (exporter: RegisteredExporter, options: InMemoryTaskDataOptions, save_images = false) =>
  runExport(exporter, options, save_images);
const read = (importer: RegisteredImporter, path: string, options = texts, more: Record<string, unknown> = {}) =>
  runImport(importer, path, options, { options: { conv_mask_to_poly: false, ...more } });

/** Any text on one line, with quotes, commas, and spaces at its ends. */
const oneLine = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('', ' ', '"', 'a, "b"', ' x ', '", "', '1,2', '#'),
  )
  .map((text) => text.replaceAll(/[\r\n]/g, ''));
const frameNumber = fc.nat(sceneFrames.length - 1);
const textOf = (value: string) => ({ name: 'text', value });

describe('ICDAR Recognition', () => {
  const exporter = icdarRecognition.exporter;
  const importer = icdarRecognition.importer;

  it('preserves texts', async () => {
    const tag = fc
      .record({ frame: frameNumber, text: oneLine })
      .map(({ frame, text }): Tag => ({ frame, label: 'icdar', attributes: [textOf(text)], group: 0, source: 'file' }));
    await fc.assert(
      fc.asyncProperty(fc.array(tag, { maxLength: 6 }).map(inOrder), async (tags) => {
        const { path, summary } = await write(exporter, { ...texts, tags });
        expect(summary).toMatchObject({ dropped: [], warnings: [] });
        const { task, summary: reading } = await read(importer, path);
        expect(reading).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
        expect(task.tags).toEqual(tags);
      }),
      { numRuns: 40 },
    );
  });

  it('reports dropped data', async () => {
    const tag = { frame: 0, label: 'car', attributes: [textOf('a\nb'), { name: 'flag', value: 'true' }], group: 4 };
    const odd = { ...tag, frame: 1, label: 'icdar', attributes: [textOf('x')], group: 0 };
    const frames = [{ name: 'one.jpg' }, { name: 'a, "b.jpg' }];
    const { summary, entries } = await write(exporter, { ...scene, frames, tags: [tag, odd] });
    expect(entries.get('default/gt.txt')).toBe('one.jpg, "a b"\n');
    expect(summary.dropped.map(({ type, label, rule }) => `${type} ${label}: ${rule}`)).toEqual([
      'tag car: ICDAR Recognition has one line per text: line ends became spaces.',
      'attribute car: ICDAR Recognition has no field for the attribute "flag".',
      'tag car: ICDAR Recognition has no groups.',
      'tag car: ICDAR Recognition has no labels: on import, objects get the label "icdar".',
      'tag icdar: ICDAR Recognition cannot store an image of this name.',
    ]);
  });

  it('reads files of other programs', async () => {
    const files = {
      'top/train/gt.txt':
        '\uFEFFone.jpg, "A, B"\r\n000004.jpg,"x"\r\ndeep/er/3.jpeg, plain words\r\na b/Ünïcode 写.png, \r\n',
    };
    const { task, summary } = await read(importer, await zipOf(files));
    expect(summary.invalidCount).toBe(0);
    expect(inOrder(task.tags).map(({ frame, attributes }) => [frame, attributes[0]?.value])).toEqual([
      [0, 'A, B'],
      [2, 'plain words'],
      [3, 'x'],
    ]);
    const bad = await read(importer, folderOf({ 'a/gt.txt': 'one.jpg "x"\nnobody.jpg, "x"\n,\n\u0000\n' }));
    expect(bad.summary.invalid.map(({ at }) => at)).toEqual(['line 1', 'line 2', 'line 3', 'line 4']);
    const single = await read(importer, folderOf({ 'a/gt.txt': 'one.jpg, "x"' }), {
      ...scene,
      labels: [{ name: 'word' }],
    });
    expect(single.task.tags).toMatchObject([{ label: 'word' }]);
    expect(single.summary.dropped).toMatchObject([{ rule: 'The label has no attribute "text".' }]);
  });
});

describe('ICDAR Localization', () => {
  const exporter = icdarLocalization.exporter;
  const importer = icdarLocalization.importer;

  it('writes the texts of models that read text, whose attribute is named transcription', async () => {
    const points = [10, 10, 40, 12, 40, 22, 10, 20];
    const attributes = [{ name: 'transcription', value: 'Total, 12.50' }];
    const shapes = [shapeOf({ type: 'polygon', frame: 0, label: 'icdar', points, attributes })];
    const label = { name: 'icdar', attributes: [attributeOf('transcription', 'text')] };
    const { path, summary } = await write(exporter, { ...scene, labels: [label], shapes });
    expect(summary.dropped).toEqual([]);
    const { task } = await read(importer, path);
    expect(task.shapes.map((one) => one.attributes)).toEqual([[textOf('Total, 12.50')]]);
  });

  it('preserves boxes and polygons with their texts', async () => {
    const shape = fc
      .record({
        outline: fc.oneof(outlines.rectangle, outlines.polygon),
        frame: frameNumber,
        text: fc.option(oneLine, { nil: undefined }),
      })
      .map(({ outline, frame, text }) =>
        shapeOf({
          ...outline,
          frame,
          label: 'icdar',
          attributes: text === undefined ? [] : [textOf(text)],
          source: 'file',
        }),
      );
    await fc.assert(
      fc.asyncProperty(fc.array(shape, { maxLength: 8 }).map(inOrder), async (shapes) => {
        const { path, summary } = await write(exporter, { ...texts, shapes });
        expect(summary).toMatchObject({ dropped: [] });
        const { task, summary: reading } = await read(importer, path);
        expect(reading).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
        expect(task.shapes).toEqual(shapes);
      }),
      { numRuns: 40 },
    );
  });

  it('exports or reports every object', async () => {
    const box = shapeOf({
      type: 'rectangle',
      label: 'icdar',
      points: [1, 1, 2, 2],
      rotation: 5,
      occluded: true,
      z_order: 1,
    });
    const { summary } = await write(exporter, { ...texts, shapes: [box] });
    expect(summary.dropped.map(({ rule }) => rule)).toEqual([
      'ICDAR Localization has no "occluded" flag.',
      'ICDAR Localization has no drawing order.',
      'ICDAR Localization has no rotation.',
    ]);
  });

  it('reads files of other programs', async () => {
    const lines = [
      '158 128 411 181 "Footpath"',
      '38, 43, 920, 215, "Tiredness, no"',
      '377,117,463,117,465,130,378,130,Genaxis Theatre',
      '377,117,463,117,465,130,378,130,###',
      '377,117,463,117,465,130,378,130,21',
      '1 2 3 4 007',
      '0,0,3,1,4,6,1,7',
    ];
    const path = await zipOf({
      'top/train/gt_one.txt': `\uFEFF${lines.join('\r\n')}\r\n\r\n`,
      'top/train/images/one.jpg': '',
    });
    const large = { ...texts, frames: [{ name: 'one.jpg', width: 1000, height: 600 }] };
    const { task, summary } = await read(importer, path, large);
    expect(summary.invalidCount).toBe(0);
    expect(task.shapes.map(({ type, points, attributes }) => [type, points.length, attributes[0]?.value])).toEqual([
      ['rectangle', 4, 'Footpath'],
      ['rectangle', 4, 'Tiredness, no'],
      ['polygon', 8, 'Genaxis Theatre'],
      ['polygon', 8, '###'],
      ['polygon', 8, '21'],
      ['rectangle', 4, '007'],
      ['polygon', 8, undefined],
    ]);
  });

  it('reports every loss', async () => {
    const lines = ['1 2 x 4', '1,2', '5 5 1 1 "a"', '1 2 3 1e999', 'nan nan nan nan', '1,2,3,4,5,6,7,8', '"a"'];
    const { task, summary } = await read(
      importer,
      folderOf({
        'a/gt_one.txt': lines.join('\n'),
        'a/gt_nobody.txt': '1 2 3 4\n',
        'a/gt_.txt': '',
        'b/gt_empty.txt': '\n',
      }),
    );
    expect(task.shapes.map(({ points }) => points)).toEqual([
      [1, 1, 5, 5],
      [1, 2, 3, 4, 5, 6, 7, 8],
    ]);
    expect(summary.invalid.map(({ file, at }) => `${file} ${at}`).toSorted()).toEqual([
      'a/gt_nobody.txt line 1',
      'a/gt_one.txt line 1',
      'a/gt_one.txt line 2',
      'a/gt_one.txt line 4',
      'a/gt_one.txt line 5',
      'a/gt_one.txt line 7',
    ]);
  });
});

describe('ICDAR Segmentation', () => {
  const exporter = icdarSegmentation.exporter;
  const importer = icdarSegmentation.importer;

  /** Masks side by side, so that none covers another. */
  const masks: fc.Arbitrary<LabeledShape[]> = fc
    .record({
      frame: frameNumber,
      characters: fc.array(
        fc.record({ text: oneLine, center: fc.constantFrom('', '3 4', '0.5 -1'), isInWord: fc.boolean() }),
        { maxLength: 6 },
      ),
    })
    .map(({ frame, characters }) => {
      const wordSize = characters.filter(({ isInWord }) => isInWord).length;
      const ordered = characters.toSorted((a, b) => Number(b.isInWord) - Number(a.isInWord));
      return ordered.map(({ text, center, isInWord }, index) =>
        shapeOf({
          type: 'mask',
          label: 'icdar',
          frame,
          points: [0, 2, 1, 1, index * 4, 3, index * 4 + 1, 4],
          group: isInWord && wordSize > 1 ? 1 : 0,
          attributes: [
            { name: 'index', value: String(index) },
            { name: 'color', value: `${index * 3} 7 ${255 - index}` },
            ...(text === '' ? [] : [textOf(text)]),
            ...(center === '' ? [] : [{ name: 'center', value: center }]),
          ],
          source: 'file',
        }),
      );
    });

  it('reads its own export of a large image that is nearly black, like programs with a maximum ratio of 200', async () => {
    const frames = [{ name: '0.jpg', width: 2000, height: 1500 }];
    const dot = shapeOf({ type: 'polygon', label: 'icdar', points: [1, 1, 9, 1, 9, 9, 1, 9] });
    const large = { ...texts, frames, shapes: [dot] };
    const path = join(temporaryFolder(), 'large.zip');
    await exportTo(path, icdarSegmentation.exporter, large);
    expect((await read(icdarSegmentation.importer, path, large)).summary).toMatchObject({
      invalidCount: 0,
      warnings: [],
    });
    expect((2000 * 1500 * 3 + 54) / statSync(path).size).toBeLessThan(200);
  });

  it('preserves masks, words and characters', async () => {
    await fc.assert(
      fc.asyncProperty(masks, async (shapes) => {
        const { path, summary } = await write(exporter, { ...texts, shapes });
        expect(summary).toMatchObject({ dropped: [], warnings: [] });
        const { task, summary: reading } = await read(importer, path);
        expect(reading).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
        expect(task.shapes).toEqual(shapes);
      }),
      { numRuns: 24 },
    );
  });

  it('writes rows and an image that other programs read', async () => {
    const square = (left: number, more: Partial<LabeledShape> = {}) =>
      shapeOf({ type: 'mask', label: 'icdar', points: [0, 4, left, 1, left + 1, 2], ...more });
    const { entries, path, summary } = await write(exporter, {
      ...texts,
      shapes: [
        square(0, { attributes: [textOf('a'), { name: 'index', value: '2' }], group: 3 }),
        square(10, { attributes: [textOf(' '), { name: 'color', value: '9 8 7' }, { name: 'center', value: '11 2' }] }),
        square(20, {
          attributes: [
            { name: 'color', value: '9 8 7' },
            { name: 'index', value: '0' },
          ],
          group: 3,
        }),
        square(30, { attributes: [{ name: 'center', value: 'middle' }], group: 5 }),
      ],
    });
    expect(entries.get('default/one_GT.txt')).toBe(
      '9 8 7 - - 20 1 21 2 ""\n128 0 0 - - 0 1 1 2 "a"\n\n#0 128 0 11 2 10 1 11 2 " "\n\n128 128 0 - - 30 1 31 2 ""\n',
    );
    expect(entries.get('default/000004_GT.txt')).toBe('');
    expect(entries.has('default/000004_GT.bmp')).toBe(false);
    expect(summary.dropped.map(({ type, rule }) => `${type}: ${rule}`)).toEqual([
      'attribute: The color is missing, or another character of the image has it.',
      'attribute: The index is the position among the rows, so it was renumbered.',
      'mask: ICDAR Segmentation has words of several characters: a group of one is not a word.',
      'attribute: ICDAR Segmentation has a center of two numbers.',
    ]);
    const colors = await withSource({ path, name: 'a.zip' }, async (source) => {
      const image = await decodeMaskImage(await source.read('default/one_GT.bmp'));
      return [0, 64, 74, 84, 94, 65, 64 * 2 + 1, 64 * 3].map((index) => image.valueAt(index).toString(16));
    });
    expect(colors).toEqual(['ffffff', '800000', '8000', '90807', '808000', '800000', '800000', 'ffffff']);
  });

  const image = encodeBmp(4, 1, (index) => [0xff0000, 0x00ff00, 0xff0000, 0xffffff][index] ?? 0);
  const rows = '255 0 0 - - 0 0 2 0 "A"\n0 255 0 1 1 1 0 1 0 "b"\n';
  it('reads files of other programs', async () => {
    const files: Files = {
      'top/train/one_GT.txt': `\uFEFF${rows.replaceAll('\n', '\r\n')}`,
      'top/train/one_GT.bmp': image,
    };
    const { task, summary } = await read(importer, await zipOf(files));
    expect(summary.invalidCount).toBe(0);
    expect(
      task.shapes.map(({ points, group, attributes }) => [points, group, attributes.map(({ value }) => value)]),
    ).toEqual([
      [[0, 1, 1, 1, 0, 0, 2, 0], 1, ['0', '255 0 0', 'A']],
      [[0, 1, 1, 0, 1, 0], 1, ['1', '0 255 0', 'b', '1 1']],
    ]);
    const polygons = await read(importer, folderOf(files), texts, { conv_mask_to_poly: true });
    expect(new Set(polygons.task.shapes.map(({ type }) => type))).toEqual(new Set(['polygon']));
    const grey = encodePng({ kind: 'grey8', width: 3, height: 1, pixels: Uint8Array.from([255, 7, 255]) });
    const plain = await read(
      importer,
      folderOf({ 'a/one_GT.txt': '# remark\n7 7 7 - - 1 0 1 0 x\n', 'a/one_GT.png': grey }),
    );
    expect(plain.task.shapes).toMatchObject([{ points: [0, 1, 1, 0, 1, 0], group: 0 }]);
  });

  it('reports every loss', async () => {
    const { task, summary } = await read(
      importer,
      folderOf({
        'a/one_GT.txt': `${rows}255 0 0 - - 0 0 0 0 "again"\n255 255 255 - - 0 0 0 0 "white"\n9 9 9 - - 0 0 0 0 "none"\n1 2 3\n999 0 0 - - 0 0 0 0 "x"\n`,
        'a/one_GT.bmp': encodeBmp(2, 1, (index) => (index === 0 ? 0xff0000 : 0x123456)),
        'a/000004_GT.txt': rows,
        'a/nobody_GT.txt': rows,
        'a/deep/er/3_GT.txt': rows,
        'a/deep/er/3_GT.bmp': image.subarray(0, 60),
      }),
    );
    expect(task.shapes.map(({ attributes }) => attributes.find(({ name }) => name === 'text')?.value)).toEqual(['A']);
    expect(summary.invalid.map(({ file, at }) => `${file} ${at}`).toSorted()).toEqual([
      'a/000004_GT.txt line 1',
      'a/deep/er/3_GT.bmp the image',
      'a/nobody_GT.txt line 1',
      'a/one_GT.bmp the colour 18,52,86',
      'a/one_GT.txt line 2',
      'a/one_GT.txt line 3',
      'a/one_GT.txt line 4',
      'a/one_GT.txt line 5',
      'a/one_GT.txt line 6',
      'a/one_GT.txt line 7',
    ]);
  });
});

it('BMP preserves colours of images of any width', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.nat(0xffffff), { minLength: 9, maxLength: 40 }),
      async (width, colors) => {
        const height = Math.floor(colors.length / width);
        const image = await decodeMaskImage(encodeBmp(width, height, (index) => colors[index] ?? 0));
        expect([image.width, image.height]).toEqual([width, height]);
        const read = Array.from({ length: width * height }, (_, index) => image.valueAt(index));
        expect(read).toEqual(colors.slice(0, width * height));
      },
    ),
    { numRuns: 20 },
  );
});
