import { describe, expect, it } from 'vitest';
import { cvatImagesExporter, cvatVideoExporter } from '../../main/formats/cvat/index.ts';
import { createInMemoryTaskData, type InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import type { Track, TrackedShape } from '../../main/formats/kit/task-data.ts';
import { keyframeOf, runExport, shapeOf } from './support/format-fixtures.ts';

const labels = [
  {
    name: 'car "big" & <red>',
    color: '#ff0000',
    attributes: [{ name: 'plate', mutable: false, input_type: 'select', default_value: 'A', values: ['A', 'B & C'] }],
  },
  {
    name: 'person',
    type: 'skeleton',
    svg: '<circle r="1"/>',
    sublabels: [{ name: 'head', color: '#00ff00', type: 'points', attributes: [], sublabels: [] }],
  },
];
const frames = [
  { name: 'a.jpg', width: 100, height: 80 },
  { name: 'sub/b.jpg', width: 100, height: 80 },
];
const label = 'car "big" & <red>';

const keyframe = (frame: number, points: readonly number[], more: Partial<TrackedShape> = {}): TrackedShape =>
  keyframeOf({ type: 'rectangle', points, frame, ...more });

async function written(...given: Parameters<typeof runExport>) {
  const result = await runExport(...given);
  return { ...result, xml: result.entries.get('annotations.xml') ?? '' };
}
const groupsOf = (xml: string, pattern: RegExp) => [...xml.matchAll(pattern)].map((match) => match.slice(1));
const lineOf = (text: string, start: string): string =>
  text.split('\n').find((line) => line.trim().startsWith(start)) ?? '';

describe('CVAT for images 1.1', () => {
  it("writes attributes in CVAT's order and with CVAT's digits", async () => {
    const task: InMemoryTaskDataOptions = {
      frames,
      labels,
      shapes: [
        shapeOf({
          type: 'rectangle',
          label,
          points: [1.005, 2, 30.125, 40.999],
          rotation: 12.5,
          occluded: true,
          z_order: 3,
          group: 4,
          source: 'auto',
          attributes: [{ name: 'plate', value: 'a <b> & "c"' }],
        }),
        shapeOf({ type: 'ellipse', label, points: [20, 30, 25, 27] }),
        shapeOf({ type: 'polygon', label, points: [0, 0, 10, 0, 10, 10] }),
        shapeOf({ type: 'cuboid', label, points: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16] }),
        shapeOf({ type: 'mask', label, points: [1, 2, 3, 10, 20, 12, 21] }),
      ],
      tags: [{ frame: 0, label, group: 2, attributes: [] }],
    };
    const { entries, xml } = await written(cvatImagesExporter, task);
    expect([...entries.keys()]).toEqual(['annotations.xml']);
    const name = 'car &quot;big&quot; &amp; &lt;red&gt;';
    expect(
      xml.startsWith('<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n  <version>1.1</version>\n  <meta>\n'),
    ).toBe(true);
    expect(lineOf(xml, '<image')).toBe('  <image id="0" name="a.jpg" width="100" height="80">');
    expect(lineOf(xml, '<box')).toBe(
      `    <box label="${name}" source="auto" occluded="1" xtl="1.00" ytl="2.00" xbr="30.12" ybr="41.00" rotation="12.50" z_order="3" group_id="4">`,
    );
    expect(lineOf(xml, '<attribute name=')).toBe('      <attribute name="plate">a &lt;b&gt; &amp; "c"</attribute>');
    expect(lineOf(xml, '<ellipse')).toBe(
      `    <ellipse label="${name}" source="manual" occluded="0" cx="20.00" cy="30.00" rx="5.00" ry="3.00" z_order="0"/>`,
    );
    expect(lineOf(xml, '<polygon')).toContain('points="0.00,0.00;10.00,0.00;10.00,10.00" z_order="0"');
    expect(lineOf(xml, '<cuboid')).toContain(
      'xtl1="1.00" ytl1="2.00" xbl1="3.00" ybl1="4.00" xtr1="5.00" ytr1="6.00" xbr1="7.00" ybr1="8.00" xtl2="9.00" ytl2="10.00" xbl2="11.00" ybl2="12.00" xtr2="13.00" ytr2="14.00" xbr2="15.00" ybr2="16.00" z_order="0"',
    );
    expect(lineOf(xml, '<mask')).toContain('rle="1, 2, 3" left="10" top="20" width="3" height="2" z_order="0"');
    expect(lineOf(xml, '<tag')).toBe(`    <tag label="${name}" source="manual" group_id="2"/>`);
    expect(xml).toContain('<image id="1" name="sub/b.jpg" width="100" height="80"/>');
  });

  it('describes the task, its labels and sublabels in the order of CVAT', async () => {
    const task: InMemoryTaskDataOptions = {
      meta: {
        name: 'day <1>',
        id: 7,
        bug_tracker: 'https://bugs.example/1',
        owner: { username: 'ada', email: 'ada@example.org' },
        start_frame: 4,
        frame_step: 2,
        frame_filter: 'step=2',
      },
      frames,
      labels,
    };
    const { xml } = await written(cvatImagesExporter, task);
    const meta = xml.slice(xml.indexOf('<meta>'), xml.indexOf('</meta>'));
    const names = [...meta.matchAll(/^ {6}<(\w+)/gm)].map(([, name]) => name);
    expect(names).toEqual([
      'id',
      'name',
      'size',
      'mode',
      'overlap',
      'bugtracker',
      'created',
      'updated',
      'subset',
      'start_frame',
      'stop_frame',
      'frame_filter',
      'segments',
      'owner',
      'assignee',
      'labels',
    ]);
    expect(meta).toContain('<name>day &lt;1&gt;</name>');
    expect(meta).toContain('<mutable>False</mutable>');
    expect(meta).toContain('<values>A\nB &amp; C</values>');
    expect(meta).toContain('<svg>&lt;circle r="1"/&gt;</svg>');
    const sublabel = meta.slice(meta.indexOf('<name>head</name>'));
    expect(sublabel).toContain('<parent>person</parent>');
    // Images state the source's frame numbers: 4, 6, …
    expect(groupsOf(xml, /<image id="(\d+)"/g).flat()).toEqual(['4', '6']);
  });

  it('writes tracks as shapes on each visible frame, and reports the tracks as dropped', async () => {
    const track: Track = {
      label,
      group: 0,
      attributes: [{ name: 'plate', value: 'B' }],
      shapes: [
        keyframe(0, [0, 0, 10, 10]),
        keyframe(2, [20, 0, 30, 10]),
        keyframe(3, [20, 0, 30, 10], { outside: true }),
      ],
    };
    const task: InMemoryTaskDataOptions = {
      frames: [0, 1, 2, 3].map((index) => ({ name: `${index}.jpg`, width: 100, height: 80 })),
      labels,
      tracks: [track],
    };
    const { summary, xml } = await written(cvatImagesExporter, task);
    const boxes = groupsOf(xml, /xtl="([\d.]+)"/g).flat();
    expect(boxes).toEqual(['0.00', '10.00', '20.00']);
    expect(summary.included).toEqual([{ type: 'rectangle', label, count: 3 }]);
    expect(summary.dropped).toMatchObject([{ type: 'track', label, count: 1 }]);
  });

  it('reports unsupported data', async () => {
    const task: InMemoryTaskDataOptions = {
      frames,
      labels,
      shapes: [
        shapeOf({ type: 'rectangle', label, points: [1.001, 2, 3, 4], score: 0.5, area: 4 }),
        shapeOf({ type: 'rectangle', label, points: [Number.NaN, 2, 3, 4] }),
        shapeOf({
          type: 'skeleton',
          label: 'person',
          points: [],
          occluded: true,
          elements: [shapeOf({ type: 'points', label: 'head', points: [1, 2], z_order: 9 })],
        }),
      ],
    };
    const { summary } = await written(cvatImagesExporter, task);
    expect(summary.dropped.map(({ type, rule }) => [type, rule])).toEqual([
      ['rectangle', 'CVAT XML has no score.'],
      ['rectangle', 'A shape was left out: its coordinates are not finite numbers.'],
      ['skeleton', expect.stringContaining('"occluded"')],
      ['points', expect.stringContaining('drawing order')],
    ]);
    expect(summary.warnings).toEqual([expect.stringContaining('two decimals'), expect.stringContaining('area')]);
    expect(summary.included).toEqual([
      { type: 'rectangle', label, count: 1 },
      { type: 'skeleton', label: 'person', count: 1 },
    ]);
  });

  it('replaces characters that XML cannot contain, and says so', async () => {
    const tags = [{ frame: 0, label, group: 0, attributes: [{ name: 'plate', value: 'a\u0000b' }] }];
    const { entries, summary } = await written(cvatImagesExporter, { frames, labels, tags });
    expect(entries.get('annotations.xml')).toContain('<attribute name="plate">a\uFFFDb</attribute>');
    expect(summary.warnings).toEqual([expect.stringContaining('control characters')]);
  });

  it('adds the images under their names, and reports unreadable ones', async () => {
    const bytes = Buffer.from('not really a picture');
    const task = { frames, labels, images: new Map([[1, { extension: '.jpg', bytes }]]) };
    const { entries, summary } = await written(cvatImagesExporter, task, true);
    expect([...entries.keys()]).toEqual(['annotations.xml', 'images/sub/b.jpg']);
    expect(entries.get('images/sub/b.jpg')).toBe('not really a picture');
    expect(summary.warnings).toEqual(['1 images could not be read and are not in the archive: a.jpg.']);
  });

  it('puts a project’s images into folders of their subsets, and states subset and task', async () => {
    const meta = createInMemoryTaskData({ frames, labels }).meta;
    const task: InMemoryTaskDataOptions = {
      meta: {
        kind: 'project',
        id: 3,
        name: 'roads',
        tasks: [
          { ...meta, id: 11, subset: 'Train', start_frame: 5 },
          { ...meta, id: 12, subset: '' },
        ],
      },
      frames: [
        { name: 'a.jpg', width: 10, height: 10, task_id: 11, subset: 'Train' },
        { name: 'b.jpg', width: 10, height: 10, task_id: 12, subset: '' },
      ],
      labels,
      images: new Map([0, 1].map((frame) => [frame, { extension: '.jpg', bytes: Buffer.from(String(frame)) }])),
    };
    const { entries, xml } = await written(cvatImagesExporter, task, true);
    expect([...entries.keys()]).toEqual(['annotations.xml', 'images/Train/a.jpg', 'images/default/b.jpg']);
    expect(xml).toContain('<image id="5" name="a.jpg" subset="Train" task_id="11" width="10" height="10"/>');
    expect(xml).toContain('<subsets>Train\n</subsets>');
  });
});

