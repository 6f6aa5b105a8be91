import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { datumaro } from '../../main/formats/datumaro/index.ts';
import type { LabeledShape } from '../../main/formats/kit/task-data.ts';
import { runExport, runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';
import { attributeOf, pointOf, scene } from '../formats/support/scenes.ts';

interface DatumaroFile {
  readonly info: object;
  readonly categories: {
    readonly label: { readonly labels: readonly object[]; readonly attributes: readonly string[] };
    readonly mask?: object;
    readonly points: { readonly items: readonly object[] };
  };
  readonly items: readonly { readonly id: string; readonly annotations: readonly Record<string, unknown>[] }[];
}

const read = (path: string, options = scene) => runImport(datumaro.importer, path, options);

describe('Datumaro files of other tools', () => {
  const folder = join(sharedFixtures, 'datumaro/cvat-datumaro');
  const text = (name: string) => attributeOf(name);
  const labels = ['cat0', 'cat1', 'cat2', 'cat3', 'cat4'].map((name) => ({
    name,
    attributes: ['x', 'y', 'a', 'b'].map(text),
  }));
  const frames = ['100.jpg', '21.jpg', '2.jpg', '1.jpg', '42.jpg', '43.qq'].map((name) => ({
    name,
    width: 6,
    height: 10,
  }));

  it('diverse: imports every type of four subsets, and reports unsupported data', async () => {
    const { task, summary } = await read(join(folder, 'diverse'), { frames, labels });
    const xy = [
      { name: 'x', value: '1' },
      { name: 'y', value: '2' },
    ];
    expect(task.tags).toEqual([
      { frame: 0, label: 'cat2', attributes: xy, group: 0 },
      { frame: 1, label: 'cat2', attributes: [], group: 0 },
    ]);
    const common = { frame: 0, occluded: false, group: 0 };
    expect(task.shapes).toEqual([
      { ...common, type: 'rectangle', label: 'cat4', points: [1, 2, 4, 6], attributes: [], z_order: 1, score: 1 },
      { ...common, type: 'points', label: 'cat0', points: [1, 2, 2, 0, 1, 1], attributes: xy, z_order: 4 },
      { ...common, type: 'mask', label: 'cat3', points: [0, 6, 0, 0, 2, 1], attributes: xy, z_order: 2 },
    ]);
    expect(summary.dropped.map(({ type, count }) => [type, count])).toEqual([
      ['cuboid_3d', 1],
      ['caption', 3],
    ]);
    expect(summary.invalid.map(({ file, at }) => `${file} ${at}`)).toEqual([
      'annotations/train.json items[0].annotations[4].label_id',
      'annotations/train.json items[1].annotations[2].label_id',
      'annotations/val.json items[0].annotations[0].label_id',
      'annotations/val.json items[0].annotations[1].label_id',
    ]);
  });

  it("with_skeleton: imports points in the file's order, with their attributes", async () => {
    const sublabel = (name: string, ...attributes: ReturnType<typeof text>[]) => ({ ...pointOf(name), attributes });
    const skeleton = {
      name: 'skeleton-label',
      type: 'skeleton',
      sublabels: [
        sublabel('point1-label'),
        sublabel('point2-label', text('point2-attribute-text')),
        sublabel('point3-label', attributeOf('point3-attribute-checkbox', 'checkbox')),
      ],
    };
    const { task, summary } = await read(join(folder, 'with_skeleton'), { frames, labels: [skeleton] });
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [] });
    expect(task.shapes).toMatchObject([
      {
        type: 'skeleton',
        label: 'skeleton-label',
        elements: [
          { label: 'point1-label', points: [0.9, 3.53], outside: false, occluded: false, attributes: [] },
          {
            label: 'point3-label',
            points: [2.45, 7.6],
            attributes: [{ name: 'point3-attribute-checkbox', value: 'true' }],
          },
          {
            label: 'point2-label',
            points: [5.2, 2.5],
            attributes: [{ name: 'point2-attribute-text', value: 'some text' }],
          },
        ],
      },
    ]);
    const { path, entries } = await runExport(datumaro.exporter, { frames, labels: [skeleton], shapes: task.shapes });
    const { task: again } = await read(path, { frames, labels: [skeleton] });
    const sorted = (list: readonly LabeledShape[]) =>
      list.map((shape) => ({ ...shape, elements: shape.elements?.toSorted((a, b) => (a.label < b.label ? -1 : 1)) }));
    expect(sorted(again.shapes)).toEqual(sorted(task.shapes));
    const original = JSON.parse(
      readFileSync(join(folder, 'with_skeleton/annotations/default.json'), 'utf8'),
    ) as DatumaroFile;
    const [written] = (JSON.parse(entries.get('annotations/default.json') ?? '') as DatumaroFile).items;
    expect(Object.keys(written?.annotations[0] ?? {}).toSorted()).toEqual(
      [...Object.keys(original.items[0]?.annotations[0] ?? {}), 'z_order'].toSorted(),
    );
  });

  it('with_pcd: reports 3D boxes', async () => {
    const { task, summary } = await read(join(folder, 'with_pcd'), {
      labels: [{ name: 'cat' }],
      frames: [{ name: '0000000000.jpg' }],
    });
    expect(task.shapes).toEqual([]);
    expect(summary.dropped).toMatchObject([{ type: 'cuboid_3d', count: 1 }]);
  });
});
