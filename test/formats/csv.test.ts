import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csv } from '../../main/formats/csv/index.ts';
import { readCsv } from '../../main/formats/io/csv-rows.ts';
import { detectFormat } from '../../main/formats/registry.ts';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { fileOf, folderOf, runExport, runImport, shapeOf, zipOf } from './support/format-fixtures.ts';
import {
  asRead,
  everyKindBut,
  inOrder,
  oneTrack,
  scene,
  sceneLabels,
  sceneShapes,
  sceneTags,
} from './support/scenes.ts';

const bytesOf = async function* (text: string) {
  yield Buffer.from(text);
};
const write = (options: InMemoryTaskDataOptions) => runExport(csv.exporter, options);
const read = (path: string, more: Record<string, unknown> = {}, task: InMemoryTaskDataOptions = scene) =>
  runImport(csv.importer, path, task, { options: { conv_mask_to_poly: false, ...more } });
const readText = (text: string | Uint8Array, more: Record<string, unknown> = {}) =>
  read(fileOf('boxes.csv', text), more);
const boxes = async (text: string, more: Record<string, unknown> = {}) => {
  const { task, summary } = await readText(text, more);
  expect(summary.invalid).toEqual([]);
  return task.shapes.map(({ label, points }) => [label, ...points]);
};

describe("tables of Limner's own format", () => {
  it('preserve every shape with all fields', async () => {
    const kinds = everyKindBut();
    await fc.assert(
      fc.asyncProperty(sceneShapes({ kinds, details: true }), async (shapes) => {
        const { path, summary } = await write({ ...scene, shapes });
        const { task, summary: reading } = await read(path);
        expect(reading).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
        // A table cannot distinguish an empty text from a missing one.
        const isEmpty = ({ value }: { value: string }) => value === '';
        const empty = shapes.flatMap(({ attributes }) => attributes.filter(isEmpty));
        expect(summary.dropped.reduce((sum, { count }) => sum + count, 0)).toBe(empty.length);
        const expected = shapes.map((shape) => ({
          ...shape,
          attributes: shape.attributes.filter((one) => !isEmpty(one)),
        }));
        const seen = (shapes: typeof task.shapes) => inOrder(shapes).map((shape) => asRead(shape, 'file'));
        expect(seen(task.shapes)).toEqual(seen(expected));
      }),
      { numRuns: 32 },
    );
  });

  it('preserve labels of images, groups and tracks', async () => {
    await fc.assert(
      fc.asyncProperty(sceneTags, async (tags) => {
        const { task } = await read((await write({ ...scene, tags })).path);
        expect(inOrder(task.tags)).toEqual(inOrder(tags).map((tag) => ({ ...tag, source: 'file' })));
      }),
      { numRuns: 20 },
    );
    const shape = shapeOf({ type: 'rectangle', label: 'car', points: [1, 1, 5, 5], source: 'auto' });
    const shapes = [3, 0, 3, 7].map((group, index) => ({ ...shape, group, points: [index, 1, 9, 9] }));
    const { task } = await read((await write({ ...scene, shapes, tracks: [oneTrack] })).path);
    expect(task.shapes).toEqual(shapes.map((one) => ({ ...one, group: [0, 0, 0, 1, 0, 0, 0, 2][one.group] })));
    expect(task.tracks).toEqual([oneTrack]);
  });

  it('have the columns that the manual describes', async () => {
    const shapes = [
      shapeOf({
        type: 'rectangle',
        label: 'car',
        points: [1, 2, 3.5, 4],
        attributes: [{ name: 'text', value: 'a "b",\nc' }],
      }),
      shapeOf({ type: 'mask', label: 'car', points: [0, 4, 10, 11, 11, 12], score: 0.5 }),
    ];
    const { entries } = await write({ ...scene, shapes });
    expect(entries.get('annotations.csv')).toBe(
      'image,subset,frame,label,type,xmin,ymin,xmax,ymax,rotation,points,group,track,occluded,outside,z_order,source,score,keyframe,attr:text,attr:flag,attr:count\n' +
        'one.jpg,default,0,car,rectangle,1,2,3.5,4,,,,,0,0,0,,,,"a ""b"",\nc",,\n' +
        'one.jpg,default,0,car,mask,10,11,12,13,,0 4 10 11 11 12,,,0,0,0,,0.5,,,,\n',
    );
  });

  it('run nothing in a spreadsheet, and preserve every text', async () => {
    const names = ['=cmd|calc', '+1+1', '@SUM(1)', "'=kept", "''-x", "'plain", '-5', '+7.5e1', 'a=b'];
    const values = ['=HYPERLINK("http://x","y")', '\t=1', '\r=1', '\n=1', '-3', '-3 apples', '＝1', "'", "'-2"];
    const task = { ...scene, labels: names.map((name) => ({ ...sceneLabels[0]!, name })) };
    const shapes = names.flatMap((label, row) =>
      values.map((value, column) =>
        shapeOf({
          type: 'rectangle',
          label,
          points: [row, column, 20, 30],
          attributes: [{ name: 'text', value }],
        }),
      ),
    );
    const { path, entries, summary } = await write({ ...task, shapes });
    const cells: string[] = [];
    await readCsv(bytesOf(entries.get('annotations.csv')!), (fields) => void cells.push(...fields));
    expect(cells.filter((cell) => /^[=+\-@\t\r\n＝]/.test(cell) && Number.isNaN(Number(cell)))).toEqual([]);
    expect(cells).toContain('-5');
    expect(cells).toContain("'=cmd|calc");
    expect(summary.warnings).toEqual([expect.stringContaining('would be formulas in a spreadsheet')]);
    const { task: again, summary: reading } = await read(path, {}, task);
    expect(reading.invalid).toEqual([]);
    expect(again.shapes.map(({ label, attributes }) => [label, attributes[0]?.value])).toEqual(
      shapes.map(({ label, attributes }) => [label, attributes[0]?.value]),
    );
  });

  it('do not write invalid numbers', async () => {
    const shapes = [NaN, -Infinity].map((value) => shapeOf({ type: 'points', label: 'car', points: [1, value] }));
    const { summary, entries } = await write({ ...scene, shapes });
    expect(summary.dropped).toMatchObject([{ type: 'points', count: 2 }]);
    expect(entries.get('annotations.csv')?.split('\n')).toHaveLength(2);
  });
});

