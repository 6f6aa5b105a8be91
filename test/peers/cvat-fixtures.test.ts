import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cvatImporter } from '../../main/formats/cvat/index.ts';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';
import { attribute, skeleton } from '../formats/support/cvat-labels.ts';

describe('CVAT files that other programs wrote', () => {
  const read = (path: string, task: InMemoryTaskDataOptions) =>
    runImport(cvatImporter, join(sharedFixtures, 'cvat_xml', path), task);

  it('images_example.xml', async () => {
    const { task, summary } = await read('cvat-docs/images_example.xml', {
      frames: [{ name: 'filename000.jpg', width: 1600, height: 1200 }],
      labels: [
        { name: 'car' },
        { name: 'traffic_line' },
        { name: 'wheel' },
        { name: 'plate' },
        skeleton('s1', ['1', '2', '3']),
        { name: 'good_frame' },
      ],
    });
    expect(summary.invalid).toEqual([]);
    expect(summary.warnings).toEqual([]);
    expect(task.shapes.map(({ type, label, z_order }) => [type, label, z_order])).toEqual([
      ['rectangle', 'plate', 4],
      ['polygon', 'car', 1],
      ['polyline', 'traffic_line', 3],
      ['polyline', 'traffic_line', 2],
      ['points', 'wheel', 5],
      ['skeleton', 's1', 0],
      ['mask', 'car', 0],
    ]);
    expect(task.shapes[0]?.points).toEqual([797.33, 870.92, 965.52, 928.94]);
    expect(task.shapes[1]?.points).toHaveLength(138);
    expect(task.shapes[1]?.points.slice(0, 4)).toEqual([561.3, 916.23, 561.3, 842.77]);
    expect(task.shapes[4]?.points).toEqual([574.9, 939.48, 1170.16, 907.9, 1130.69, 445.26, 600.16, 459.48]);
    expect(task.shapes[5]?.elements?.map(({ label, points }) => [label, points])).toEqual([
      ['1', [54.47, 94.81]],
      ['2', [68.02, 162.34]],
      ['3', [125.87, 62.85]],
    ]);
    expect(task.shapes[6]?.points.slice(-4)).toEqual([707, 888, 719, 902]);
    expect(task.shapes[6]?.points.slice(0, -4).reduce((sum, run) => sum + run, 0)).toBe(13 * 15);
    expect(task.tags).toEqual([{ frame: 0, label: 'good_frame', group: 0, source: 'file', attributes: [] }]);
  });

  it('video_example.xml', async () => {
    const { task, summary } = await read('cvat-docs/video_example.xml', {
      meta: { mode: 'interpolation' },
      frames: Array.from({ length: 20 }, (_, index) => ({
        name: `frame_${String(index).padStart(6, '0')}`,
        width: 640,
        height: 480,
      })),
      labels: [{ name: 'car' }, { name: 'person' }, skeleton('s1', ['1', '2', '3'])],
    });
    expect(summary.invalid).toEqual([]);
    expect(task.tracks.map(({ label }) => label)).toEqual(['car', 's1']);
    expect(
      task.tracks[0]?.shapes.map(({ type, frame, outside, points }) => [type, frame, outside, points.length / 2]),
    ).toEqual([
      ['polygon', 0, false, 6],
      ['polygon', 1, true, 6],
      ['polygon', 6, false, 5],
      ['polygon', 7, true, 5],
      ['polygon', 13, false, 5],
      ['polygon', 14, true, 5],
    ]);
    const visibility = [
      [0, false],
      [1, true],
      [6, false],
      [7, true],
      [13, false],
      [14, true],
    ];
    expect(task.tracks[1]?.shapes.map(({ frame, outside }) => [frame, outside])).toEqual(visibility);
    for (const element of task.tracks[1]?.elements ?? [])
      expect(element.shapes.map(({ frame, outside }) => [frame, outside])).toEqual(visibility);
    expect(task.tracks[1]?.elements?.[1]?.shapes.map(({ points }) => points)).toEqual([
      [127.87, 333.23],
      [127.87, 333.23],
      [140.87, 350.23],
      [140.87, 350.23],
      [127.87, 333.23],
      [127.87, 333.23],
    ]);
  });

  it('for_images/train.xml: reports objects without a label, and imports the others', async () => {
    const { task, summary } = await read('cvat-datumaro/for_images/train.xml', {
      frames: [
        { name: 'img0.jpg', width: 8, height: 8 },
        { name: 'img1.jpg', width: 10, height: 10 },
      ],
      labels: [
        { name: 'label1', attributes: ['a1', 'a2', 'a3', 'a4'].map((name) => attribute(name)) },
        { name: 'label2' },
        skeleton('skeleton', ['1', '2', '3', '4']),
      ],
    });
    expect(summary.invalid.map(({ at, reason }) => [at, reason])).toEqual([
      ['line 90', 'polyline: The object has no label: its name is empty.'],
      ['line 103', 'polygon: The object has no label: its name is empty.'],
    ]);
    expect(task.shapes).toMatchObject([
      {
        type: 'rectangle',
        frame: 0,
        label: 'label1',
        points: [0, 2, 4, 4],
        occluded: true,
        z_order: 1,
        attributes: [
          { name: 'a1', value: 'true' },
          { name: 'a2', value: 'v3' },
          { name: 'a3', value: '0003' },
          { name: 'a4', value: '2.4' },
        ],
      },
      { type: 'skeleton', frame: 0, occluded: false },
      { type: 'points', frame: 1, label: 'label2', points: [1, 2, 3, 4, 5, 6], z_order: 2 },
      { type: 'skeleton', frame: 1 },
    ]);
    expect(task.shapes[1]?.elements?.map(({ points, outside }) => [points, outside])).toEqual([
      [[1, 1], true],
      [[2, 2], false],
      [[3, 3], false],
      [[4, 4], false],
    ]);
  });

  const readVideo = (width: number, height: number) =>
    read('cvat-datumaro/for_video/annotations.xml', {
      meta: {
        mode: 'interpolation',
        start_frame: 10,
        stop_frame: 19,
        frame_step: 3,
        frame_filter: 'step=3',
        source: 't.mp4',
      },
      frames: [10, 13, 16, 19].map((frame) => ({
        name: `frame_${String(frame).padStart(6, '0')}`,
        width,
        height,
      })),
      labels: [
        { name: 'klhg', attributes: [{ ...attribute('hgl', true), input_type: 'select', values: ['jk', 'hgkf'] }] },
        { name: 'z U k' },
        { name: 'II' },
        skeleton('skeleton', ['1', '2', '3', '4']),
      ],
    });

  it('for_video/annotations.xml: a skeleton outside the size that the file states is refused', async () => {
    const { task, summary } = await readVideo(25, 20);
    expect(task.tracks.map(({ label }) => label)).toEqual(['II', 'klhg', 'II']);
    expect(summary.invalid).toMatchObject([{ at: 'line 132', reason: expect.stringContaining('outside its image') }]);
  });

  it('for_video/annotations.xml: frames 10, 13, 16, 19 of the source are frames 0 to 3 of the task', async () => {
    const { task, summary } = await readVideo(100, 200);
    expect(summary.invalid).toEqual([]);
    expect(
      task.tracks.map(({ label, shapes }) => [label, shapes.map(({ type, frame, outside }) => [type, frame, outside])]),
    ).toEqual([
      [
        'II',
        [
          ['rectangle', 0, false],
          ['rectangle', 1, true],
          ['rectangle', 2, true],
        ],
      ],
      [
        'klhg',
        [
          ['points', 0, false],
          ['points', 1, true],
        ],
      ],
      [
        'II',
        [
          ['polyline', 1, false],
          ['polyline', 2, true],
        ],
      ],
      ['skeleton', [['skeleton', 0, false]]],
    ]);
    expect(task.tracks[0]?.shapes[0]).toMatchObject({ occluded: true, points: [3, 4, 10, 5] });
    expect(task.tracks[1]?.shapes.map(({ attributes }) => attributes)).toEqual([
      [{ name: 'hgl', value: 'hgkf' }],
      [{ name: 'hgl', value: 'jk' }],
    ]);
    expect(summary.dropped).toEqual([]);
    expect(
      task.tracks[3]?.elements?.map(({ label, shapes }) => [
        label,
        shapes.map(({ frame, outside, points }) => [frame, outside, points]),
      ]),
    ).toEqual([
      ['1', [[0, false, [48.8, 111.77]]]],
      ['2', [[0, false, [48.8, 156.28]]]],
      [
        '3',
        [
          [0, false, [83.27, 106.61]],
          [1, true, [83.27, 106.61]],
        ],
      ],
      ['4', [[0, false, [89.11, 159.91]]]],
    ]);
  });
});
