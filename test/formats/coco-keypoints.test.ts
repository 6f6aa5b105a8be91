import { describe, expect, it } from 'vitest';
import { cocoKeypoints } from '../../main/formats/coco/keypoints/index.ts';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import type { Track } from '../../main/formats/kit/task-data.ts';
import { fileOf, folderOf, keyframeOf, runExport, runImport, shapeOf, zipOf } from './support/format-fixtures.ts';
import { scene } from './support/scenes.ts';

interface KeypointsFile {
  readonly categories: readonly {
    readonly id: number;
    readonly name: string;
    readonly keypoints: string[];
    readonly skeleton: number[][];
  }[];
  readonly annotations: readonly Record<string, unknown>[];
}

async function write(options: InMemoryTaskDataOptions) {
  const result = await runExport(cocoKeypoints.exporter, options);
  const text = result.entries.get('annotations/person_keypoints_default.json') ?? 'null';
  return { ...result, file: JSON.parse(text) as KeypointsFile };
}
const read = (path: string, options = scene) => runImport(cocoKeypoints.importer, path, options);

const body = (points: readonly (readonly [x: number, y: number, state: 0 | 1 | 2])[], more: object = {}) =>
  shapeOf({
    type: 'skeleton',
    label: 'body',
    points: [],
    elements: ['head', 'hand "l"', 'foot'].map((label, index) => {
      const [x = 0, y = 0, state = 0] = points[index] ?? [];
      return shapeOf({ type: 'points', label, points: [x, y], occluded: state === 1, outside: state === 0 });
    }),
    ...more,
  });

it('COCO Keypoints round trip preserves a track of a skeleton', async () => {
  const track: Track = {
    label: 'body',
    group: 0,
    attributes: [],
    shapes: [0, 2].map((frame) => keyframeOf({ type: 'skeleton', points: [], frame, outside: frame === 2 })),
    elements: ['head', 'hand "l"', 'foot'].map((label, index) => ({
      label,
      group: 0,
      attributes: [],
      shapes: [0, 1, 2].map((frame) =>
        keyframeOf({ type: 'points', points: [index, frame > 0 ? 7 : 5], frame, outside: frame === 2 }),
      ),
    })),
  };
  const { path } = await write({ ...scene, tracks: [track] });
  const { task, summary } = await read(path);
  expect(summary).toMatchObject({ invalidCount: 0, dropped: [] });
  expect(task.shapes).toEqual([]);
  // A frame on which a point has a keyframe becomes a keyframe of the skeleton.
  expect(task.tracks).toMatchObject([
    {
      label: 'body',
      shapes: [{ frame: 0 }, { frame: 1 }, { frame: 2, outside: true }],
      elements: [{ label: 'head', shapes: track.elements?.[0]?.shapes }, { label: 'hand "l"' }, { label: 'foot' }],
    },
  ]);
  // A point that was never drawn stays undrawn. One that was always hidden keeps its position.
  const [head, hand, foot] = track.elements ?? [];
  const hidden = { ...foot!, shapes: foot!.shapes.map((shape) => ({ ...shape, outside: true })) };
  const partly = { ...track, elements: [head!, hidden] };
  const again = await read((await write({ ...scene, tracks: [partly] })).path);
  expect(again.task.tracks[0]?.elements?.map(({ label }) => label)).toEqual(['head', 'foot']);
  expect(hand?.label).toBe('hand "l"');
});

it('COCO Keypoints begins a point of a track where it is drawn, and keeps its last position', async () => {
  const keyframes = (places: readonly (readonly [frame: number, x: number, outside: boolean])[]) =>
    places.map(([frame, x, outside]) => keyframeOf({ type: 'points', points: [x, x], frame, outside }));
  const track: Track = {
    label: 'body',
    group: 0,
    attributes: [],
    shapes: [0, 1, 2].map((frame) => keyframeOf({ type: 'skeleton', points: [], frame, outside: false })),
    elements: [
      { label: 'head', group: 0, attributes: [], shapes: keyframes([0, 1, 2].map((frame) => [frame, 5, false])) },
      // Not drawn on the first frame, and outside on the last: files have 0, 0 there.
      {
        label: 'foot',
        group: 0,
        attributes: [],
        shapes: keyframes([
          [0, 0, true],
          [1, 9, false],
          [2, 0, true],
        ]),
      },
    ],
  };
  const { task } = await read((await write({ ...scene, tracks: [track] })).path);
  const [, foot] = task.tracks[0]?.elements ?? [];
  expect(foot?.shapes.map(({ frame, points, outside }) => [frame, points[0], outside])).toEqual([
    [1, 9, false],
    [2, 9, true],
  ]);
});

