import { describe, expect, it } from 'vitest';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { mot } from '../../main/formats/mot/index.ts';
import { bothWays, type Files, folderOf, shapeOf, zipOf } from './support/format-fixtures.ts';
import { attributeOf, scene, trackOf as trackOfType } from './support/scenes.ts';
const { write, read } = bothWays(mot, scene);

const trackOf = trackOfType('rectangle');

describe('MOT round trip', () => {
  it('preserves the visible shapes of tracks, frame by frame', async () => {
    const car = trackOf('car', [
      [0, [0.5, 0.25, 10.75, 10.5]],
      [2, [4.5, 0.25, 14.75, 10.5]],
      [3, [4.5, 0.25, 14.75, 10.5], true],
    ]);
    const tree = trackOf('tall tree', [
      [0, [30, 20, 40, 30]],
      [1, [30, 20, 40, 30], true],
      [3, [35, 20, 45, 30]],
    ]);
    const { path, summary, entries } = await write({ ...scene, tracks: [car, tree] });
    expect(entries.get('gt/gt.txt')).toBe(
      '1,1,0.5,0.25,10.25,10.25,1,1,1.0\n1,2,30,20,10,10,1,2,1.0\n2,1,2.5,0.25,10.25,10.25,1,1,1.0\n3,1,4.5,0.25,10.25,10.25,1,1,1.0\n4,2,35,20,10,10,1,2,1.0\n',
    );
    expect(entries.get('gt/labels.txt')).toBe('car\ntall tree\nHündchen\nbody');
    expect(summary).toMatchObject({ dropped: [], warnings: [expect.stringContaining('no keyframes')] });
    expect(summary.included.filter(({ type }) => type === 'track')).toEqual([
      { type: 'track', label: 'car', count: 1 },
      { type: 'track', label: 'tall tree', count: 1 },
    ]);
    const { task, summary: reading } = await read(path);
    expect(reading).toMatchObject({ invalidCount: 0, dropped: [] });
    expect(task.tracks).toEqual([
      trackOf('car', [
        [0, [0.5, 0.25, 10.75, 10.5]],
        [1, [2.5, 0.25, 12.75, 10.5]],
        [2, [4.5, 0.25, 14.75, 10.5]],
        [3, [4.5, 0.25, 14.75, 10.5], true],
      ]),
      trackOf('tall tree', [
        [0, [30, 20, 40, 30]],
        [1, [30, 20, 40, 30], true],
        [3, [35, 20, 45, 30]],
      ]),
    ]);
  });

  it('preserves the data of its columns, and reports dropped data', async () => {
    const labels = [
      {
        name: 'car',
        attributes: [{ ...attributeOf('ignored', 'checkbox'), mutable: false }, attributeOf('visibility', 'number')],
      },
    ];
    const box = { type: 'rectangle', label: 'car', points: [1, 2, 4, 6] } as const;
    const attributes = [
      { name: 'ignored', value: 'true' },
      { name: 'visibility', value: '0.25' },
    ];
    const tracks = [trackOf('car', [[1, [1, 2, 4, 6]]], { attributes: [{ name: 'ignored', value: 'true' }] })];
    const shapes = [
      shapeOf({ ...box, attributes: [...attributes, { name: 'other', value: 'x' }] }),
      shapeOf({ ...box, attributes, occluded: true, z_order: 2, group: 3, rotation: 20, score: 0.5 }),
    ];
    const { path, entries, summary } = await write({ ...scene, labels, shapes, tracks });
    expect(entries.get('gt/gt.txt')?.split('\n').slice(0, 3)).toEqual([
      '1,-1,1,2,3,4,0,1,0.25',
      '1,-1,1,2,3,4,0,1,0.25',
      '2,1,1,2,3,4,0,1,1.0',
    ]);
    expect(summary.dropped.map(({ type, rule }) => [type, rule])).toEqual([
      ['attribute', 'MOT has no field for the attribute "other".'],
      ['rectangle', 'MOT has no groups.'],
      ['rectangle', 'MOT has no drawing order.'],
      ['rectangle', 'MOT has no score.'],
      ['rectangle', 'MOT has no rotation.'],
      ['rectangle', 'MOT has one number for "occluded" and the visibility: the visibility was written.'],
    ]);
    const { task } = await read(path, { ...scene, labels });
    expect(task.shapes.map((shape) => [shape.attributes, shape.occluded])).toEqual([
      [attributes, false],
      [attributes, false],
    ]);
    expect(task.tracks[0]?.attributes).toEqual([{ name: 'ignored', value: 'true' }]);
    expect(task.tracks[0]?.shapes[0]?.attributes).toEqual([{ name: 'visibility', value: '1' }]);
  });

  it('exports or reports every object', async () => {
    const tagged = await write({ ...scene, tags: [{ frame: 0, label: 'car', attributes: [], group: 0 }] });
    expect(tagged.summary.dropped).toMatchObject([{ type: 'tag', count: 1 }]);
    const { summary } = await write({
      ...scene,
      tracks: [
        trackOf('car', [], { shapes: [{ ...trackOf('car', [[0, [1, 1, 5, 5]]]).shapes[0]!, type: 'polyline' }] }),
      ],
    });
    expect(summary.included).toEqual([]);
    expect(summary.dropped.map(({ type }) => type)).toEqual(['track', 'polyline']);
  });

  it('adds images under their own names', async () => {
    const images = new Map([[0, { extension: '.jpg', bytes: Buffer.from('one') }]]);
    const { entries, summary } = await write({ ...scene, images }, true);
    expect([...entries.keys()]).toEqual(['img1/one.jpg', 'gt/gt.txt', 'gt/labels.txt']);
    expect(summary.warnings).toEqual([expect.stringContaining('3 images could not be read')]);
  });
});

