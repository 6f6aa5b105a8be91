import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAttributeText, writeAttributeText } from '../../main/formats/labelme-xml/attribute-text.ts';
import { labelMe } from '../../main/formats/labelme-xml/index.ts';
import { encodePng } from '../../main/formats/kit/mask-files/png-writer.ts';
import { bothWays, folderOf, importInto, shapeOf, zipOf } from './support/format-fixtures.ts';
import { scene, trackOf } from './support/scenes.ts';

const { write, read } = bothWays(labelMe, scene, { conv_mask_to_poly: false });

describe('LabelMe attribute text', () => {
  it('preserves names and values of any kind', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 });
    const name = text.filter((one) => one.trim() === one && one !== '' && one !== '__proto__');
    fc.assert(
      fc.property(fc.array(fc.record({ name, value: text }), { maxLength: 4 }), (attributes) => {
        const isTruth = ({ value }: { value: string }) => /^(true|false)$/i.test(value);
        const expected = attributes.map((one) => (isTruth(one) ? { ...one, value: one.value.toLowerCase() } : one));
        expect(readAttributeText(writeAttributeText(attributes, () => true))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('equals that of other programs', () => {
    expect(readAttributeText('a1, k = v , n=5, s="5", q\\=1=x\\,y, e=, T=TRUE')).toEqual([
      { name: 'a1', value: 'true' },
      { name: 'k', value: 'v' },
      { name: 'n', value: '5' },
      { name: 's', value: '5' },
      { name: 'q=1', value: 'x,y' },
      { name: 'e', value: '' },
      { name: 'T', value: 'true' },
    ]);
    const isText = (name: string) => name === 's';
    const attributes = [
      { name: 's', value: '5' },
      { name: 'n', value: '5' },
      { name: 's', value: 'a, "b"=\\' },
    ];
    expect(writeAttributeText(attributes, isText)).toBe('s="5", n=5, s=a\\, \\"b\\"\\=\\\\');
  });
});

it('finds masks in the folders of the tool itself, which are not subsets', async () => {
  const mask = encodePng({ kind: 'grey8', width: 64, height: 48, pixels: new Uint8Array(64 * 48).fill(1) });
  const object = '<name>car</name><id>0</id><segm><mask>one_mask_0.png</mask></segm>';
  const files = {
    'Annotations/street/one.xml': `<annotation><filename>one.jpg</filename><folder>street</folder><object>${object}</object></annotation>`,
    'Masks/street/one_mask_0.png': mask,
  };
  const frames = [{ name: 'street/one.jpg', subset: 'default', width: 64, height: 48 }];
  const { task, summary } = await read(folderOf(files), { ...scene, frames });
  expect(summary.invalidCount).toBe(0);
  expect(task.shapes).toMatchObject([{ type: 'mask', label: 'car' }]);
  const requested: unknown[] = [];
  const view = { ...task, match_frame: ({ subset }: { subset?: string }) => (requested.push(subset), 0) };
  await importInto(labelMe.importer, folderOf(files), view);
  expect(requested).toEqual(['default']);
});

describe('LabelMe round trip', () => {
  it('preserves groups', async () => {
    const shape = shapeOf({ type: 'rectangle', label: 'car', points: [1, 1, 5, 5], source: 'file' });
    const shapes = [3, 0, 3, 7, 7, 3].map((group, index) => ({ ...shape, group, points: [index, 1, 9, 9] }));
    const { path, entries } = await write({ ...scene, shapes });
    const { task } = await read(path);
    expect(task.shapes.map(({ group }) => group)).toEqual([1, 0, 1, 2, 2, 1]);
    expect(entries.get('default/one.xml')).toContain(
      '<id>0</id><parts><hasparts>2,5</hasparts><ispartof></ispartof></parts>',
    );
  });

  it('preserves tracks', async () => {
    const track = trackOf('polygon')('car', [
      [0, [0, 0, 10, 0, 10, 10]],
      [1, [1, 0, 10, 0, 10, 10]],
      [2, [1, 0, 10, 0, 10, 10], true],
    ]);
    const { task } = await read((await write({ ...scene, tracks: [track] })).path);
    expect(task.tracks).toEqual([track]);
  });
});

describe('LabelMe files', () => {
  const object = (inner: string, name = 'car') => `<object><name>${name}</name>${inner}</object>`;
  const pt = (...pairs: [number | string, number | string][]) =>
    pairs.map(([x, y]) => `<pt><x>${x}</x><y>${y}</y></pt>`).join('');
  const triangle = `<polygon><username>me</username>${pt([1, 2], [9, 2], [9, 8])}</polygon>`;
  const file = (objects: string) => `<annotation><filename>one.jpg</filename><folder></folder>${objects}</annotation>`;

  it('are found at any depth', async () => {
    for (const files of [{ 'one.xml': file(object(triangle)) }, { 'top/train/one.xml': file(object(triangle)) }]) {
      for (const path of [folderOf(files), await zipOf(files)]) {
        expect((await read(path)).task.shapes).toMatchObject([{ type: 'polygon', points: [1, 2, 9, 2, 9, 8] }]);
      }
    }
  });

  it('write numbers like other programs, and longer ones in full', async () => {
    const shapes = [shapeOf({ type: 'rectangle', label: 'car', points: [1, 2.5, 4.125, 6] })];
    const { entries } = await write({ ...scene, shapes });
    expect(entries.get('default/one.xml')).toContain(
      '<type>bounding_box</type><polygon><pt><x>1.00</x><y>2.50</y></pt><pt><x>4.125</x><y>2.50</y></pt><pt><x>4.125</x><y>6.00</y></pt><pt><x>1.00</x><y>6.00</y></pt><username></username></polygon>',
    );
  });

  it('report every loss', async () => {
    const bad = [
      `<object>${triangle}</object>`,
      object(''),
      object(`<polygon>${pt([1, 2], [3, 4])}</polygon>`),
      object(`<polygon>${pt([1, 2], ['x', 4], [5, 6])}</polygon>`),
      object('<segm><username/></segm>'),
      object('<segm><mask>none.png</mask></segm>'),
      object('<segm><mask>../../etc/passwd</mask></segm>'),
      object(triangle, 'plane'),
    ];
    const good = [
      object(`${triangle}<attributes>rotation=x</attributes>`),
      object(triangle),
      object(`<deleted>1</deleted>${triangle}`),
      object(`<type>point</type><polygon>${pt([1, 2])}</polygon>`),
      object(`<type>line</type><polygon>${pt([1, 2], [3, 4])}</polygon>`),
    ];
    const { task, summary } = await read(
      folderOf({
        'a/one.xml': file(`\n${[...bad, ...good].join('\n')}`),
        'a/two.xml': file(object(triangle)).replace('one.jpg', 'two.jpg'),
        'a/other.xml': '<html/>',
        'a/cut.xml': '<annotation><object>',
        'a/bad.xml': file(object('<segm><mask>bad.png</mask></segm>')),
        'a/empty.xml': file(object('<segm><mask>empty.png</mask></segm>')),
        'a/Masks/bad.png': 'x',
        'a/Masks/empty.png': encodePng({ kind: 'grey8', width: 2, height: 1, pixels: new Uint8Array(2) }),
      }),
    );
    expect(task.shapes.map(({ type }) => type)).toEqual(['polygon', 'polygon', 'points', 'polyline']);
    expect(summary.dropped.map(({ rule }) => rule)).toContain('The attribute "rotation" must be a number, but is "x".');
    expect(summary.invalid.map(({ file: name, at }) => `${name} ${at}`).toSorted()).toEqual(
      [
        ...bad.map((_, index) => `a/one.xml line ${index + 2}`),
        'a/two.xml line 1',
        'a/cut.xml the XML',
        'a/Masks/bad.png the image',
        'a/Masks/empty.png the image',
      ].toSorted(),
    );
    expect(summary.warnings).toEqual([
      expect.stringContaining('a/other.xml was left out'),
      expect.stringContaining('1 objects are marked as deleted'),
      expect.stringContaining('another size'),
    ]);
  });
});