describe('COCO Keypoints files', () => {
  it('count points and lines like the COCO API', async () => {
    const shapes = [
      body([
        [10, 20, 2],
        [30.5, 10, 1],
        [5, 5, 0],
      ]),
    ];
    const { file } = await write({ ...scene, shapes });
    expect(file.categories.map(({ id, name, keypoints, skeleton }) => [id, name, keypoints, skeleton])).toEqual([
      [1, 'car', [], []],
      [2, 'tall tree', [], []],
      [3, 'Hündchen', [], []],
      [4, 'body', ['head', 'hand "l"', 'foot'], [[1, 2]]],
    ]);
    expect(file.annotations).toMatchObject([
      {
        category_id: 4,
        keypoints: [10, 20, 2, 30.5, 10, 1, 5, 5, 0],
        num_keypoints: 2,
        bbox: [10, 10, 20.5, 10],
        area: 205,
        segmentation: [],
        iscrowd: 0,
      },
    ]);
  });

  it("use box and outline of the group's shapes, which the report names", async () => {
    const shapes = [
      body([[10, 20, 2]], { group: 1 }),
      shapeOf({ type: 'polygon', label: 'car', points: [0, 0, 20, 0, 20, 10, 0, 10], group: 1 }),
      body([[1, 2, 2]], { group: 2 }),
      shapeOf({ type: 'rectangle', label: 'car', points: [0, 0, 7, 9], group: 2 }),
      shapeOf({ type: 'rectangle', label: 'car', points: [0, 0, 7, 9], group: 3 }),
    ];
    const { file, summary, path } = await write({ ...scene, shapes });
    expect(file.annotations.map(({ segmentation, bbox, area }) => [segmentation, bbox, area])).toEqual([
      [[[0, 0, 20, 0, 20, 10, 0, 10]], [0, 0, 20, 10], 200],
      [[], [0, 0, 7, 9], 63],
    ]);
    expect(
      summary.dropped.filter(({ type }) => type !== 'skeleton').map(({ type, rule }) => [type, rule.slice(0, 40)]),
    ).toEqual([
      ['polygon', 'COCO Keypoints has no separate polygons:'.slice(0, 40)],
      ['rectangle', 'COCO Keypoints has no separate rectangles'.slice(0, 40)],
      ['rectangle', 'COCO Keypoints has skeletons only.'],
    ]);
    const { task, summary: reading } = await read(path);
    expect(task.shapes.map(({ type }) => type)).toEqual(['skeleton', 'skeleton']);
    expect(reading.dropped).toMatchObject([{ type: 'outline', count: 1 }]);
  });

  const document = (
    annotations: readonly object[],
    categories: readonly object[] = [{ id: 0, name: 'body', keypoints: ['foot', 'head', 'tail'] }],
  ) =>
    JSON.stringify({
      images: [{ id: 7, file_name: 'one.jpg', width: 64, height: 48 }],
      categories,
      annotations: annotations.map((one, id) => ({ id, image_id: 7, category_id: 0, bbox: [1, 2, 3, 4], ...one })),
    });
  const points = { keypoints: [1, 2, 2, 3, 4, 1, 0, 0, 0], num_keypoints: 2 };

  it('are read by the names of their points, in an archive, a folder or alone', async () => {
    const text = document([points]);
    for (const path of [
      fileOf('a.json', text),
      await zipOf({ 'x/annotations/person_keypoints_train.json': text, 'x/annotations/instances_train.json': '{}' }),
      folderOf({ 'annotations/people.json': text }),
    ]) {
      const { task, summary } = await read(path);
      expect(summary.invalidCount).toBe(0);
      expect(task.shapes).toMatchObject([
        {
          type: 'skeleton',
          label: 'body',
          elements: [
            { label: 'foot', points: [1, 2], occluded: false, outside: false },
            { label: 'head', points: [3, 4], occluded: true },
          ],
        },
      ]);
    }
  });

  it('are read by the order of their points if no name fits', async () => {
    const text = document([points], [{ id: 0, name: 'body', keypoints: ['p1', 'p2', 'p3'] }]);
    const { task } = await read(fileOf('a.json', text));
    expect(task.shapes[0]?.elements?.map(({ label }) => label)).toEqual(['head', 'hand "l"', 'foot']);
  });

  it('report every loss', async () => {
    const text = document([
      { keypoints: [1, 2, 2, 3, 4, 1, 5, 6, 2] },
      { keypoints: [1, 2] },
      { keypoints: 'x' },
      { keypoints: [1, 2, 3, 1, 2, 2, 1, 2, 2] },
      { keypoints: [1, null, 2, 1, 2, 2, 1, 2, 2] },
      { keypoints: [0, 0, 0, 0, 0, 0, 0, 0, 0] },
      {},
      { keypoints: points.keypoints, segmentation: [[0, 0, 5, 0, 5, 5]] },
      { keypoints: points.keypoints, attributes: { occluded: 'maybe' } },
    ]);
    const { task, summary } = await read(fileOf('a.json', text));
    expect(task.shapes).toHaveLength(3);
    expect(summary.invalid.map(({ at }) => at)).toEqual([
      'annotations[1].keypoints',
      'annotations[2].keypoints',
      'annotations[3].keypoints[2]',
      'annotations[4].keypoints[1]',
    ]);
    expect(summary.dropped.map(({ type, count }) => [type, count])).toEqual([
      ['points', 1],
      ['skeleton', 2],
      ['outline', 1],
      ['attribute', 1],
    ]);
  });

  it('report missing points of a row', async () => {
    const { task, summary } = await read(fileOf('a.json', document([{ keypoints: [1, 2, 2] }])));
    expect(task.shapes[0]?.elements).toHaveLength(1);
    expect(summary.dropped).toMatchObject([
      { type: 'points', rule: expect.stringContaining('fewer points'), count: 2 },
    ]);
  });

  it('give boxes and outlines for labels other than skeletons', async () => {
    const categories = [{ id: 0, name: 'car', keypoints: ['a', 'b', 'c'] }];
    const { task, summary } = await read(fileOf('a.json', document([points, {}], categories)));
    expect(task.shapes.map(({ type, label, points: numbers }) => [type, label, numbers])).toEqual([
      ['rectangle', 'car', [1, 2, 4, 6]],
      ['rectangle', 'car', [1, 2, 4, 6]],
    ]);
    expect(summary.dropped).toMatchObject([
      { type: 'skeleton', count: 1, rule: expect.stringContaining('is not a skeleton') },
    ]);
  });
});
