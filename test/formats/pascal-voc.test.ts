import * as fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { encodePng } from '../../main/formats/kit/mask-files/png-writer.ts';
import { voc } from '../../main/formats/pascal-voc/index.ts';
import { vocColor } from '../../preload/contract/colors.ts';
import { bothWays, entriesOf, type Files, folderOf, shapeOf, zipOf } from './support/format-fixtures.ts';
import { everyKindBut, inOrder, scene, sceneShapes, trackOf } from './support/scenes.ts';

const { write, read } = bothWays(voc, scene, { conv_mask_to_poly: false });

const box = (xmin: number, ymin: number, xmax: number, ymax: number) =>
  `<bndbox><xmin>${xmin}</xmin><ymin>${ymin}</ymin><xmax>${xmax}</xmax><ymax>${ymax}</ymax></bndbox>`;
const annotation = (objects: string, name = 'one.jpg') =>
  `<annotation><filename>${name}</filename>${objects}</annotation>`;
const object = (inner: string, name = 'car') => `<object><name>${name}</name>${inner}</object>`;

describe('PASCAL VOC round trip', () => {
  it('preserves exact decimals', async () => {
    const any = fc.double({ min: -1e5, max: 1e5, noNaN: true }).map((value) => value + 0);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(any, any, any, any), { maxLength: 5 }), async (boxes) => {
        const shapes = boxes.map(([a, b, c, d]) =>
          shapeOf({
            type: 'rectangle',
            label: 'car',
            points: [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)],
            source: 'file',
          }),
        );
        const { path } = await write({ ...scene, shapes });
        expect((await read(path, { ...scene, takesOutside: true })).task.shapes).toEqual(shapes);
      }),
      { numRuns: 20 },
    );
  });

  it('preserves boxes in pixels counted from 1', async () => {
    await fc.assert(
      fc.asyncProperty(sceneShapes({ kinds: ['rectangle'] }), async (shapes) => {
        const { path } = await write({ ...scene, shapes }, false, { one_based: true });
        const back = (await read(path, scene, { one_based: true })).task.shapes;
        const rounded = (points: readonly number[]) => points.map((value) => Math.round(value * 1e6) / 1e6);
        expect(inOrder(back).map(({ points }) => rounded(points))).toEqual(shapes.map(({ points }) => points));
      }),
      { numRuns: 20 },
    );
  });

  it('preserves masks that nothing else covers', async () => {
    await fc.assert(
      fc.asyncProperty(sceneShapes({ kinds: everyKindBut('rotated rectangle'), details: true }), async (shapes) => {
        const { task } = await read((await write({ ...scene, shapes })).path);
        const only = shapes.filter(
          (one) =>
            one.type === 'mask' &&
            !shapes.some((other) => other !== one && other.frame === one.frame && other.type !== 'rectangle'),
        );
        for (const { frame, points } of only) {
          expect(
            task.shapes.filter((one) => one.frame === frame && one.type === 'mask').map((one) => one.points),
          ).toEqual([points]);
        }
      }),
      { numRuns: 24 },
    );
  });

  it('preserves tracks of boxes', async () => {
    const track = trackOf('rectangle')('car', [
      [0, [1, 1, 11, 11]],
      [1, [2, 1, 12, 11]],
      [2, [2, 1, 12, 11], true],
    ]);
    const triangle = [20, 20, 30, 20, 30, 30];
    const polygons = trackOf('polygon')('tall tree', [
      [0, triangle],
      [1, triangle],
      [2, triangle, true],
    ]);
    const { path, summary } = await write({ ...scene, tracks: [track, polygons] });
    expect(summary.dropped.filter(({ type }) => type === 'track')).toMatchObject([{ label: 'tall tree', count: 1 }]);
    const { task } = await read(path);
    expect(task.tracks).toEqual([track]);
    expect(task.shapes.map(({ type, label }) => `${type} ${label}`)).toEqual(['mask tall tree', 'mask tall tree']);
  });
});

