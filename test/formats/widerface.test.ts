import { describe, expect, it } from 'vitest';
import { widerFace } from '../../main/formats/widerface/index.ts';
import { bothWays, folderOf, inExtraFolder, shapeOf, zipOf } from './support/format-fixtures.ts';
import { attributeOf, scene } from './support/scenes.ts';

const { write, read } = bothWays(widerFace, scene);

const list = 'wider_face_split/wider_face_default_bbx_gt.txt';

describe('WiderFace round trip', () => {
  it('preserves the six values of a box', async () => {
    const values = { blur: '2', expression: '0', illumination: 'x', pose: 'true', invalid: 'false' };
    const labels = [
      {
        name: 'face',
        attributes: Object.keys(values).map((name) => attributeOf(name, name === 'pose' ? 'checkbox' : 'text')),
      },
    ];
    const attributes = Object.entries(values).map(([name, value]) => ({ name, value }));
    const box = { type: 'rectangle', label: 'face', points: [0.1, 0.2, 0.3, 5] } as const;
    const shapes = [
      shapeOf({ ...box, attributes, occluded: true }),
      shapeOf({ ...box, attributes: attributes.slice(0, 1) }),
      shapeOf(box),
    ];
    const { path, summary, entries } = await write({ ...scene, labels, shapes });
    expect(entries.get(list)?.split('\n').slice(0, 5)).toEqual([
      'no_label/one.jpg',
      '3',
      '0.1 0.2 0.2 4.8 2 0 x 1 true false',
      '0.1 0.2 0.2 4.8 2 - - - - -',
      '0.1 0.2 0.2 4.8',
    ]);
    expect(entries.get('labels.txt')).toBe('face');
    expect(summary).toMatchObject({ dropped: [], warnings: [] });
    const { task } = await read(path, { ...scene, labels });
    expect(
      task.shapes.map((shape) => ({ ...shape, source: undefined, attributes: shape.attributes.toSorted() })),
    ).toEqual(shapes.map((shape) => ({ ...shape, source: undefined })));
  });

  it('reports dropped data', async () => {
    const labels = [
      { name: 'face', attributes: [attributeOf('occluded', 'text'), attributeOf('blur', 'text')] },
      { name: 'a/b' },
      { name: 'c.jpg' },
    ];
    const box = { type: 'rectangle', points: [1, 1, 2, 2] } as const;
    const shapes = [
      shapeOf({
        ...box,
        label: 'face',
        attributes: [
          { name: 'occluded', value: '2' },
          { name: 'blur', value: 'very much' },
          { name: 'other', value: 'x' },
        ],
        rotation: 10,
        score: 0.5,
        group: 3,
      }),
      shapeOf({ ...box, label: 'a/b' }),
      shapeOf({ ...box, label: 'c.jpg' }),
      shapeOf({ ...box, label: 'face', points: [Number.NaN, 1, 2, 2] }),
    ];
    const tag = { frame: 0, label: 'face', attributes: [], group: 0 };
    const { summary, path } = await write({
      ...scene,
      labels,
      shapes,
      tags: [tag, tag, { ...tag, frame: 1, label: 'a/b' }],
    });
    expect(summary.dropped.map(({ type, label, rule }) => `${type} ${label}: ${rule}`)).toEqual([
      'attribute face: WiderFace has no field for the attribute "other".',
      'rectangle face: WiderFace has no groups.',
      'rectangle face: WiderFace has no score.',
      'rectangle face: WiderFace has no rotation.',
      'rectangle a/b: WiderFace has labels in rows, and this one would make the row unreadable.',
      'rectangle c.jpg: WiderFace has labels in rows, and this one would make the row unreadable.',
      'rectangle face: Its coordinates are not four finite numbers.',
      'attribute face: WiderFace has values of one word: "blur" has another value.',
      'rectangle face: WiderFace has one value for "occluded": the attribute was written.',
      'tag face: WiderFace has one image-level label.',
      'tag a/b: WiderFace has a folder for each label, and this label is not a valid folder name.',
    ]);
    const { task, summary: reading } = await read(path, { ...scene, labels });
    expect(reading.invalidCount).toBe(0);
    expect(task.shapes).toMatchObject([{ occluded: true, attributes: [{ name: 'occluded', value: '2' }] }]);
  });

  it('adds images in the folders of their labels', async () => {
    const images = new Map([[0, { extension: '.jpg', bytes: Buffer.from('1') }]]);
    const tags = [{ frame: 0, label: 'tall tree', attributes: [], group: 0 }];
    const { entries } = await write({ ...scene, images, tags }, true);
    expect([...entries.keys()]).toEqual(['WIDER_default/images/1--tall tree/one.jpg', 'labels.txt', list]);
  });
});

describe('WiderFace datasets', () => {
  const files = {
    'wider_face_split/wider_face_train_bbx_gt.txt':
      '0--Parade/one.jpg\n1\n10 11 5 6 0 0 0 0 0 0 \n1--Run/000004.jpg\n0\n0 0 0 0 0 0 0 0 0 0\n1--Run\\deep\\er\\3.jpg\n2\n1 2 3 4 1 0 0 2 0 0\n5 6 7 8\n',
  };
  const labels = [{ name: 'face', attributes: [attributeOf('blur', 'text')] }];
  it('are read with or without an extra folder', async () => {
    for (const path of [folderOf(files), await zipOf(inExtraFolder(files))]) {
      const { task, summary } = await read(path, { ...scene, labels });
      expect(summary.invalidCount).toBe(0);
      expect(
        task.shapes.map(({ frame, points, occluded, attributes }) => [frame, points, occluded, attributes]),
      ).toEqual([
        [0, [10, 11, 15, 17], false, [{ name: 'blur', value: '0' }]],
        [2, [1, 2, 4, 6], true, [{ name: 'blur', value: '1' }]],
        [2, [5, 6, 12, 14], false, []],
      ]);
      expect(summary.dropped.map(({ type, label, count }) => [type, label, count])).toEqual([
        ['tag', 'Parade', 1],
        ['tag', 'Run', 2],
      ]);
    }
  });

  it('report every loss', async () => {
    const lines = [
      '1 2 3 4',
      'a/one.jpg',
      '4',
      '1 2 x 4',
      '1 2 -3 4',
      '1 2',
      '1 2 3 4 plane',
      '1 2 3 1e999',
      'a/nobody.jpg',
      '2',
      '1 2 3 4',
      '1 2 3 4',
    ];
    const path = folderOf({ 'wider_face_split/wider_face_a_bbx_gt.txt': lines.join('\n') });
    const { task, summary } = await read(path, { ...scene, labels });
    expect(task.shapes).toEqual([]);
    expect(summary.invalid.map(({ at, reason }) => `${at}: ${reason}`)).toEqual([
      'line 1: the file must start with the name of an image',
      'line 4: "x" is not a number',
      'line 5: the width or height is negative',
      'line 6: a row must start with x, y, width and height',
      'line 7: rectangle: Label "plane" is not registered for this task.',
      'line 8: "1e999" is not a number',
      'line 2: the file states 4 rows for the image, but has 2',
      'line 9: image "a/nobody.jpg" is not in the task: its 2 objects were left out',
    ]);
  });

  it('give their boxes to the only label of a task without "face"', async () => {
    const { task, summary } = await read(folderOf(files), { ...scene, labels: [{ name: 'head' }] });
    expect(task.shapes.map(({ label }) => label)).toEqual(['head', 'head', 'head']);
    expect(summary.warnings).toEqual([expect.stringContaining('"head"')]);
  });
});
