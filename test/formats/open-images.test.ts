import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRow, readCsv } from '../../main/formats/io/csv-rows.ts';
import { encodePng } from '../../main/formats/kit/mask-files/png-writer.ts';
import { openImages } from '../../main/formats/open-images/index.ts';
import { bothWays, type Files, folderOf, shapeOf, zipOf } from './support/format-fixtures.ts';
import { attributeOf, inOrder, scene, sceneShapes, sceneTags } from './support/scenes.ts';

const { write, read, thereAndBack } = bothWays(openImages, scene, { conv_mask_to_poly: false });

async function rowsOf(text: string, sizes: readonly number[] = []): Promise<[readonly string[], number][]> {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  chunks.push(bytes.subarray(at));
  const rows: [readonly string[], number][] = [];
  await readCsv(
    (async function* () {
      yield* chunks;
    })(),
    (fields, line) => void rows.push([[...fields], line]),
  );
  return rows;
}

describe('CSV', () => {
  it('preserves fields of any kind, wherever the chunks end', async () => {
    const field = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', ' a ', 'a,b', '"', 'a\r\nb', '\n'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 5 }),
        fc.array(fc.nat(5)),
        async (rows, sizes) => {
          const read = await rowsOf(rows.map((row) => csvRow(row)).join(''), sizes);
          expect(read.map(([fields]) => fields)).toEqual(
            rows.map((row) => row.map((text) => Buffer.from(text).toString())),
          );
        },
      ),
      { numRuns: 80 },
    );
  });

  it('reads files of other programs', async () => {
    expect(await rowsOf('\uFEFFa,"b ""c"" d",\r\n\r\n"x\r\ny",1\rlast "one"')).toEqual([
      [['a', 'b "c" d', ''], 1],
      [['x\r\ny', '1'], 3],
      [['last "one"'], 5],
    ]);
  });

  it('does not read a file without an end as one field', async () => {
    await expect(rowsOf(`"${'x'.repeat(17 * 1024 * 1024)}`)).rejects.toThrow('a quote is missing');
  });
});

describe('Open Images round trip', () => {
  it('preserves boxes, masks and image-level labels', async () => {
    await fc.assert(
      fc.asyncProperty(sceneShapes({ kinds: ['rectangle', 'mask'], details: true }), sceneTags, async (drawn, tags) => {
        const shapes = drawn.map(({ score, ...shape }) => ({
          ...shape,
          attributes: [],
          z_order: 0,
          occluded: shape.occluded && shape.type === 'rectangle',
          ...(shape.type === 'rectangle' && score !== undefined ? { score } : {}),
          source: 'file' as const,
        }));
        const { task } = await thereAndBack({ ...scene, shapes, tags });
        const byType = (list: typeof shapes) =>
          inOrder(list).toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0));
        expect(byType([...task.shapes] as typeof shapes)).toEqual(byType(shapes));
        expect(inOrder(task.tags)).toEqual(inOrder(tags).map((tag) => ({ ...tag, source: 'file' })));
      }),
      { numRuns: 20 },
    );
  });

  it('keeps a mask and its box together, and reports that it cannot for other groups', async () => {
    const box = shapeOf({ type: 'rectangle', label: 'car', points: [1.5, 2.25, 20, 30], group: 4 });
    const mask = shapeOf({ type: 'mask', label: 'car', points: [0, 16, 2, 3, 5, 6], group: 4 });
    const shapes = [
      box,
      mask,
      { ...box, points: [30, 30, 40, 40], group: 7 },
      { ...mask, label: 'tall tree', group: 7 },
    ];
    const { path, summary } = await write({ ...scene, shapes });
    const { task } = await read(path);
    expect(task.shapes.map(({ type, group }) => [type, group])).toEqual([
      ['rectangle', 1],
      ['rectangle', 0],
      ['mask', 1],
      ['mask', 0],
    ]);
    expect(summary.dropped.map(({ type, label, count }) => [type, label, count])).toEqual([
      ['rectangle', 'car', 1],
      ['mask', 'tall tree', 1],
    ]);
  });

  it('keeps the flags of boxes', async () => {
    const names = ['truncated', 'is_group_of', 'is_depiction', 'is_inside'];
    const labels = [{ name: 'car', attributes: [...names, 'other'].map((name) => attributeOf(name, 'checkbox')) }];
    const attributes = [
      ...names.map((name, index) => ({ name, value: String(index % 2 === 0) })),
      { name: 'other', value: 'true' },
    ];
    const shapes = [shapeOf({ type: 'rectangle', label: 'car', points: [1, 2, 3, 4], attributes })];
    const { path, entries, summary } = await write({ ...scene, labels, shapes });
    expect(entries.get('annotations/default-annotations-bbox.csv')).toBe(
      'ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,IsDepiction,IsInside\n' +
        `one,,car,1,${1 / 64},${3 / 64},${2 / 48},${4 / 48},0,1,0,1,0\n`,
    );
    expect(summary.dropped).toMatchObject([{ type: 'attribute', rule: expect.stringContaining('"other"') }]);
    expect((await read(path, { ...scene, labels })).task.shapes[0]?.attributes).toEqual(attributes.slice(0, 4));
  });
});

