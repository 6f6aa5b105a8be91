import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LabeledShape } from '../../main/formats/kit/task-data.ts';
import { vggFace2 } from '../../main/formats/vggface2/index.ts';
import { bothWays, folderOf, inExtraFolder, shapeOf, zipOf } from './support/format-fixtures.ts';
import { faceShapes, inOrder, scene, sceneTags } from './support/scenes.ts';

const { write, read, thereAndBack } = bothWays(vggFace2, scene);

const face = [1, 1.5, 2, 2, 3, 3, 4, 4, 5, 5];
const landmarks = (label: string, frame = 0) => shapeOf({ type: 'points', label, points: face, frame });
const box = (label: string, frame = 0) => shapeOf({ type: 'rectangle', label, points: [0.1, 0.2, 0.3, 5], frame });
const boxFile = 'bb_landmark/loose_bb_default.csv';
const landmarkFile = 'bb_landmark/loose_landmark_default.csv';

function byKind(shapes: readonly LabeledShape[]): LabeledShape[] {
  return shapes.toSorted((a, b) => (`${a.frame} ${a.type} ${a.label}` < `${b.frame} ${b.type} ${b.label}` ? -1 : 1));
}

describe('VGGFace2 round trip', () => {
  it('preserves a box and landmarks of each label on an image, and labels of images', async () => {
    await fc.assert(
      fc.asyncProperty(faceShapes, sceneTags, async (shapes, drawnTags) => {
        const tags = [...new Map(drawnTags.map((tag) => [`${tag.frame} ${tag.label}`, tag])).values()];
        const { task } = await thereAndBack({ ...scene, shapes, tags });
        expect(byKind(task.shapes)).toEqual(byKind(shapes));
        expect(inOrder(task.tags)).toEqual(inOrder(tags).map((tag) => ({ ...tag, source: 'file' })));
      }),
      { numRuns: 20 },
    );
  });

  it('writes the rows that other programs read', async () => {
    const tags = [{ frame: 0, label: 'tall tree', attributes: [], group: 0 }];
    const images = new Map([[0, { extension: '.jpg', bytes: Buffer.from('1') }]]);
    const { entries } = await write({ ...scene, shapes: [box('car'), landmarks('car')], tags, images }, true);
    expect(entries.get(boxFile)).toBe('NAME_ID,X,Y,W,H\ncar/one,0.1,0.2,0.2,4.8\n');
    expect(entries.get(landmarkFile)).toBe(
      `NAME_ID,P1X,P1Y,P2X,P2Y,P3X,P3Y,P4X,P4Y,P5X,P5Y\ntall tree/one,,,,,,,,,,\ncar/one,${face.join(',')}\n` +
        'no_label/a b/Ünïcode 写,,,,,,,,,,\nno_label/deep/er/3,,,,,,,,,,\nno_label/000004,,,,,,,,,,\n',
    );
    expect(entries.get('labels.txt')).toBe('car\ntall tree\nHündchen\nbody\n');
    expect([...entries.keys()].filter((name) => name.startsWith('default/'))).toEqual([
      'default/tall tree/one.jpg',
      'default/car/one.jpg',
    ]);
  });

  it('adds no second folder for images that are in that of their label', async () => {
    const frames = ['car/1.jpg', 'one.jpg', 'car/one.jpg'].map((name) => ({ name }));
    const { path, entries, summary } = await write({
      ...scene,
      frames,
      shapes: [box('car'), box('car', 1), box('car', 2)],
    });
    expect(entries.get(boxFile)).toContain('\ncar/1,');
    expect(summary.dropped).toEqual([
      { type: 'rectangle', label: 'car', count: 1, rule: expect.stringContaining('the same name as another one') },
    ]);
    expect((await read(path, { ...scene, frames })).task.shapes.map(({ frame }) => frame)).toEqual([0, 1]);
  });

  it('exports or reports every object', async () => {
    const labels = [{ name: 'car' }, { name: 'no_label' }];
    const tag = { frame: 0, label: 'car', attributes: [], group: 0 };
    const { summary } = await write({
      ...scene,
      labels,
      shapes: [box('car'), box('car'), landmarks('no_label'), { ...landmarks('car'), points: [1, 2] }],
      tags: [tag, tag],
    });
    expect(summary.dropped.map(({ type, label, rule }) => `${type} ${label}: ${rule}`)).toEqual([
      'rectangle car: VGGFace2 has one box per label and image.',
      'points no_label: VGGFace2 reserves this folder name for images without a label.',
      'points car: VGGFace2 needs five landmarks of a face: this has 1 points.',
      'tag car: The image has this label twice.',
    ]);
  });
});

describe('VGGFace2 datasets', () => {
  const header = 'NAME_ID,X,Y,W,H\n';
  const landmarkHeader = 'NAME_ID,P1X,P1Y,P2X,P2Y,P3X,P3Y,P4X,P4Y,P5X,P5Y\n';
  const files = {
    'bb_landmark/loose_bb_test.csv': `${header}"n1/one",1,2,3,4\n`,
    'bb_landmark/loose_landmark_test.csv': `${landmarkHeader}n1/one,${face.join(',')}\nn2/000004,,,,,,,,,,\n`,
    'labels.txt': 'n1 car\nn2 plane\n',
  };
  it('may name persons by number or by name', async () => {
    for (const path of [folderOf(files), await zipOf(inExtraFolder(files))]) {
      const { task, summary } = await read(path, { ...scene, labels: [{ name: 'car' }, { name: 'n2' }] });
      expect(summary.invalidCount).toBe(0);
      expect(task.shapes.map(({ type, label, points }) => [type, label, points])).toEqual([
        ['rectangle', 'car', [1, 2, 4, 6]],
        ['points', 'car', face],
      ]);
      expect(task.tags.map(({ frame, label }) => [frame, label])).toEqual([[3, 'n2']]);
    }
  });

  it('report every loss', async () => {
    const { task, summary } = await read(
      folderOf({
        'bb_landmark/loose_bb_a.csv': `${header}car/one,1,2,x,4\ncar/one,1,2,-3,4\ncar/nobody,1,2,3,4\none,1,2,3,4\n,1,2,3,4\nplane/one,1,2,3,4\ncar/one,,,,\ncar/one,1,2,3\n`,
        'bb_landmark/loose_landmark_a.csv': 'NAME_ID,P1X\ncar/one,3\n',
      }),
    );
    expect(task.shapes).toEqual([]);
    expect(summary.invalid.map(({ file, at }) => `${file.slice(18)} ${at}`)).toEqual([
      'bb_a.csv line 2',
      'bb_a.csv line 3',
      'bb_a.csv line 4',
      'bb_a.csv line 5',
      'bb_a.csv line 6',
      'bb_a.csv line 7',
      'bb_a.csv line 9',
      'landmark_a.csv line 2',
      'landmark_a.csv line 1',
    ]);
  });
});