describe('PASCAL VOC of subsets', () => {
  it('keeps the first of two images with one name, and reports that the other is in another subset', async () => {
    const frames = ['train', 'val'].map((subset) => ({ name: 'one.jpg', width: 64, height: 48, subset }));
    const shapes = [0, 1].map((frame) => shapeOf({ type: 'rectangle', label: 'car', points: [1, 2, 30, 40], frame }));
    const { summary } = await write({ ...scene, frames, shapes });
    expect(summary.dropped.map(({ rule, count }) => [rule, count])).toEqual([
      ['Its image has the same name as one of another subset.', 1],
    ]);
    expect(summary.warnings).toEqual([expect.stringMatching(/^one\.jpg of val was left out with its objects/)]);
  });
});

describe('PASCAL VOC datasets', () => {
  it('have the folders and lists that other programs need', async () => {
    const options = {
      frames: [
        { name: '2007_000001.jpg', width: 20, height: 10, subset: 'train' },
        { name: 'b.png', width: 20, height: 10, subset: 'val' },
      ],
      labels: [
        { name: 'cat', color: '#ff0000' },
        { name: 'an:b', color: '#000000' },
        { name: 'dog', color: '#ff0000' },
      ],
      shapes: [
        shapeOf({
          type: 'rectangle',
          label: 'cat',
          points: [1, 2, 3.5, 4],
          occluded: true,
          attributes: [
            { name: 'pose', value: 'Left' },
            { name: 'truncated', value: 'true' },
            { name: 'colour', value: 'a<b' },
          ],
        }),
        shapeOf({ type: 'mask', label: 'dog', points: [0, 4, 5, 5, 6, 6] }),
      ],
      tags: [{ frame: 0, label: 'dog', attributes: [], group: 0 }],
    };
    const { entries, summary, path } = await write(options);
    expect([...entries.keys()].toSorted()).toEqual([
      'Annotations/2007_000001.xml',
      'Annotations/b.xml',
      'ImageSets/Main/an:b_train.txt',
      'ImageSets/Main/cat_train.txt',
      'ImageSets/Main/dog_train.txt',
      'ImageSets/Main/train.txt',
      'ImageSets/Main/val.txt',
      'ImageSets/Segmentation/train.txt',
      'SegmentationClass/2007_000001.png',
      'SegmentationObject/2007_000001.png',
      'labelmap.txt',
    ]);
    expect(entries.get('ImageSets/Main/dog_train.txt')).toBe('2007_000001  1\n');
    expect(entries.get('ImageSets/Main/cat_train.txt')).toBe('2007_000001 -1\n');
    expect(entries.get('labelmap.txt')).toBe(
      '# label:color_rgb:parts:actions\nbackground:0,0,0::\nan:b:128,0,0::\ncat:255,0,0::\ndog:0,128,0::\n',
    );
    expect(summary.warnings).toEqual([
      expect.stringContaining('"an:b" is painted in #800000'),
      expect.stringContaining('"dog" is painted in #008000'),
      expect.stringContaining('has a colon'),
    ]);
    expect(entries.get('Annotations/2007_000001.xml')).toBe(
      [
        '<annotation>',
        '  <folder>2007</folder>',
        '  <filename>2007_000001.jpg</filename>',
        '  <source>',
        '    <database>Unknown</database>',
        '    <annotation>Unknown</annotation>',
        '    <image>Unknown</image>',
        '  </source>',
        '  <size>',
        '    <width>20</width>',
        '    <height>10</height>',
        '    <depth></depth>',
        '  </size>',
        '  <segmented>1</segmented>',
        '  <object>',
        '    <name>cat</name>',
        '    <pose>Left</pose>',
        '    <truncated>1</truncated>',
        '    <occluded>1</occluded>',
        '    <difficult>0</difficult>',
        '    <bndbox>',
        '      <xmin>1</xmin>',
        '      <ymin>2</ymin>',
        '      <xmax>3.5</xmax>',
        '      <ymax>4</ymax>',
        '    </bndbox>',
        '    <attributes>',
        '      <attribute>',
        '        <name>colour</name>',
        '        <value>a&lt;b</value>',
        '      </attribute>',
        '    </attributes>',
        '  </object>',
        '</annotation>',
        '',
      ].join('\n'),
    );
    const classes = (await entriesOf(path)).get('SegmentationClass/2007_000001.png');
    const { data, info } = await sharp(classes).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([20, 10]);
    expect([...data.subarray(3 * (5 * 20 + 5), 3 * (5 * 20 + 5) + 3)]).toEqual([0, 128, 0]);
    // Colour type 3: palette indices equal label numbers.
    expect(classes?.[25]).toBe(3);
  });

  it('accept more objects than a palette has entries', async () => {
    const shapes = Array.from({ length: 300 }, (_, index) =>
      shapeOf({
        type: 'mask',
        label: 'car',
        points: [0, 4, ...[0, 1].flatMap((by) => [2 * (index % 30) + by, 2 * Math.floor(index / 30) + by])],
        source: 'file',
      }),
    );
    const { path, summary } = await write({ ...scene, shapes });
    expect(summary.dropped).toEqual([]);
    const { task } = await read(path);
    const places = (list: readonly { points: readonly number[] }[]) =>
      list.map(({ points }) => points.join()).toSorted();
    expect(places(task.shapes)).toEqual(places(shapes));
  });

  const layouts: Record<string, Files> = {
    'the usual folders': {
      'Annotations/one.xml': annotation(object(box(1, 2, 3, 4))),
      'ImageSets/Main/train.txt': 'one\n',
    },
    'an extra folder': {
      'VOCdevkit/VOC2012/Annotations/one.xml': annotation(object(box(1, 2, 3, 4))),
      'VOCdevkit/VOC2012/ImageSets/Main/train.txt': 'one\n',
    },
    'XML files alone, as labelImg writes them': {
      'one.xml': annotation(object(`<pose>Unspecified</pose>${box(1, 2, 3, 4)}`)),
    },
    'XML beside the images, by subset, as Roboflow exports it': {
      'train/one.xml': annotation(object(box(1, 2, 3, 4))),
      'train/one.jpg': '',
      'valid/x.jpg': '',
    },
    'a byte order mark and CRLF': {
      'Annotations/one.xml': `\uFEFF${annotation(object(box(1, 2, 3, 4))).replaceAll('><', '>\r\n<')}`,
    },
  };
  it.each(Object.entries(layouts))('are read from %s', async (_name, files) => {
    for (const path of [folderOf(files), await zipOf(files)]) {
      const { task, summary } = await read(path);
      expect(summary).toMatchObject({ invalidCount: 0, dropped: [] });
      expect(task.shapes).toMatchObject([{ type: 'rectangle', label: 'car', frame: 0, points: [1, 2, 3, 4] }]);
    }
  });

  it('may count pixels from 1, with the last one part of the box', async () => {
    const path = folderOf({ 'Annotations/one.xml': annotation(object(box(1, 1, 64, 48))) });
    expect((await read(path, scene, { one_based: 'true' })).task.shapes).toMatchObject([{ points: [0, 0, 64, 48] }]);
    await expect(read(path, scene, { one_based: 'perhaps' })).rejects.toThrow('one_based');
  });

  const triangle = [10, 10, 30, 10, 30, 30];
  it.each([
    ['x1, y1, x2, … of Roboflow', '<x1>10</x1><y1>10</y1><x2>30</x2><y2>10</y2><x3>30</x3><y3>30</y3>'],
    ['repeated x and y', '<x>10</x><y>10</y><x>30</x><y>10</y><x>30</x><y>30</y>'],
    ['a pt for each point', '<pt><x>10</x><y>10</y></pt><pt><x>30</x><y>10</y></pt><pt><x>30</x><y>30</y></pt>'],
  ])('read the polygon of an object, with or without a box: %s', async (_, points) => {
    const polygon = `<polygon>${points}</polygon>`;
    const path = folderOf({
      'a.xml': annotation(`${object(`${box(10, 10, 30, 30)}${polygon}`)}${object(polygon)}`),
    });
    const { task, summary } = await read(path);
    expect(task.shapes).toMatchObject([
      { type: 'polygon', points: triangle },
      { type: 'polygon', points: triangle },
    ]);
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [] });
  });

  it('read the box if a polygon cannot be used, and report the polygon', async () => {
    const polygon = '<polygon><x1>10</x1><y1>10</y1><x2>30</x2></polygon>';
    const { task, summary } = await read(folderOf({ 'a.xml': annotation(object(`${box(1, 2, 3, 4)}${polygon}`)) }));
    expect(task.shapes).toMatchObject([{ type: 'rectangle', points: [1, 2, 3, 4] }]);
    expect(summary.invalid).toMatchObject([{ reason: expect.stringContaining('the box was read instead') }]);
  });

  it('read rotated boxes of roLabelImg, whose angle is in radians', async () => {
    const turned = '<robndbox><cx>50</cx><cy>40</cy><w>40</w><h>20</h><angle>0.5235987755982988</angle></robndbox>';
    const { task } = await read(folderOf({ 'a.xml': annotation(object(`<type>robndbox</type>${turned}`)) }));
    expect(task.shapes).toMatchObject([{ type: 'rectangle', points: [30, 30, 70, 50], rotation: expect.closeTo(30) }]);
  });

  it('report a stated size that is not that of the frame, and data of an image besides its objects', async () => {
    const more = '<size><width>48</width><height>64</height></size><weather>rain</weather>';
    const { summary } = await read(folderOf({ 'a.xml': annotation(`${more}${object(box(1, 2, 3, 4))}`) }));
    expect(summary.warnings).toEqual([
      expect.stringMatching(/1 annotation files have another size .*a\.xml has 48 × 64 pixels for 64 × 48/),
      'These members of images were left out: weather.',
    ]);
  });

  it('report each unreadable object with its line', async () => {
    const bad = [
      object(''),
      object(box(1, 2, 3, Number.NaN)),
      object('<bndbox><xmin>1</xmin></bndbox>'),
      `<object>${box(1, 2, 3, 4)}</object>`,
      object(box(1, 2, 3, 4), 'plane'),
    ];
    const good = [
      object(box(3, 4, 1, 2)),
      object(`<occluded>maybe</occluded>${box(1, 2, 3, 4)}`),
      object(`${box(1, 2, 3, 4)}<attributes><attribute><name>rotation</name><value>x</value></attribute></attributes>`),
      object(`${box(1, 2, 3, 4)}<depth>7</depth>`),
    ];
    const path = folderOf({
      'Annotations/one.xml': `${annotation(`\n${[...bad, ...good].join('\n')}`)}`,
      'Annotations/two.xml': annotation(object(box(1, 2, 3, 4)), 'two.jpg'),
      'Annotations/cut.xml': '<annotation><object>',
      'Annotations/other.xml': '<html/>',
      'ImageSets/Main/train.txt': 'one',
      'ImageSets/Main/car_train.txt': 'one 1\nnobody  1\nnonsense\none -1\n',
    });
    const { task, summary } = await read(path);
    expect(task.shapes.map(({ points }) => points)).toEqual(good.map(() => [1, 2, 3, 4]));
    expect(task.tags).toHaveLength(1);
    expect(summary.dropped.map(({ rule }) => rule)).toEqual([
      '"occluded" must be 0 or 1, but is "maybe".',
      'The attribute "rotation" must be a number, but is "x".',
      'A task has no field for the member "depth".',
    ]);
    expect(summary.invalid.map(({ file, at }) => `${file} ${at}`).toSorted()).toEqual(
      [
        ...bad.map((_, index) => `Annotations/one.xml line ${index + 2}`),
        'Annotations/two.xml line 1',
        'Annotations/cut.xml the XML',
        'Annotations/other.xml line 1',
        'ImageSets/Main/car_train.txt line 2',
        'ImageSets/Main/car_train.txt line 3',
      ].toSorted(),
    );
  });

  it('report mask colours without a label', async () => {
    const pixels = [0, 1, 1, 2, 3, 3].flatMap((index) => vocColor(index));
    const files = {
      'labelmap.txt':
        '# c\nbackground:0,0,0::\ncar:128,0,0::\ntall tree:0,128,0::\n\nbroken\ncar:1,2,3::\nx:1,2,999::\n',
      'SegmentationClass/one.png': encodePng({ kind: 'rgb', width: 3, height: 2, pixels: Uint8Array.from(pixels) }),
      'SegmentationObject/one.png': encodePng({ kind: 'grey8', width: 3, height: 1, pixels: new Uint8Array(3) }),
      'SegmentationObject/000004.png': 'x',
      'SegmentationClass/nobody.png': encodePng({ kind: 'grey8', width: 1, height: 1, pixels: new Uint8Array(1) }),
      'SegmentationClass/deep/er/3.png': 'no image',
    };
    const { task, summary } = await read(folderOf(files));
    expect(task.shapes.map(({ label, points }) => [label, points])).toEqual([
      ['car', [0, 2, 1, 0, 2, 0]],
      ['tall tree', [0, 1, 0, 1, 0, 1]],
    ]);
    expect(summary.invalid.map(({ file, at }) => `${file} ${at}`).toSorted()).toEqual(
      [
        'labelmap.txt line 6',
        'labelmap.txt line 7',
        'labelmap.txt line 8',
        'SegmentationClass/one.png the colour 128,128,0',
        'SegmentationObject/one.png the image',
        'SegmentationObject/000004.png the image',
        'SegmentationClass/nobody.png the image',
        'SegmentationClass/deep/er/3.png the image',
      ].toSorted(),
    );
  });

  it('may have masks that compression has blurred, with a tolerance', async () => {
    const flat = Buffer.alloc(64 * 48 * 3);
    for (let index = 0; index < 64 * 48; index += 1) flat.set(index % 64 < 32 ? [255, 0, 0] : [0, 0, 0], index * 3);
    const jpeg = await sharp(flat, { raw: { width: 64, height: 48, channels: 3 } })
      .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
      .toBuffer();
    const path = folderOf({ 'labelmap.txt': 'background:0,0,0::\ncar:255,0,0::\n', 'SegmentationClass/one.jpg': jpeg });
    const exact = await read(path);
    expect(exact.summary.invalidCount).toBeGreaterThan(0);
    expect(exact.summary.invalid.at(-1)?.reason).toMatch(/color_tolerance|no label has this value/);
    const { task, summary } = await read(path, scene, { color_tolerance: 40 });
    expect(summary.invalidCount).toBe(0);
    expect(task.shapes).toMatchObject([{ label: 'car', points: [0, 32 * 48, 0, 0, 31, 47] }]);
  });

  it('may be hostile: entities, depth and size end in a report', async () => {
    const laughs = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><annotation><object><name>&b;</name></object></annotation>`;
    const { summary } = await read(
      folderOf({
        'Annotations/one.xml': laughs,
        'Annotations/two.xml': `<annotation>${'<a>'.repeat(1000)}</annotation>`,
        'Annotations/three.xml': `<annotation><object>${'<a/>'.repeat(300_000)}</object></annotation>`,
        'Annotations/four.xml': '<annotation><object><name>__proto__</name></object></annotation>',
        'Annotations/five.xml': '',
      }),
    );
    expect(summary.invalidCount).toBe(5);
  });
});