describe('Open Images datasets', () => {
  it('have the files that other programs need, and no empty ones', async () => {
    const shapes = [shapeOf({ type: 'mask', label: 'tall tree', points: [0, 4, 1, 1, 2, 2], frame: 1 })];
    const { entries } = await write({ ...scene, shapes });
    expect([...entries.keys()]).toEqual([
      'masks/default/a_b_Ünïcode_写_tall_tree_00000000.png',
      'annotations/class-descriptions.csv',
      'annotations/bbox_labels_600_hierarchy.json',
      'annotations/default-images-with-rotation.csv',
      'annotations/images.meta',
      'annotations/default-annotations-object-segmentation.csv',
    ]);
    expect(entries.get('annotations/images.meta')).toBe(
      'one 48 64\n"a b/Ünïcode 写" 48 64\ndeep/er/3 48 64\n000004 48 64\n',
    );
    expect(entries.get('annotations/class-descriptions.csv')).toBe(
      'car,car\ntall tree,tall tree\nHündchen,Hündchen\nbody,body\n',
    );
  });

  const header =
    'ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,IsDepiction,IsInside\n';
  const maskHeader = 'MaskPath,ImageID,LabelName,BoxID,BoxXMin,BoxXMax,BoxYMin,BoxYMax,PredictedIoU,Clicks\n';

  it('are read with or without their folder, by their display names', async () => {
    const files: Files = {
      'oidv6-class-descriptions.csv': 'LabelName,DisplayName\n/m/1,car\n/m/2,tall tree\n',
      'oidv6-train-annotations-bbox.csv': `${header}one,xclick,/m/1,1,0.25,0.5,0.25,0.5,0,-1,-1,-1,-1\n`,
    };
    const deeper = Object.fromEntries(Object.entries(files).map(([name, text]) => [`set/annotations/${name}`, text]));
    for (const path of [folderOf(files), await zipOf(deeper)]) {
      const { task, summary } = await read(path);
      expect(summary.invalidCount).toBe(0);
      expect(task.shapes).toMatchObject([{ label: 'car', points: [16, 12, 32, 24] }]);
    }
    const own = { ...scene, labels: [{ name: '/m/1' }] };
    expect((await read(folderOf(files), own)).task.shapes).toMatchObject([{ label: '/m/1' }]);
  });

  it('report every loss', async () => {
    const png = encodePng({ kind: 'bits', width: 2, height: 2, pixels: Uint8Array.from([1, 1, 0, 0]) });
    const { task, summary } = await read(
      folderOf({
        'annotations/class-descriptions.csv': 'car,car\n',
        'annotations/a-annotations-bbox.csv': `${header}one,,car,1,0,x,0,1,0,0,0,0,0\none,,car,1,0.5,0.2,0,1,0,0,0,0,0\nnobody,,car,1,0,1,0,1,0,0,0,0,0\none,,plane,1,0,1,0,1,0,0,0,0,0\none,,car,0.5,0,1,0,1,1,0,1,0,0\n`,
        'annotations/a-annotations-human-imagelabels.csv':
          'ImageID,Source,LabelName,Confidence\none,,car,1\none,,car,0\none,,car,x\nnobody,,car,1\none,,car,0.5\none,,plane,1\n',
        'annotations/a-annotations-object-segmentation.csv': `${maskHeader}m.png,one,car,1,,,,,,\nnone.png,one,car,1,,,,,,\n../../x,one,car,1,,,,,,\nm.png,nobody,car,1,,,,,,\nbad.png,one,car,1,,,,,,\n`,
        'masks/a/m.png': png,
        'masks/a/bad.png': 'x',
      }),
    );
    expect(task.shapes.map(({ type, points, score }) => [type, points, score])).toEqual([
      ['rectangle', [12.8, 0, 32, 48], undefined],
      ['rectangle', [0, 0, 64, 48], 0.5],
      // A mask of another size is scaled to its image.
      ['mask', [0, 64 * 24, 0, 0, 63, 23], undefined],
    ]);
    expect(task.tags).toHaveLength(2);
    expect(
      summary.invalid.map(({ file, at }) => `${file.replace('annotations/a-annotations-', '')} ${at}`).toSorted(),
    ).toEqual([
      'bbox.csv line 2',
      'bbox.csv line 4',
      'bbox.csv line 5',
      'human-imagelabels.csv line 4',
      'human-imagelabels.csv line 5',
      'human-imagelabels.csv line 7',
      'masks/a/bad.png the image',
      'object-segmentation.csv line 3',
      'object-segmentation.csv line 4',
      'object-segmentation.csv line 5',
    ]);
    expect(summary.dropped.map(({ type, rule }) => `${type}: ${rule}`)).toEqual([
      'tag: A confidence of 0 means that the image does not show the label.',
      'tag: Image-level labels have no confidence.',
      'attribute: The label has no attribute "is_group_of".',
    ]);
    await expect(read(await zipOf({ 'a.csv': 'a,b' }))).rejects.toThrow('is not an Open Images dataset');
  });
});