describe('MOT numbers of frames', () => {
  const row = (frame: number) => `${frame},-1,1,1,2,2,1,1,1\n`;
  const rows = (...frames: number[]): Files => ({
    'gt/gt.txt': frames.map(row).join(''),
    'gt/labels.txt': 'car',
  });
  const framesOf = async (files: Files, names: readonly string[], more: Record<string, unknown> = {}, meta = {}) => {
    const { task, summary } = await read(
      folderOf(files),
      { ...scene, frames: names.map((name) => ({ name })), meta },
      more,
    );
    return [task.shapes.map(({ frame }) => frame), summary.invalidCount];
  };

  it("count from 1, from 0 if there is a 0, or from the option's value", async () => {
    const names = ['a.jpg', 'b.jpg', 'c.jpg'];
    expect(await framesOf(rows(1, 3, 4), names)).toEqual([[0, 2], 1]);
    expect(await framesOf(rows(0, 2), names)).toEqual([[0, 2], 0]);
    expect(await framesOf(rows(11, 12), names, { first_frame: 11 })).toEqual([[0, 1], 0]);
    expect(await framesOf(rows(1, 2), names, { first_frame: '0' })).toEqual([[1, 2], 0]);
    await expect(framesOf(rows(1), names, { first_frame: 'x' })).rejects.toThrow('first_frame must be a number');
  });

  it('are the names of images if those are numbers', async () => {
    const names = ['000139.jpg', '000285.jpg'];
    expect(await framesOf(rows(139, 285, 7), names)).toEqual([[0, 1], 1]);
    expect(await framesOf(rows(1, 2), names)).toEqual([[0, 1], 0]);
    expect(await framesOf(rows(0, 1, 2), ['0.png', '1.png', '2.png'])).toEqual([[0, 1, 2], 0]);
    expect(await framesOf(rows(2, 1), ['1.png', '2.png'], { frame_matching: 'order' })).toEqual([[1, 0], 0]);
    expect(await framesOf(rows(2, 9), ['9.png', '8.png'], { frame_matching: 'name' })).toEqual([[0], 1]);
  });

  it('mean frames of a video, not file names', async () => {
    const names = ['frame_000000', 'frame_000001'];
    expect(await framesOf(rows(1, 2), names, {}, { mode: 'interpolation' })).toEqual([[0, 1], 0]);
  });

  it('are written so that they can be read with any image names', async () => {
    const box = (frame: number) => shapeOf({ type: 'rectangle', label: 'car', points: [1, 1, 3, 3], frame });
    for (const names of [
      ['7.jpg', '3.jpg', '0.jpg'],
      ['2.jpg', 'a.jpg', '1.jpg'],
      ['1.jpg', '1.png', 'x/1.jpg'],
    ]) {
      const frames = names.map((name) => ({ name }));
      const { path } = await write({ ...scene, frames, shapes: [box(0), box(2)] });
      const { task } = await read(path, { ...scene, frames });
      expect(task.shapes.map(({ frame }) => frame).toSorted()).toEqual([0, 2]);
    }
  });

  it('begin with the first frame of a job', async () => {
    const options: InMemoryTaskDataOptions = {
      ...scene,
      meta: { kind: 'job', segments: [{ id: 1, start: 5, stop: 6, url: '' }] },
      frames: [
        { name: 'a.jpg', frame: 5 },
        { name: 'b.jpg', frame: 6 },
      ],
    };
    const { path, entries } = await write({
      ...options,
      shapes: [shapeOf({ type: 'rectangle', label: 'car', points: [1, 1, 3, 3], frame: 6 })],
    });
    expect(entries.get('gt/gt.txt')).toMatch(/^2,/);
    expect((await read(path, options)).task.shapes.map(({ frame }) => frame)).toEqual([6]);
  });
});

