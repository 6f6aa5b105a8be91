import { expect, test } from 'vitest';
import type { DatasetExportOptions } from '../../../preload/contract/schema/export-options.ts';
import { createInMemoryTaskData } from '../../../main/formats/kit/in-memory-task-data.ts';
import { createFormatReport } from '../../../main/formats/kit/report.ts';
import type { LabeledShape } from '../../../main/formats/kit/task-data.ts';
import { applyExportOptions } from '../../../main/import-export/export-options/apply-export-options.ts';

const shape = (
  frame: number,
  label: string,
  type: LabeledShape['type'],
  points: number[],
  rest = {},
): LabeledShape => ({
  frame,
  label,
  type,
  points,
  occluded: false,
  attributes: [],
  group: 0,
  z_order: 0,
  ...rest,
});

const frames = Array.from({ length: 100 }, (_unused, index) => ({
  name: `street ${index % 10}/frame_${String(index).padStart(3, '0')}.jpg`,
  width: 200,
  height: 100,
}));

/** A car on every frame, a person on every tenth, a tree on the last five. */
const shapes = frames.flatMap((_unused, frame) => [
  shape(frame, 'car', 'rectangle', [10, 20, 30, 60]),
  ...(frame % 10 === 0 ? [shape(frame, 'person', 'polygon', [0, 0, 40, 0, 40, 20])] : []),
  ...(frame >= 95 ? [shape(frame, 'tree', 'ellipse', [50, 50, 60, 40])] : []),
]);

function arrange(
  exportOptions: DatasetExportOptions,
  given: Partial<Parameters<typeof createInMemoryTaskData>[0]> = {},
  onlyAnnotated = false,
) {
  const plain = createInMemoryTaskData({
    frames,
    labels: [{ name: 'car' }, { name: 'person' }, { name: 'tree' }],
    shapes,
    ...given,
  });
  return applyExportOptions(plain, {
    exportOptions,
    onlyAnnotated,
    report: createFormatReport(),
    copyPicture: async (image) => image,
    checkCancelled: () => undefined,
  }).view;
}

const subsetsOf = (view: ReturnType<typeof arrange>) =>
  Object.fromEntries(
    [...Map.groupBy([...view.frames], ({ subset }) => subset)].map(([subset, found]) => [subset, found.length]),
  );

const parts = [
  { name: 'train', share: 80 },
  { name: 'val', share: 10 },
  { name: 'test', share: 10 },
];

test('splits frames randomly into exact shares, the same with the same seed', () => {
  const once = arrange({ split: { parts, seed: 7 } });
  expect(subsetsOf(once)).toEqual({ train: 80, val: 10, test: 10 });
  const places = (view: typeof once) => [...view.frames].map(({ subset }) => subset).join();
  expect(places(arrange({ split: { parts, seed: 7 } }))).toBe(places(once));
  expect(places(arrange({ split: { parts, seed: 8 } }))).not.toBe(places(once));
});

test.each([
  ['folder', { keep_together: 'folder' as const }],
  ['name', { keep_together: 'name' as const, name_pattern: '^street (\\d)' }],
])('keeps frames of one %s in one part', (_what, choice) => {
  const view = arrange({ split: { parts, ...choice } });
  const subsetsOfFolder = Map.groupBy([...view.frames], ({ name }) => name.split('/')[0]);
  for (const found of subsetsOfFolder.values()) expect(new Set(found.map(({ subset }) => subset)).size).toBe(1);
  expect(subsetsOf(view)).toEqual({ train: 80, val: 10, test: 10 });
});

