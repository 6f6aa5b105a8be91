import { describe, expect, it } from 'vitest';
import { createInMemoryTaskData, type InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { labelMeJson } from '../../main/formats/labelme-json/index.ts';
import { encodePng } from '../../main/formats/kit/mask-files/png-writer.ts';
import { xAnyLabeling } from '../../main/formats/labelme-json/index.ts';
import { fileOf, folderOf, importInto, runExport, runImport, shapeOf, zipOf } from './support/format-fixtures.ts';
import { oneTrack, scene } from './support/scenes.ts';

const programs = [
  { name: 'labelme', exporter: labelMeJson.exporter, importer: labelMeJson.importer },
  { name: 'X-AnyLabeling', exporter: xAnyLabeling.exporter, importer: xAnyLabeling.importer },
];
type Program = (typeof programs)[number];

const write = ({ exporter }: Program, options: InMemoryTaskDataOptions, images = false) =>
  runExport(exporter, options, images);
const read = ({ importer }: Program, path: string, more: Record<string, unknown> = {}) =>
  runImport(importer, path, scene, { options: { conv_mask_to_poly: false, ...more } });
const document = (entries: ReadonlyMap<string, string>, path: string) =>
  JSON.parse(entries.get(path) ?? 'null') as Record<string, unknown>;

describe.each(programs)('$name round trip', (program) => {
  it('preserves circles, and other ellipses as masks', async () => {
    const circle = shapeOf({ type: 'ellipse', label: 'car', points: [10.1, 12.7, 14.3, 8.5], source: 'file' });
    const ellipse = shapeOf({ type: 'ellipse', label: 'car', points: [30, 24, 40, 18] });
    const { path, summary } = await write(program, { ...scene, shapes: [circle, ellipse] });
    expect(summary.dropped).toMatchObject([{ type: 'ellipse', count: 1, rule: expect.stringContaining('mask') }]);
    const { task } = await read(program, path);
    expect(task.shapes[0]).toEqual(circle);
    expect(task.shapes[1]?.type).toBe('mask');
  });

  it('creates labels from flags that no image has set', async () => {
    const declared: string[] = [];
    const document = { version: '5.5.0', flags: { sunny: false, rain: true }, shapes: [], imagePath: 'one.jpg' };
    const task = createInMemoryTaskData({ ...scene, labels: [...scene.labels, { name: 'rain' }] });
    const view = Object.assign(task, { declare_label: ({ name }: { name: string }) => void declared.push(name) });
    await importInto(program.importer, fileOf('one.json', JSON.stringify(document)), view);
    expect(task.tags).toMatchObject([{ label: 'rain' }]);
    expect(declared).toEqual(['sunny']);
  });

  it('preserves groups', async () => {
    const shape = shapeOf({ type: 'rectangle', label: 'car', points: [1, 1, 5, 5], source: 'file' });
    const shapes = [3, 0, 3, 7, 7, 3].map((group, index) => ({ ...shape, group, points: [index, 1, 9, 9] }));
    const { task } = await read(program, (await write(program, { ...scene, shapes })).path);
    expect(task.shapes.map(({ group }) => group)).toEqual([1, 0, 1, 2, 2, 1]);
  });

  it('preserves tracks', async () => {
    const { task } = await read(program, (await write(program, { ...scene, tracks: [oneTrack] })).path);
    expect(task.tracks).toEqual([oneTrack]);
  });

  it('does not write invalid numbers', async () => {
    const shapes = [NaN, Infinity].map((value) => shapeOf({ type: 'points', label: 'car', points: [1, value] }));
    const { summary, entries } = await write(program, { ...scene, shapes });
    expect(summary.dropped).toMatchObject([{ type: 'points', count: 2 }]);
    expect(document(entries, 'default/one.json')['shapes']).toEqual([]);
  });

  it('puts images beside their files', async () => {
    const images = new Map([[0, { extension: '.jpg', bytes: Buffer.from('a picture') }]]);
    const { entries } = await write(program, { ...scene, images }, true);
    expect(entries.get('default/one.jpg')).toBe('a picture');
    expect(document(entries, 'default/a b/Ünïcode 写.json')).toMatchObject({
      imagePath: 'Ünïcode 写.png',
      imageData: null,
      imageHeight: 48,
      imageWidth: 64,
    });
  });
});

describe('files of labelme', () => {
  const [program] = programs as [Program, Program];
  const shape = (more: object) => ({ label: 'car', points: [[1, 2], [9, 2], [9, 8]], shape_type: 'polygon', ...more }); // prettier-ignore
  const file = (shapes: unknown, more: object = {}) =>
    JSON.stringify({
      version: '7.1.0',
      flags: {},
      shapes,
      imagePath: 'one.jpg',
      imageHeight: 48,
      imageWidth: 64,
      ...more,
    });
  const readFile = (text: string | Uint8Array) => read(program, folderOf({ 'one.json': text }));

  it('may have any of its shapes', async () => {
    const png = encodePng({ kind: 'grey8', width: 2, height: 2, pixels: Uint8Array.from([0, 255, 255, 255]) });
    const { task, summary } = await readFile(
      file([
        shape({ shape_type: undefined }),
        shape({ shape_type: 'rectangle', points: [[9, 8], [1, 2]] }),
        shape({ shape_type: 'rectangle', points: [[0, 0], [4, 0], [4, 3], [0, 3]] }),
        shape({ shape_type: 'circle', points: [[10, 10], [13, 14]] }),
        shape({ shape_type: 'line', points: [[1, 2], [3, 4]] }),
        shape({ shape_type: 'linestrip' }),
        shape({ shape_type: 'point', points: [[1, 2]] }),
        shape({ shape_type: 'points' }),
        shape({ shape_type: 'oriented_rectangle', points: [[5, 0], [10, 5], [5, 10], [0, 5]] }),
        shape({ shape_type: 'mask', points: [[3, 4], [4, 5]], mask: png.toString('base64') }),
      ]), // prettier-ignore
    );
    expect(summary.invalidCount).toBe(0);
    const half = Math.hypot(5, 5) / 2;
    expect(task.shapes.map(({ type, points, rotation }) => [type, points, rotation ?? 0])).toEqual([
      ['polygon', [1, 2, 9, 2, 9, 8], 0],
      ['rectangle', [1, 2, 9, 8], 0],
      ['rectangle', [0, 0, 4, 3], 0],
      ['ellipse', [10, 10, 15, 5], 0],
      ['polyline', [1, 2, 3, 4], 0],
      ['polyline', [1, 2, 9, 2, 9, 8], 0],
      ['points', [1, 2], 0],
      ['points', [1, 2, 9, 2, 9, 8], 0],
      ['rectangle', [5 - half, 5 - half, 5 + half, 5 + half].map((one) => expect.closeTo(one, 5) as number), 45],
      ['mask', [1, 3, 3, 4, 4, 5], 0],
    ]);
    const polygons = await read(program, folderOf({ 'one.json': file([shape({ shape_type: 'mask', points: [[3, 4], [4, 5]], mask: png.toString('base64') })]) }), { conv_mask_to_poly: true }); // prettier-ignore
    expect(polygons.task.shapes).toMatchObject([{ type: 'polygon' }]);
  });

  it('report every loss', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const bad: unknown[] = [
      'text',
      null,
      shape({ label: 7 }),
      shape({ label: 'plane' }),
      shape({ points: [[1, 2]] }),
      shape({ points: 'none' }),
      shape({ points: [[1, 2], [3, '4'], [5, 6]] }), // prettier-ignore
      shape({ points: '@deep' }),
      shape({ shape_type: 'mask', points: [[1, 2], [3, 4]], mask: 'bm90IGFuIGltYWdl' }), // prettier-ignore
      shape({ shape_type: 'mask', points: [[1, 2], [3, 4]], mask: null }), // prettier-ignore
      shape({ shape_type: 'cuboid' }),
      shape({ shape_type: 'circle' }),
    ];
    const good = [
      shape({ flags: { flag: true, other: true }, description: 'seen', kie_linking: [[1, 2]] }),
      shape({ flags: { flag: 'perhaps' } }),
    ];
    const { task, summary } = await readFile(
      file([...bad, ...good], { imageWidth: 640, tags: [1] }).replace('"@deep"', deep),
    );
    expect(task.shapes).toMatchObject([
      { type: 'polygon', attributes: [{ name: 'flag', value: 'true' }] },
      { type: 'polygon', attributes: [] },
    ]);
    const places = summary.invalid.map(({ at }) => at.replace(/\.(?!json).*$/, ''));
    expect(places).toEqual(['tags', ...bad.map((_, index) => `shapes[${index}]`)]);
    expect(summary.dropped.map(({ rule }) => rule).toSorted()).toEqual([
      expect.stringContaining('kie_linking'),
      'The attribute "flag" (checkbox) cannot be "perhaps".',
      'The label has no attribute "description".',
      'The label has no attribute "other".',
    ]);
    expect(summary.warnings).toEqual([expect.stringContaining('640 × 48')]);
  });

  it('keep the valid part of a file with invalid numbers, or with a truncated end', async () => {
    const one = JSON.stringify(shape({}));
    const nan = one.replace('9,2', 'NaN,2');
    const infinite = one.replace('9,2', '1e999,2');
    const { task, summary } = await readFile(
      `{"version": "5.0.1", "shapes": [${nan}, ${infinite}, ${one}], "imagePath": "one.jpg"}`,
    );
    expect(task.shapes).toHaveLength(1);
    expect(summary.invalid.map(({ at }) => at)).toEqual(['shapes[0].points[1]', 'shapes[1].points[1]']);
    // Python's spelling of NaN and infinity invalidates an object only where the number is needed.
    const unread = `{"a \\" NaN": NaN, "b": [-Infinity, Infinity], ${one.slice(1)}`;
    const read = await readFile(`{"version": "5.0.1", "shapes": [${unread}], "imagePath": "one.jpg"}`);
    expect(read.task.shapes).toHaveLength(1);
    expect(read.summary.invalidCount).toBe(0);
    const cut = await readFile(`{"imagePath": "one.jpg", "shapes": [${one}, {"label": "ca`);
    expect(cut.summary.invalid.map(({ at }) => at)).toEqual(['the JSON']);
  });

  it('may begin with a byte order mark, have Windows line ends, and name their image by a path', async () => {
    const text = JSON.stringify(JSON.parse(file([shape({})])), null, 2).replaceAll('\n', '\r\n');
    expect((await readFile(`\uFEFF${text}`)).task.shapes).toHaveLength(1);
    const files = {
      'labels/x.json': file([shape({})], { imagePath: '..\\images\\deep\\er\\3.jpeg' }),
      'labels/y.json': file([shape({})], { imagePath: '../../elsewhere/one.jpg' }),
      'deep/er/3.json': file([shape({})], { imagePath: '' }),
      '__MACOSX/._x.json': 'x',
    };
    for (const path of [folderOf(files), await zipOf(files)]) {
      const { task, summary } = await read(program, path);
      expect(summary.invalid).toEqual([]);
      expect(task.shapes.map(({ frame }) => frame).toSorted()).toEqual([0, 2, 2]);
    }
  });

  it('of other images and of other programs are reported', async () => {
    const files = { 'a.json': file([shape({})], { imagePath: 'a.jpg' }), 'b.json': '{"images": []}', 'c.json': '{' };
    const { summary } = await read(program, folderOf(files));
    expect(summary.invalid).toMatchObject([
      { file: 'a.json', reason: expect.stringContaining('its 1 objects') },
      { file: 'c.json', at: 'the JSON' },
    ]);
    expect(summary.warnings).toEqual([expect.stringContaining('b.json was left out')]);
    await expect(read(program, folderOf({ 'b.json': '{"images": []}' }))).rejects.toThrow('Nothing was imported');
  });
});

describe('files of X-AnyLabeling', () => {
  const program = programs[1]!;

  it('have the keys that the program needs', async () => {
    const turned = shapeOf({
      type: 'rectangle',
      label: 'car',
      points: [10, 10, 20, 16],
      rotation: 90,
      score: 0.5,
      attributes: [{ name: 'text', value: 'blue' }],
    });
    const { entries } = await write(program, { ...scene, shapes: [turned] });
    expect(document(entries, 'default/one.json')['shapes']).toMatchObject([
      {
        shape_type: 'rotation',
        points: [[18, 8], [18, 18], [12, 18], [12, 8]],
        direction: Math.PI / 2,
        score: 0.5,
        difficult: false,
        attributes: { text: 'blue' },
        kie_linking: [],
      },
    ]); // prettier-ignore
  });
});