describe('MOT datasets', () => {
  const rows = '1,1,0,0,10,10,1,1,1.0\n2,1,1,0,10,10,1,1,1.0\n';
  const layouts: Record<string, Files> = {
    'their folders': { 'gt/gt.txt': rows, 'gt/labels.txt': 'car\n' },
    'an extra folder, with CRLF and a mark': {
      'top/gt/gt.txt': `\uFEFF${rows.replaceAll('\n', '\r\n')}`,
      'top/gt/labels.txt': '\uFEFFcar\r\n',
      'top/seqinfo.ini': '[Sequence]\nname=x',
    },
    'other writing': {
      'gt/gt.txt': '1, 1, 0.0, 0, 1e1, 10., 1, 1, 1,\n\n  2,1,1,0,10,10,1,1\n',
      'gt/labels.txt': 'car',
    },
  };
  it.each(Object.entries(layouts))('are read from %s', async (_name, files) => {
    for (const path of [folderOf(files), await zipOf(files)]) {
      const { task, summary } = await read(path);
      expect(summary.invalidCount).toBe(0);
      expect(task.tracks).toEqual([
        trackOf('car', [
          [0, [0, 0, 10, 10]],
          [1, [1, 0, 11, 10]],
          [2, [1, 0, 11, 10], true],
        ]),
      ]);
    }
  });

  it('have the published labels if they list none', async () => {
    const labels = [{ name: 'car' }, { name: 'pedestrian' }];
    const { task } = await read(folderOf({ 'gt/gt.txt': '1,-1,0,0,1,1,1,3,1\n1,-1,0,0,1,1,1,1\n1,-1,0,0,1,1,1\n' }), {
      ...scene,
      labels,
    });
    expect(task.shapes.map(({ label }) => label)).toEqual(['car', 'pedestrian']);
  });

  it('of detectors have scores and no labels', async () => {
    const files = { 'det/det.txt': '1,-1,0,0,4,4,0.5,-1,-1,-1\n2,-1,0,0,4,4,37.2,-1,-1,-1\n' };
    const { task, summary } = await read(folderOf(files), { ...scene, labels: [{ name: 'car' }] });
    expect(task.shapes.map(({ label, score }) => [label, score])).toEqual([
      ['car', 0.5],
      ['car', undefined],
    ]);
    expect(summary.dropped).toEqual([
      { type: 'rectangle', label: 'car', rule: 'Scores must be from 0 to 1.', count: 1 },
    ]);
    expect(summary.warnings).toEqual([expect.stringContaining('its only label, "car"')]);
    expect((await read(folderOf(files))).summary.invalid[0]).toMatchObject({
      reason: expect.stringContaining('not registered'),
    });
  });

  it('of several videos are distinguished by their folders', async () => {
    const files = {
      'a/gt/gt.txt': rows,
      'b/gt/gt.txt': rows,
      'a/gt/labels.txt': 'car',
      'b/gt/labels.txt': 'tall tree',
    };
    const frames = ['a/img1/000001.jpg', 'a/img1/000002.jpg', 'b/img1/000001.jpg', 'b/img1/000002.jpg'];
    const { task } = await read(folderOf(files), { ...scene, frames: frames.map((name) => ({ name })) });
    expect(
      task.tracks.map(({ label, shapes }) => [
        label,
        shapes.filter((shape) => !shape.outside).map(({ frame }) => frame),
      ]),
    ).toEqual([
      ['car', [0, 1]],
      ['tall tree', [2, 3]],
    ]);
  });

  it('report every loss', async () => {
    const lines = [
      '1,1,0,0,1,1,1,1,1',
      '1,1,5,5,1,1,1,1,1',
      '1,-1,0,0,-1,1,1,1,1',
      '1,-1,nan,0,1,1,1,1,1',
      '1,-1,1e999,0,1,1,1,1,1',
      '1.5,-1,0,0,1,1,1,1,1',
      '99999999999999999999,-1,0,0,1,1,1,1,1',
      '900000000000,-1,0,0,1,1,1,1,1',
      '-1,-1,0,0,1,1,1,1,1',
      '1,-1,0,0,1,1,1,7,1',
      '1,-1,0,0',
      '1 -1 0 0 1 1 1 1 1',
      '1,-1,0,0,1,1,1,1,1,1,1,1',
      'x\u0000,,,,,,,',
    ];
    const { task, summary } = await read(folderOf({ 'gt/gt.txt': lines.join('\n'), 'gt/labels.txt': 'car' }));
    expect(task.tracks).toHaveLength(1);
    expect(task.shapes).toEqual([]);
    expect(summary.invalid.map(({ file, at }) => `${file} ${at}`)).toEqual(
      lines.slice(1).map((_, index) => `gt/gt.txt line ${index + 2}`),
    );
  });
});