test('stratified, every part has its share of each label', () => {
  const view = arrange({
    split: {
      parts: [
        { name: 'train', share: 4 },
        { name: 'val', share: 1 },
      ],
      stratified: true,
    },
  });
  const counts = new Map<string, number>();
  for (const frame of view.group_by_frame()) {
    for (const { label } of frame.labeled_shapes) {
      const key = `${frame.subset} ${label}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  expect(Object.fromEntries(counts)).toMatchObject({
    'train person': 8,
    'val person': 2,
    'train tree': 4,
    'val tree': 1,
    'train car': 80,
    'val car': 20,
  });
});

test('writes the selected labels in order with their new names; two may become one', () => {
  const view = arrange({ labels: [{ name: 'tree' }, { name: 'car', as: 'thing' }, { name: 'person', as: 'thing' }] });
  expect(view.meta.labels.map(({ name }) => name)).toEqual(['tree', 'thing']);
  expect(
    Object.fromEntries(
      Map.groupBy([...view.shapes], ({ label }) => label)
        .entries()
        .map(([label, found]) => [label, found.length]),
    ),
  ).toEqual({
    thing: 110,
    tree: 5,
  });
  expect(() => arrange({ labels: [{ name: 'ship' }] })).toThrow('Cannot export the label "ship"');
});

test('skips frames without remaining objects', () => {
  const view = arrange({ labels: [{ name: 'tree' }] }, {}, true);
  expect([...view.frames].map(({ frame }) => frame)).toEqual([95, 96, 97, 98, 99]);
  expect(view.frame_count).toBe(5);
});

test('converts kinds with their attributes', () => {
  const mask = [0, 4, 5, 5, 6, 6];
  const attributes = [{ name: 'color', value: 'red' }];
  const view = arrange(
    { shapes: { mask: 'rectangle', ellipse: 'polygon', rectangle: 'polygon', polygon: 'mask' } },
    {
      shapes: [
        shape(0, 'car', 'mask', mask, { attributes }),
        shape(0, 'car', 'rectangle', [1, 2, 3, 4]),
        shape(0, 'car', 'polygon', [10, 10, 14, 10, 14, 12, 10, 12]),
        shape(0, 'tree', 'ellipse', [50, 50, 60, 40]),
      ],
    },
  );
  const [box, ring, painted, round] = [...view.group_by_frame()][0]!.labeled_shapes;
  expect(box).toMatchObject({ type: 'rectangle', points: [5, 5, 7, 7], attributes });
  expect(ring).toMatchObject({ type: 'polygon', points: [1, 2, 3, 2, 3, 4, 1, 4] });
  expect(painted).toMatchObject({ type: 'mask', points: [0, 8, 10, 10, 13, 11] });
  const xs = round!.points.filter((_value, index) => index % 2 === 0);
  expect([Math.min(...xs), Math.max(...xs)]).toEqual([40, 60]);
});

test('drops objects below the minimum area', () => {
  const view = arrange(
    { minimum_area: 500 },
    {
      shapes: [
        shape(0, 'car', 'rectangle', [0, 0, 10, 49]),
        shape(0, 'car', 'rectangle', [0, 0, 10, 50]),
        shape(0, 'car', 'polyline', [0, 0, 1, 1]),
      ],
    },
  );
  expect([...view.shapes].map(({ points }) => points)).toEqual([
    [0, 0, 10, 50],
    [0, 0, 1, 1],
  ]);
});

test('scales objects with their images, masks and keyframes too', () => {
  const keyframe = {
    type: 'rectangle' as const,
    occluded: false,
    outside: false,
    keyframe: true,
    attributes: [],
    z_order: 0,
  };
  const view = arrange(
    { images: { longest_side: 100 }, names: 'numbered' },
    {
      shapes: [shape(0, 'car', 'rectangle', [10, 20, 30, 60]), shape(0, 'car', 'mask', [0, 16, 4, 4, 7, 7])],
      tracks: [{ label: 'car', group: 0, shapes: [{ ...keyframe, frame: 0, points: [2, 4, 6, 8] }] }],
    },
  );
  const [frame] = view.group_by_frame();
  expect(frame).toMatchObject({ width: 100, height: 50, name: '000001.jpg' });
  expect(frame!.labeled_shapes.map(({ points }) => points)).toEqual([
    [5, 10, 15, 30],
    [0, 4, 2, 2, 3, 3],
    [1, 2, 3, 4],
  ]);
  expect([...view.tracks][0]!.shapes[0]!.points).toEqual([1, 2, 3, 4]);
});

test('writes the selected frames and subsets, and renames converted images', () => {
  const two = [
    { name: 'a.png', subset: 'x' },
    { name: 'a.jpg', subset: 'x' },
    { name: 'b.png', subset: 'y' },
  ];
  const view = arrange({ frames: '0-1', images: { format: 'jpeg' } }, { frames: two, shapes: [] });
  expect([...view.frames].map(({ name }) => name)).toEqual(['a.jpg', 'a-2.jpg']);
  expect([...arrange({ subsets: ['y'] }, { frames: two, shapes: [] }).frames].map(({ name }) => name)).toEqual([
    'b.png',
  ]);
  expect(() => arrange({ subsets: ['z'] })).toThrow('The selection contains no frames');
});

test("a project's tags are those of the exported frames, each with its task", () => {
  const taskOf = (frame: number): number => (frame < 50 ? 1 : 2);
  const ofTasks = frames.map((frame, index) => ({
    ...frame,
    task_id: taskOf(index),
    subset: index % 2 === 0 ? 'even' : 'odd',
  }));
  const tags = [3, 60, 71].map((frame) => ({
    frame,
    label: 'car',
    attributes: [],
    group: 0,
    task_id: taskOf(frame),
  }));
  const meta = { kind: 'project' as const };
  const view = arrange({ subsets: ['odd'], labels: [{ name: 'car', as: 'vehicle' }] }, { meta, frames: ofTasks, tags });
  expect([...view.tags].map(({ frame, label, task_id }) => ({ frame, label, task_id }))).toEqual([
    { frame: 3, label: 'vehicle', task_id: 1 },
    { frame: 71, label: 'vehicle', task_id: 2 },
  ]);
});
