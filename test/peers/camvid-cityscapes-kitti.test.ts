import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { camvid } from '../../main/formats/camvid/index.ts';
import { cityscapes } from '../../main/formats/cityscapes/index.ts';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { kitti } from '../../main/formats/kitti/index.ts';
import type { RegisteredImporter } from '../../main/formats/kit/plugin.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';
import { attributeOf, scene } from '../formats/support/scenes.ts';

const read = (
  importer: RegisteredImporter,
  path: string,
  options: InMemoryTaskDataOptions = scene,
  more: Record<string, unknown> = {},
) => runImport(importer, path, options, { options: { conv_mask_to_poly: false, ...more } });

describe('datasets of other tools', () => {
  const cases: [string, RegisteredImporter, [string, string, string, number[]][]][] = [
    [
      'camvid/cvat-datumaro',
      camvid.importer,
      [
        ['0001TP_006690.png', 'train', 'Bicyclist', [0, 2, 1, 2, 0, 0, 4, 0]],
        ['0001TP_006690.png', 'train', 'Road', [0, 1, 2, 0, 2, 0]],
        ['0016E5_07959.png', 'val', 'Animal', [0, 3, 0, 0, 2, 0]],
        ['0016E5_07959.png', 'val', 'Child', [0, 2, 3, 0, 4, 0]],
        ['0001TP_008550.png', 'test', 'Animal', [0, 2, 0, 0, 1, 0]],
        ['0001TP_008550.png', 'test', 'Road', [0, 1, 2, 0, 2, 0]],
        ['0001TP_008550.png', 'test', 'Sky', [0, 2, 3, 0, 4, 0]],
        ['0001TP_008580.png', 'test', 'Archway', [0, 2, 0, 0, 1, 0]],
        ['0001TP_008580.png', 'test', 'Bridge', [0, 1, 2, 0, 2, 0]],
        ['0001TP_008580.png', 'test', 'Tree', [0, 2, 3, 0, 4, 0]],
      ],
    ],
    [
      'cityscapes/cvat-datumaro/dataset',
      cityscapes.importer,
      [
        ['defaultcity/defaultcity_000001_000031_leftImg8bit.png', 'test', 'outofroi', [0, 2, 0, 0, 1, 0]],
        ['defaultcity/defaultcity_000001_000031_leftImg8bit.png', 'test', 'truck', [0, 1, 2, 0, 2, 0]],
        ['defaultcity/defaultcity_000001_000031_leftImg8bit.png', 'test', 'truck', [0, 2, 3, 0, 4, 0]],
        ['defaultcity/defaultcity_000001_000032_leftImg8bit.png', 'test', 'outofroi', [0, 2, 3, 0, 4, 0]],
        ['defaultcity/defaultcity_000001_000032_leftImg8bit.png', 'test', 'wall', [0, 1, 2, 0, 2, 0]],
        ['defaultcity/defaultcity_000001_000032_leftImg8bit.png', 'test', 'train', [0, 2, 0, 0, 1, 0]],
        ['defaultcity/defaultcity_000002_000045_leftImg8bit.png', 'train', 'outofroi', [0, 2, 1, 2, 0, 0, 4, 0]],
        ['defaultcity/defaultcity_000002_000045_leftImg8bit.png', 'train', 'person', [0, 1, 2, 0, 2, 0]],
        ['defaultcity/defaultcity_000001_000019_leftImg8bit.png', 'val', 'outofroi', [0, 1, 2, 2, 0, 0, 4, 0]],
        ['defaultcity/defaultcity_000001_000019_leftImg8bit.png', 'val', 'egovehicle', [0, 2, 1, 0, 2, 0]],
      ],
    ],
    [
      'cityscapes/cvat-datumaro/train_dataset',
      cityscapes.importer,
      [
        ['defaultcity/defaultcity_000001_000031_leftImg8bit.png', 'test', 'truck', [0, 3, 2, 0, 4, 0]],
        ['defaultcity/defaultcity_000001_000032_leftImg8bit.png', 'test', 'wall', [0, 1, 2, 0, 2, 0]],
        ['defaultcity/defaultcity_000001_000032_leftImg8bit.png', 'test', 'train', [0, 2, 0, 0, 1, 0]],
        ['defaultcity/defaultcity_000002_000045_leftImg8bit.png', 'train', 'person', [0, 1, 2, 0, 2, 0]],
      ],
    ],
    [
      'kitti/cvat-datumaro/kitti_segmentation',
      kitti.importer,
      [
        ['000030_10.png', 'training', 'outofroi', [0, 2, 0, 0, 1, 0]],
        ['000030_10.png', 'training', 'truck', [0, 1, 2, 0, 2, 0]],
        ['000030_10.png', 'training', 'truck', [0, 2, 3, 0, 4, 0]],
        ['000030_11.png', 'training', 'outofroi', [0, 2, 3, 0, 4, 0]],
        ['000030_11.png', 'training', 'wall', [0, 1, 2, 0, 2, 0]],
        ['000030_11.png', 'training', 'train', [0, 2, 0, 0, 1, 0]],
      ],
    ],
  ];
  it.each(cases)('%s', async (folder, importer, expected) => {
    const images = new Map(
      expected.map(([name, subset]) => [`${subset} ${name}`, { name, subset, width: 5, height: 1 }]),
    );
    // An image that shows only background.
    const empty = 'defaultcity/defaultcity_000001_000019_leftImg8bit.png';
    if (!images.has(`val ${empty}`)) images.set(`val ${empty}`, { name: empty, subset: 'val', width: 5, height: 1 });
    const names = new Set(expected.map(([, , label]) => label));
    const { task, summary } = await read(importer, join(sharedFixtures, folder), {
      frames: [...images.values()],
      labels: [...names].map((name) => ({ name })),
    });
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [] });
    const found = task.shapes.map(({ frame, label, points }) => [
      task.frames[frame]?.name,
      task.frames[frame]?.subset,
      label,
      points,
    ]);
    const sorted = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).toSorted();
    expect(sorted(found)).toEqual(sorted(expected));
  });

  it('kitti/cvat-datumaro/kitti_detection', async () => {
    const { task, summary } = await read(kitti.importer, join(sharedFixtures, 'kitti/cvat-datumaro/kitti_detection'), {
      frames: ['000030_10.png', '000030_11.png'].map((name) => ({ name, width: 10, height: 10, subset: 'training' })),
      labels: [{ name: 'Truck' }, { name: 'Van', attributes: [attributeOf('truncated', 'checkbox')] }],
    });
    expect(
      task.shapes.map(({ frame, label, points, occluded, attributes }) => [
        frame,
        label,
        points,
        occluded,
        attributes[0]?.value,
      ]),
    ).toEqual([
      [0, 'Truck', [0, 1, 2, 3], false, undefined],
      [0, 'Van', [0, 5, 1, 8], false, 'false'],
      [1, 'Van', [0, 0, 2, 2], true, 'true'],
      [1, 'Van', [4, 4, 6, 6], false, 'false'],
      [1, 'Van', [6, 6, 7, 9], true, 'false'],
    ]);
    expect(summary).toMatchObject({
      invalidCount: 0,
      dropped: [{ label: 'Truck', rule: 'The label has no attribute "truncated".', count: 1 }],
    });
  });
});