describe('MOT files of other programs', () => {
  it('warn if seqinfo.ini states another size of the images than the frames have', async () => {
    const path = folderOf({
      'MOT/gt/gt.txt': '1,1,1,2,3,4,1,13,1\n',
      'MOT/seqinfo.ini': '[Sequence]\nname=MOT\nimWidth=1920\nimHeight=1080\n',
    });
    const labels = [{ name: 'crowd' }];
    const { task, summary } = await read(path, { ...scene, labels });
    // MOT20 introduced the thirteenth class.
    expect(task.tracks).toMatchObject([{ label: 'crowd' }]);
    expect(summary.warnings).toContainEqual(expect.stringMatching(/another size .* 1920 × 1080 pixels for 64 × 48/));
  });
});

it('a stray row of frame 0 shifts nothing if images are numbered from 1, and the report says so', async () => {
  const frames = Array.from({ length: 8 }, (_, index) => ({
    name: `${String(index + 1).padStart(6, '0')}.png`,
    width: 100,
    height: 80,
  }));
  const rows = [0, 1, 2, 3].map((number) => `${number},-1,10,10,20,20,1,1,1\n`).join('');
  const path = folderOf({ 'gt/gt.txt': rows, 'gt/labels.txt': 'car\n' });
  const { task, summary } = await read(path, { ...scene, frames });
  expect(task.shapes.map(({ frame }) => frame)).toEqual([0, 1, 2]);
  expect(summary.invalid).toHaveLength(1);
  expect(summary.warnings.join()).toContain('frames were matched by image name');
});