describe('CVAT for video 1.1', () => {
  const video = {
    meta: { mode: 'interpolation' as const, source: 'film.mp4', start_frame: 10, frame_step: 2 },
    frames: [0, 1, 2, 3, 4].map((index) => ({
      name: `frame_${String(10 + 2 * index).padStart(6, '0')}`,
      width: 64,
      height: 48,
    })),
    labels,
  };

  it('writes every visible frame, keyframes and the ones between, and the keyframes that are outside', async () => {
    const track: Track = {
      label,
      group: 2,
      source: 'manual',
      attributes: [{ name: 'plate', value: 'B' }],
      shapes: [
        keyframe(0, [0, 0, 10, 10]),
        keyframe(2, [20, 0, 30, 10], { occluded: true, z_order: 1 }),
        keyframe(3, [20, 0, 30, 10], { outside: true }),
      ],
    };
    const { summary, xml } = await written(cvatVideoExporter, { ...video, tracks: [track] });
    expect(lineOf(xml, '<track')).toBe(
      '  <track id="0" label="car &quot;big&quot; &amp; &lt;red&gt;" source="manual" group_id="2">',
    );
    expect(lineOf(xml, '<box')).toBe(
      '    <box frame="10" keyframe="1" outside="0" occluded="0" xtl="0.00" ytl="0.00" xbr="10.00" ybr="10.00" z_order="0">',
    );
    expect(groupsOf(xml, /<box frame="(\d+)" keyframe="(\d)" outside="(\d)" occluded="(\d)" xtl="([\d.]+)"/g)).toEqual([
      ['10', '1', '0', '0', '0.00'],
      ['12', '0', '0', '0', '10.00'],
      ['14', '1', '0', '1', '20.00'],
      ['16', '1', '1', '0', '20.00'],
    ]);
    expect(xml.match(/<attribute name="plate">B<\/attribute>/g)).toHaveLength(4);
    expect(xml).toContain(
      '<original_size>\n        <width>64</width>\n        <height>48</height>\n      </original_size>',
    );
    expect(xml).toContain('<source>film.mp4</source>');
    expect(summary.included).toEqual([{ type: 'track', label, count: 1 }]);
    expect(summary.dropped).toEqual([]);
  });

  it('holds the last keyframe until the end', async () => {
    const task: InMemoryTaskDataOptions = {
      ...video,
      tracks: [{ label, group: 0, shapes: [keyframe(3, [1, 1, 2, 2])] }],
    };
    const { xml } = await written(cvatVideoExporter, task);
    expect(groupsOf(xml, /frame="(\d+)" keyframe="(\d)"/g)).toEqual([
      ['16', '1'],
      ['18', '0'],
    ]);
  });

  it('writes a shape as a track of one frame that ends on the next one, up to the last frame', async () => {
    const task: InMemoryTaskDataOptions = {
      ...video,
      shapes: [2, 3, 4].map((frame) => shapeOf({ type: 'rectangle', label, frame, points: [1, 1, 2, 2] })),
      tags: [{ frame: 0, label, group: 0, attributes: [] }],
    };
    const { summary, xml } = await written(cvatVideoExporter, task);
    expect(groupsOf(xml, /<box frame="(\d+)" keyframe="1" outside="(\d)"/g)).toEqual([
      ['14', '0'],
      ['16', '1'],
      ['16', '0'],
      ['18', '1'],
      ['18', '0'],
    ]);
    expect(summary.dropped.map(({ type, count }) => [type, count])).toEqual([
      ['rectangle', 3],
      ['tag', 1],
    ]);
  });

  it('writes skeletons with their points, hidden where the skeleton is', async () => {
    const point = (frame: number, x: number, more: Partial<TrackedShape> = {}) =>
      keyframe(frame, [x, 0], { type: 'points', ...more });
    const track: Track = {
      label: 'person',
      group: 0,
      shapes: [keyframe(0, [], { type: 'skeleton' }), keyframe(2, [], { type: 'skeleton', outside: true })],
      elements: [{ label: 'head', group: 0, shapes: [point(0, 1), point(2, 5)] }],
    };
    const { xml } = await written(cvatVideoExporter, { ...video, tracks: [track] });
    expect(lineOf(xml, '<skeleton')).toBe('    <skeleton frame="10" keyframe="1" z_order="0">');
    expect(
      groupsOf(xml, /<points label="head" keyframe="(\d)" outside="(\d)" occluded="0" points="([\d.,]+)"\/>/g),
    ).toEqual([
      ['1', '0', '1.00,0.00'],
      ['0', '0', '3.00,0.00'],
      ['1', '1', '5.00,0.00'],
    ]);
  });

  it('states the task of a track in a project, and counts frames like that task', async () => {
    const { meta } = createInMemoryTaskData({ frames, labels });
    const task: InMemoryTaskDataOptions = {
      meta: {
        kind: 'project',
        id: 3,
        tasks: [{ ...meta, id: 11, subset: 'Train', start_frame: 100, frame_step: 5, source: 'street.mp4' }],
      },
      frames: [0, 1, 2].map((index) => ({ name: `${index}.jpg`, width: 10, height: 10, task_id: 11, subset: 'Train' })),
      labels,
      tracks: [{ label, group: 0, task_id: 11, shapes: [keyframe(1, [0, 0, 1, 1])] }],
    };
    const { xml } = await written(cvatVideoExporter, task);
    expect(lineOf(xml, '<track')).toContain('source="manual" task_id="11" subset="Train">');
    expect(lineOf(xml, '<source>').trim()).toBe('<source>street.mp4</source>');
    expect(groupsOf(xml, /<box frame="(\d+)"/g).flat()).toEqual(['105', '110']);
  });

  it('holds each mask of a track until the next one', async () => {
    const mask = (frame: number): TrackedShape => keyframe(frame, [0, 4, 1, 1, 2, 2], { type: 'mask' });
    const { summary, xml } = await written(cvatVideoExporter, {
      ...video,
      tracks: [{ label, group: 0, shapes: [mask(0), mask(3)] }],
    });
    expect(groupsOf(xml, /<mask frame="(\d+)"/g).flat()).toEqual(['10', '12', '14', '16', '18']);
    expect(summary).toMatchObject({ dropped: [], warnings: [] });
  });

  it('names video frames like CVAT in a dataset', async () => {
    const images = new Map(video.frames.map((_, index) => [index, { extension: '.png', bytes: Buffer.from('png') }]));
    const { entries } = await written(cvatVideoExporter, { ...video, images }, true);
    expect([...entries.keys()].slice(0, 3)).toEqual([
      'annotations.xml',
      'images/frame_000010.PNG',
      'images/frame_000012.PNG',
    ]);
  });
});

it('a job states its own first and last frame, counted like its source', async () => {
  const segments = [
    { id: 25, start: 0, stop: 5, url: '' },
    { id: 26, start: 6, stop: 9, url: '' },
  ];
  const task: InMemoryTaskDataOptions = {
    frames: [{ name: 'a.jpg', width: 10, height: 10 }],
    labels: [{ name: 'car' }],
    meta: { kind: 'job', id: 26, segments, start_frame: 100, stop_frame: 118, frame_step: 2 },
  };
  const { xml } = await written(cvatImagesExporter, task);
  expect(xml).toContain('<start_frame>112</start_frame>');
  expect(xml).toContain('<stop_frame>118</stop_frame>');
});