describe('tables of other programs', () => {
  const car = ['car', 1, 2, 11, 12];

  it('are detected by the names of their columns', async () => {
    const tables = {
      vott: '"image","xmin","ymin","xmax","ymax","label"\n"one.jpg",1.0,2.0,11.0,12.0,"car"\n',
      tensorflow: 'filename,width,height,class,xmin,ymin,xmax,ymax\none.jpg,64,48,car,1,2,11,12\n',
      makesense: 'car,1,2,10,10,one.jpg,64,48\n',
      retinanet: 'images/one.jpg,1,2,11,12,car\nimages/000004.jpg,,,,,\n',
      kaggleCorners: 'ImageId,x1,y1,x2,y2,category\none,1,2,11,12,car\n',
      kaggleSizes: 'image_id,x,y,w,h,class_name\none,1,2,10,10,car\n',
      kaggleText: 'image_id,width,height,bbox,label\none,64,48,"[1.0, 2.0, 10.0, 10.0]",car\n',
      supervision: 'x_min,y_min,x_max,y_max,class_id,confidence,tracker_id,file_name\n1,2,11,12,0,0.5,,one.jpg\n',
      centers: 'image,label,x_center,y_center,width,height\none.jpg,car,6,7,10,10\n',
      semicolons: 'image;label;xmin;ymin;xmax;ymax\r\none.jpg;car;1,0;2,0;11;12\r\n',
      tabs: '\uFEFFimage\tlabel\txmin\tymin\txmax\tymax\rone.jpg\tcar\t1\t2\t11\t12',
    };
    for (const [name, text] of Object.entries(tables)) {
      expect(await boxes(text), name).toEqual([car]);
      const [first] = await detectFormat({ path: fileOf('download.bin', text), name: 'download.bin' });
      expect(first, name).toMatchObject({ name: 'CSV 1.0', reason: expect.stringContaining('download.bin') });
    }
  });

  it('may state boxes in fractions of the image', async () => {
    const text = 'image,label,xmin,ymin,xmax,ymax\none.jpg,car,0.25,0.5,0.75,1\none.jpg,car,0.1,0.1,0.2,0.2\n';
    expect(await boxes(text)).toEqual([
      ['car', 16, 24, 48, 48],
      ['car', 6.4, 4.8, 12.8, 9.6],
    ]);
    expect((await readText(text)).summary.warnings).toEqual([expect.stringContaining('fractions')]);
    expect(await boxes(text, { coordinates: 'pixels' })).toContainEqual(['car', 0.25, 0.5, 0.75, 1]);
    expect(await boxes('TRAIN,gs://bucket/one.jpg,car,0.25,0.5,,,0.75,1,,\n')).toEqual([['car', 16, 24, 48, 48]]);
  });

  it('may need an option for their columns', async () => {
    const text = 'where,what,a,b,c,d\none.jpg,car,1,2,11,12\n';
    await expect(readText(text)).rejects.toThrow('the option columns');
    const columns = { image: 'where', label: 2, xmin: 'a', ymin: 'b', xmax: 'c', ymax: 'd' };
    expect(await boxes(text, { columns })).toEqual([car]);
    expect(await boxes(text, { columns: JSON.stringify(columns) })).toEqual([car]);
    const bare = { image: 1, label: 2, xmin: 3, ymin: 4, xmax: 5, ymax: 6 };
    expect(await boxes('one.jpg,car,1,2,11,12\n', { header: false, columns: bare })).toEqual([car]);
    await expect(readText(text, { columns: { image: 'nowhere' } })).rejects.toThrow('no such column');
    expect(await boxes('image,label,bbox\none.jpg,car,1 2 11 12', { box: 'xyxy' })).toEqual([car]);
  });

  it('may label whole images', async () => {
    const { task } = await readText('filename,car,tall tree\none.jpg,1,0\n000004.jpg,1,1\n');
    expect(task.tags.map(({ frame, label }) => [frame, label])).toEqual([
      [0, 'car'],
      [3, 'car'],
      [3, 'tall tree'],
    ]);
    expect((await readText('image,label\none.jpg,car\n')).task.tags).toMatchObject([{ frame: 0, label: 'car' }]);
  });

  it('report every loss', async () => {
    const rows = [
      'one.jpg,car,1,2,11,NaN',
      'one.jpg,car,1,2,11,1e999',
      'one.jpg,car,1,2',
      'one.jpg,plane,1,2,11,12',
      'one.jpg,,1,2,11,12',
      'none.jpg,car,1,2,11,12',
      'none.jpg,car,1,2,11,12',
      'one.jpg,"car',
    ];
    const { task, summary } = await readText(
      `image,label,xmin,ymin,xmax,ymax,more\none.jpg,car,1,2,11,12\n${rows.join('\n')}`,
    );
    expect(task.shapes).toHaveLength(1);
    expect(summary.invalid.map(({ at }) => at).toSorted()).toEqual(
      ['line 3', 'line 4', 'line 5', 'line 6', 'line 7', 'line 8', 'line 10'].toSorted(),
    );
    expect(summary.invalid.find(({ at }) => at === 'line 8')?.reason).toContain('its 2 rows');
    expect(summary.warnings).toEqual([expect.stringContaining('more')]);
    const scored = await readText('image,label,xmin,ymin,xmax,ymax,score\none.jpg,car,1,2,11,12,87\n');
    expect(scored.summary.dropped).toMatchObject([{ rule: 'Scores must be from 0 to 1.' }]);
    const own = await readText(
      'image,label,type,points,keyframe\none.jpg,car,polygon,1 2 3,\none.jpg,car,blob,,\none.jpg,body,skeleton,"[[1]]",\none.jpg,car,mask,0 4 1 1 2 2 3,\n',
    );
    expect(own.summary.invalidCount).toBe(4);
    const masks = ['0 4 1 1 2 2 3', '0 1e12 0 0 999999 999999', '0 1e400 1 1 2 2', '-1 5 1 1 2 2'];
    const maskRows = masks.map((runs) => `one.jpg,car,mask,${runs},`).join('\n');
    const huge = await readText(`image,label,type,points,keyframe\n${maskRows}\n`, { conv_mask_to_poly: true });
    expect(huge.task.shapes).toEqual([]);
    expect(huge.summary.invalidCount).toBe(3);
    expect(huge.summary.dropped).toMatchObject([{ type: 'mask', rule: expect.stringContaining('too large') }]);
  });

  it('warn if they state another size of the image than the frame has', async () => {
    const row = (width: number) =>
      `filename,width,height,class,xmin,ymin,xmax,ymax\none.jpg,${width},48,car,30,25,10,10\n`;
    const { task, summary } = await readText(row(100));
    expect(task.shapes).toMatchObject([{ points: [10, 10, 30, 25] }]);
    expect(summary.warnings).toEqual([expect.stringMatching(/another size .* 100 × 48 pixels for 64 × 48/)]);
    expect((await readText(row(64))).summary.warnings).toEqual([]);
  });

  it('are found in archives, and refused if there are none', async () => {
    const files = {
      'top/a.csv': 'image,label,xmin,ymin,xmax,ymax\none.jpg,car,1,2,11,12\n',
      'top/notes.csv': 'a,b\n1,2\n',
    };
    for (const path of [folderOf(files), await zipOf(files)]) {
      const { task, summary } = await read(path);
      expect(task.shapes).toHaveLength(1);
      expect(summary.warnings).toEqual([expect.stringContaining('top/notes.csv was left out')]);
    }
    await expect(read(folderOf({ 'a.txt': '' }))).rejects.toThrow('Nothing was imported');
    await expect(readText('')).rejects.toThrow('Nothing was imported');
  });
});

it.each([
  ['a semicolon', ';', '\r\n'],
  ['a tab', '\t', '\n'],
])("reads a table that states its delimiter in the first line like Excel's: %s", async (_name, mark, end) => {
  const rows = [
    ['filename', 'class', 'xmin', 'ymin', 'xmax', 'ymax'],
    ['a.jpg', 'car, red', '10,5', '10', '30', '30'],
    ['a.jpg', 'car, red', 'x', '10', '30', '30'],
  ].map((cells) => cells.join(mark));
  const path = fileOf('excel.csv', [`sep=${mark}`, ...rows, ''].join(end));
  expect((await detectFormat({ path, name: 'excel.csv' }))[0]?.name).toBe('CSV 1.0');
  const frames = [{ name: 'a.jpg', width: 100, height: 80 }];
  const { task, summary } = await read(path, {}, { frames, labels: [{ name: 'car, red', color: '#102030' }] });
  expect(task.shapes.map(({ label, points }) => [label, ...points])).toEqual([['car, red', 10.5, 10, 30, 30]]);
  expect(summary.invalid.map(({ at }) => at)).toEqual(['line 4']);
});
