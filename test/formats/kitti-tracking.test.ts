import { describe, expect, it } from 'vitest';
import { kittiTracking } from '../../main/formats/kitti/tracking/index.ts';
import { visDrone } from '../../main/formats/visdrone/index.ts';
import { bothWays, folderOf, shapeOf } from './support/format-fixtures.ts';
import { attributeOf, oneTrack, scene } from './support/scenes.ts';

const kitti = bothWays(kittiTracking, scene);
const drone = bothWays(visDrone, scene);
const space = '-1 -1 -1 -1000 -1000 -1000 -10';

describe('KITTI Tracking', () => {
  it('preserves tracks and single boxes, like its development kit reads them', async () => {
    const single = shapeOf({ type: 'rectangle', label: 'car', points: [1, 2, 11.5, 14], occluded: true, frame: 3 });
    const { path, entries, summary } = await kitti.write({ ...scene, shapes: [single], tracks: [oneTrack] });
    expect(summary.dropped).toEqual([]);
    expect(entries.get('training/label_02/0000.txt')).toBe(
      [
        `0 0 tall tree 0.0 0 -10 0 0 10 10 ${space}`,
        `1 0 tall tree 0.0 0 -10 1 0 10 10 ${space}`,
        `3 -1 car 0.0 1 -10 1 2 11.5 14 ${space}`,
        '',
      ].join('\n'),
    );
    const { task, summary: reading } = await kitti.read(path);
    expect(reading.invalidCount).toBe(0);
    expect(task.tracks).toMatchObject([oneTrack]);
    expect(task.shapes).toMatchObject([{ label: 'car', frame: 3, points: [1, 2, 11.5, 14], occluded: true }]);
  });

  it('reads labels with spaces that the task does not have, and warns that other programs cannot', async () => {
    const labels = [{ name: 'two words' }];
    const box = shapeOf({ type: 'rectangle', label: 'two words', points: [1, 2, 11, 14] });
    const { path, summary } = await kitti.write({ ...scene, labels, shapes: [box, { ...box, score: 0.5 }] });
    expect(summary.warnings).toEqual([expect.stringContaining('"two words"')]);
    const { summary: reading } = await kitti.read(path, { ...scene, labels: [] });
    expect(reading.invalid.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 2 }, () => 'rectangle: Label "two words" is not registered for this task.'),
    );
  });

  it('distinguishes videos by the folders of their images, and reports unreadable rows', async () => {
    const frames = ['0000/000000.png', '0000/000001.png', '0001/000000.png'].map((name) => ({
      name: `image_02/${name}`,
    }));
    const row = (frame: number, track: number) => `${frame} ${track} car 0 2 -10 1 1 5 4 1.5 1.6 3.9 2 1 9 0`;
    const files = {
      'training/label_02/0000.txt': `${row(0, 3)}\n${row(1, 3)}\n`,
      'training/label_02/0001.txt': `${row(0, 3)}\n${row(7, 3)}\n0 car 1 2\n`,
    };
    const { task, summary } = await kitti.read(folderOf(files), { ...scene, frames });
    expect(task.tracks.map(({ shapes }) => shapes.filter(({ outside }) => !outside).map(({ frame }) => frame))).toEqual(
      [[0, 1], [2]],
    );
    expect(summary.invalid.map(({ file, at }) => `${file} ${at}`)).toEqual([
      'training/label_02/0001.txt line 2',
      'training/label_02/0001.txt line 3',
    ]);
    expect(summary.dropped.map(({ rule, count }) => `${count}: ${rule}`)).toEqual([
      '3: A 2D box has no location and extent in 3D.',
      '3: Degrees of occlusion become one flag.',
    ]);
  });
});

describe('VisDrone', () => {
  it('preserves boxes of its labels, and reports other labels', async () => {
    const box = { type: 'rectangle' as const, points: [1, 2, 11, 14], source: 'file' as const };
    const labels = [...scene.labels, { name: 'pedestrian' }];
    const shapes = [
      shapeOf({ ...box, label: 'car', occluded: true, score: 0.5 }),
      shapeOf({ ...box, label: 'pedestrian', frame: 1, attributes: [{ name: 'ignored', value: 'true' }] }),
      shapeOf({ ...box, label: 'tall tree' }),
    ];
    const { path, entries, summary } = await drone.write({ ...scene, labels, shapes });
    expect(entries.get('default/annotations/one.txt')).toBe('1,2,10,12,0.5,4,0,1\n');
    expect(summary.dropped).toMatchObject([
      { label: 'tall tree', count: 1, rule: expect.stringContaining('twelve labels') },
    ]);
    const target = {
      ...scene,
      labels: [...scene.labels, { name: 'pedestrian', attributes: [attributeOf('ignored')] }],
    };
    const { task } = await drone.read(path, target);
    expect(task.shapes).toEqual(shapes.slice(0, 2));
  });

  it('writes integer pixels, which its readers expect, and reports rounded corners', async () => {
    const at = (points: number[]) => shapeOf({ type: 'rectangle', label: 'car', points });
    const shapes = [at([1.4, 2.6, 3.5, 4.2]), at([1.1, 1, 1.3, 4]), at([0, 0, 2, 3])];
    const { entries, summary } = await drone.write({ ...scene, shapes });
    expect(entries.get('default/annotations/one.txt')).toBe('1,3,3,1,1,4,0,0\n1,1,1,3,1,4,0,0\n0,0,2,3,1,4,0,0\n');
    expect(summary.dropped).toMatchObject([
      { label: 'car', count: 2, rule: expect.stringContaining('integer coordinates') },
    ]);
  });

  it('reports unreadable rows', async () => {
    const text = '1,1,4,3,1,4,0,2\n1,1,4,3,1,4\n1,1,4,x,1,4,0,0\n1,1,4,3,1,12,0,0\n\n1,1,4,3,0,4,1,0,\n';
    const { task, summary } = await drone.read(folderOf({ 'annotations/one.txt': text }));
    expect(task.shapes).toMatchObject([{ occluded: true }, { occluded: false }]);
    expect(summary.invalid.map(({ at }) => at)).toEqual(['line 2', 'line 3', 'line 4']);
    expect(summary.dropped.map(({ rule }) => rule)).toContain('Degrees of occlusion become one flag.');
  });
});
