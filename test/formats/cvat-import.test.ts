import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cvatImporter } from '../../main/formats/cvat/index.ts';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { fileOf, runImport, zipOf } from './support/format-fixtures.ts';
import { attribute, skeleton } from './support/cvat-labels.ts';

const images: InMemoryTaskDataOptions = {
  frames: [
    { name: 'a.jpg', width: 100, height: 80 },
    { name: 'sub/b.png', width: 100, height: 80 },
    { name: 'c.jpg', width: 100, height: 80 },
  ],
  labels: [
    { name: 'car', attributes: [attribute('color')] },
    { name: 'road sign "stop" & <go>' },
    skeleton('person', ['head', 'left hand']),
  ],
};

const document = (body: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n<version>1.1</version>\n${body}\n</annotations>\n`;
const importText = (body: string, task: InMemoryTaskDataOptions = images) =>
  runImport(cvatImporter, fileOf('annotations.xml', document(body)), task);

describe('CVAT XML in images mode', () => {
  it('imports every kind of shape with its coordinates, flags, group and attributes', async () => {
    const { task, summary } = await importText(`
      <image id="0" name="a.jpg" width="100" height="80">
        <box label="car" source="manual" occluded="1" xtl="21.25" ytl="12.5" xbr="50.00" ybr="40.75" rotation="33.50" z_order="4" group_id="7">
          <attribute name="color">deep  blue
with a second line</attribute>
        </box>
        <ellipse label="car" source="manual" occluded="0" cx="20.10" cy="30.20" rx="5.05" ry="3.15" z_order="0"/>
        <polygon label="car" occluded="0" points="1,2;3.50,4;5,6.25" z_order="-2"/>
        <polyline label="car" occluded="0" points="0,0;10,10" z_order="0"/>
        <points label="car" occluded="0" points="7.77,8.88" z_order="0"/>
        <cuboid label="car" occluded="0" xtl1="1" ytl1="2" xbl1="3" ybl1="4" xtr1="5" ytr1="6" xbr1="7" ybr1="8" xtl2="9" ytl2="10" xbl2="11" ybl2="12" xtr2="13" ytr2="14" xbr2="15" ybr2="16" z_order="0"/>
        <mask label="car" occluded="0" rle="1, 2, 3" left="10" top="20" width="3" height="2" z_order="1"/>
        <tag label="car" source="manual" group_id="2"><attribute name="color">red</attribute></tag>
      </image>`);
    expect(summary.invalid).toEqual([]);
    const common = { frame: 0, label: 'car', occluded: false, attributes: [], group: 0, z_order: 0, source: 'file' };
    expect(task.shapes).toEqual([
      {
        ...common,
        type: 'rectangle',
        points: [21.25, 12.5, 50, 40.75],
        rotation: 33.5,
        occluded: true,
        z_order: 4,
        group: 7,
        attributes: [{ name: 'color', value: 'deep  blue\nwith a second line' }],
      },
      { ...common, type: 'ellipse', points: [20.1, 30.2, 25.15, 27.05] },
      { ...common, type: 'polygon', points: [1, 2, 3.5, 4, 5, 6.25], z_order: -2 },
      { ...common, type: 'polyline', points: [0, 0, 10, 10] },
      { ...common, type: 'points', points: [7.77, 8.88] },
      { ...common, type: 'cuboid', points: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16] },
      { ...common, type: 'mask', points: [1, 2, 3, 10, 20, 12, 21], z_order: 1 },
    ]);
    expect(task.tags).toEqual([
      { frame: 0, label: 'car', group: 2, source: 'file', attributes: [{ name: 'color', value: 'red' }] },
    ]);
    expect(summary.included).toContainEqual({ type: 'rectangle', label: 'car', count: 1 });
    expect(summary.included).toContainEqual({ type: 'tag', label: 'car', count: 1 });
  });

  it('imports skeletons with the flags and attributes of their points', async () => {
    const { task, summary } = await importText(`
      <image id="1" name="sub/b.png" width="100" height="80">
        <skeleton label="person" source="manual" z_order="3" group_id="1">
          <points label="head" source="manual" outside="0" occluded="1" points="5.00,6.00"></points>
          <points label="left hand" source="manual" outside="1" occluded="1" points="7.00,8.00"></points>
        </skeleton>
      </image>`);
    expect(summary.invalid).toEqual([]);
    expect(task.shapes).toHaveLength(1);
    expect(task.shapes[0]).toMatchObject({
      type: 'skeleton',
      label: 'person',
      frame: 1,
      points: [],
      z_order: 3,
      group: 1,
      occluded: true,
    });
    expect(task.shapes[0]?.elements).toMatchObject([
      { type: 'points', label: 'head', points: [5, 6], outside: false, occluded: true, frame: 1 },
      { type: 'points', label: 'left hand', points: [7, 8], outside: true, occluded: true, frame: 1 },
    ]);
  });

  it('reads older files: no z_order, no occluded, no image size, whole numbers, flags as words, a tag beside the images', async () => {
    const { task, summary } = await importText(`
      <meta><task><z_order>False</z_order><flipped>False</flipped><labels><label><name>car</name></label></labels></task></meta>
      <tag label="car" frame="2"/>
      <image id="0" name="a.jpg">
        <box label="car" xtl="1" ytl="2" xbr="3" ybr="4"/>
        <polygon label="car" points="1,2;3,4;5,6;" occluded="True"/>
      </image>`);
    expect(summary.invalid).toEqual([]);
    expect(task.shapes.map(({ type, points, occluded, z_order }) => [type, points, occluded, z_order])).toEqual([
      ['rectangle', [1, 2, 3, 4], false, 0],
      ['polygon', [1, 2, 3, 4, 5, 6], true, 0],
    ]);
    expect(task.tags).toMatchObject([{ frame: 2, label: 'car' }]);
  });

  it('accepts any name of labels and files', async () => {
    const frames = [{ name: 'ordner/Straße für "große" Züge & <Wagen>.jpg' }, { name: '写真 1.png' }];
    const { task, summary } = await importText(
      `<image id="0" name="ordner/Straße für &quot;große&quot; Züge &amp; &lt;Wagen&gt;.jpg"><tag label="кошка 🐈"/></image>
       <image id="1" name="写真 1.png"><tag label="road sign &quot;stop&quot; &amp; &lt;go&gt;"/></image>`,
      { frames, labels: [{ name: 'кошка 🐈' }, { name: 'road sign "stop" & <go>' }] },
    );
    expect(summary.invalid).toEqual([]);
    expect(task.tags.map(({ frame, label }) => [frame, label])).toEqual([
      [0, 'кошка 🐈'],
      [1, 'road sign "stop" & <go>'],
    ]);
  });

  it('reads files with a byte order mark, with CRLF line ends, and in UTF-16', async () => {
    const text = document(
      '<image id="0" name="a.jpg"><box label="car" xtl="1" ytl="2" xbr="3" ybr="4"><attribute name="color">a\r\nb</attribute></box></image>',
    );
    const withMark = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'))]);
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text.replace('utf-8', 'utf-16'), 'utf16le')]);
    for (const bytes of [withMark, utf16]) {
      const { task, summary } = await runImport(cvatImporter, fileOf('annotations.xml', bytes), images);
      expect(summary.invalid).toEqual([]);
      expect(task.shapes).toMatchObject([{ points: [1, 2, 3, 4], attributes: [{ name: 'color', value: 'a\nb' }] }]);
    }
  });

  it('reads every spelling of a number exactly', async () => {
    const digits = fc.stringMatching(/^-?[0-9]{1,12}(\.[0-9]{0,9})?$/);
    const any = fc.oneof(
      digits,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.constantFrom('+1', '.5', '1.', '1e3', '00012.50', '123456789012345678', '0.1234567890123456'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(any, { minLength: 6, maxLength: 12 }).filter(({ length }) => length % 2 === 0),
        async (numbers) => {
          const points = numbers
            .map((number, index) => (index % 2 === 0 ? number : `${number};`))
            .join(',')
            .replaceAll(';,', ';');
          const { task, summary } = await importText(
            `<image id="0" name="a.jpg"><polygon label="car" points="${points}"/><points label="car" points="${numbers[0]},0"/></image>`,
            { ...images, takesOutside: true },
          );
          expect(summary.invalid).toEqual([]);
          expect(task.shapes[0]?.points).toEqual(numbers.map((number) => Number(number) + 0));
          expect(task.shapes[1]?.points[0]).toBe(Number(numbers[0]) + 0);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('reports each unreadable object with its line, and keeps the others', async () => {
    const { task, summary } = await importText(`<image id="0" name="a.jpg">
<box label="car" xtl="1" ytl="2" xbr="3" ybr="4"/>
<box label="bicycle" xtl="1" ytl="2" xbr="3" ybr="4"/>
<box label="car" xtl="one" ytl="2" xbr="3" ybr="4"/>
<box label="car" xtl="1" ytl="2" xbr="3"/>
<box xtl="1" ytl="2" xbr="3" ybr="4"/>
<polygon label="car" points="1,2;3,4"/>
<polygon label="car" points="1,2;3;5,6"/>
<mask label="car" rle="1, 2" left="0" top="0" width="2" height="2"/>
<mask label="car" rle="1, -2, 5" left="0" top="0" width="2" height="2"/>
<box label="car" xtl="1" ytl="2" xbr="3" ybr="4" z_order="top"/>
<box label="car" xtl="1" ytl="2" xbr="NaN" ybr="Infinity"/>
<tag label="bicycle"/>
<box label="car" xtl="5" ytl="6" xbr="7" ybr="8"/>
</image>`);
    expect(task.shapes.map(({ points }) => points)).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ]);
    expect(summary.invalid.map(({ at }) => at)).toEqual(
      [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16].map((line) => `line ${line}`),
    );
    expect(new Set(summary.invalid.map(({ file }) => file))).toEqual(new Set(['annotations.xml']));
    expect(summary.invalid[0]?.reason).toContain('Label "bicycle"');
    expect(summary.invalid[1]?.reason).toContain('"xtl" is not a number');
    expect(summary.invalid[6]?.reason).toContain('its runs cover 3 pixels');
  });

  it('keeps a skeleton with one unreadable point, and reports that point', async () => {
    const { task, summary } = await importText(`<image id="0" name="a.jpg"><skeleton label="person" z_order="0">
      <points label="head" outside="0" occluded="0" points="5;6"/>
      <points label="left hand" outside="0" occluded="0" points="7,8"/>
    </skeleton></image>`);
    expect(task.shapes[0]?.elements?.map(({ label }) => label)).toEqual(['left hand']);
    expect(summary.invalid).toHaveLength(1);
  });

  it('reports unknown images with the number of their objects, and imports none of them', async () => {
    const { task, summary } = await importText(`
      <image id="0" name="c.jpg"><box label="car" xtl="1" ytl="2" xbr="3" ybr="4"/></image>
      <image id="1" name="unknown.jpg"><box label="car" xtl="1" ytl="2" xbr="3" ybr="4"/><tag label="car"/></image>
      <image id="2" name="empty.jpg"></image>`);
    expect(task.shapes.map(({ frame }) => frame)).toEqual([2]);
    expect(summary.invalid).toHaveLength(1);
    expect(summary.invalid[0]?.reason).toContain('image "unknown.jpg" is not in the task: its 2 objects');
  });

  it('matches images by number only if no name of the file is in the task, and says so', async () => {
    const { task, summary } = await importText(`
      <image id="2" name="renamed/2.jpg"><box label="car" xtl="1" ytl="2" xbr="3" ybr="4"/></image>
      <image id="9" name="renamed/9.jpg"><box label="car" xtl="1" ytl="2" xbr="3" ybr="4"/></image>`);
    expect(task.shapes.map(({ frame }) => frame)).toEqual([2]);
    expect(summary.warnings.join()).toContain('placed by frame number');
    expect(summary.invalid).toHaveLength(1);
  });

  it('says when images have another size than in the task', async () => {
    const { summary } = await importText(
      '<image id="0" name="a.jpg" width="200" height="160"><tag label="car"/></image>',
    );
    expect(summary.warnings.join()).toContain('1 images have another size');
  });

  it('skips unknown elements and reports them', async () => {
    const { task, summary } = await importText(`<image id="0" name="a.jpg">
      <star label="car"><box label="car" xtl="9" ytl="9" xbr="9" ybr="9"/></star>
      <box label="car" xtl="1" ytl="2" xbr="3" ybr="4"><note><attribute name="color">x</attribute></note></box>
    </image><relations/>`);
    expect(task.shapes).toMatchObject([{ points: [1, 2, 3, 4], attributes: [] }]);
    expect(summary.warnings.map((warning) => /<\w+>/.exec(warning)?.[0])).toEqual(['<star>', '<note>', '<relations>']);
  });

  it('maps or skips labels as selected', async () => {
    const body =
      '<image id="0" name="a.jpg"><box label="auto" xtl="1" ytl="2" xbr="3" ybr="4"/><tag label="wolke"/><tag label="car"/></image>';
    const { task, summary } = await runImport(cvatImporter, fileOf('annotations.xml', document(body)), images, {
      label_mapping: { auto: 'car', wolke: null },
    });
    expect(task.shapes.map(({ label }) => label)).toEqual(['car']);
    expect(task.tags.map(({ label }) => label)).toEqual(['car']);
    expect(summary.invalid).toEqual([]);
    expect(summary.dropped).toMatchObject([{ type: 'tag', label: 'wolke', count: 1 }]);
  });
});

describe('CVAT XML in video mode', () => {
  const video: InMemoryTaskDataOptions = {
    meta: {
      mode: 'interpolation',
      start_frame: 10,
      frame_step: 3,
      frame_filter: 'step=3',
      stop_frame: 40,
      source: 't.mp4',
    },
    frames: Array.from({ length: 11 }, (_, index) => ({
      name: `frame_${String(10 + index * 3).padStart(6, '0')}`,
      width: 25,
      height: 20,
    })),
    labels: [
      { name: 'car', attributes: [attribute('plate'), attribute('speed', true)] },
      skeleton('person', ['head', 'hand']),
    ],
  };

  it('keeps keyframes, counts frames like the task, and stores immutable attributes once', async () => {
    const box = (frame: number, keyframe: number, outside: number, x: number, speed: string) =>
      `<box frame="${frame}" keyframe="${keyframe}" outside="${outside}" occluded="0" xtl="${x}" ytl="0" xbr="${x + 5}" ybr="5" z_order="2">
        <attribute name="plate">B-1</attribute><attribute name="speed">${speed}</attribute></box>`;
    const { task, summary } = await importText(
      `<track id="0" label="car" source="manual" group_id="3">${box(10, 1, 0, 0, 'slow')}${box(13, 0, 0, 1, 'slow')}${box(16, 1, 0, 2, 'fast')}${box(19, 1, 1, 2, 'fast')}</track>`,
      video,
    );
    expect(summary.invalid).toEqual([]);
    expect(summary.included).toEqual([{ type: 'track', label: 'car', count: 1 }]);
    expect(task.tracks).toMatchObject([
      {
        label: 'car',
        group: 3,
        source: 'file',
        attributes: [{ name: 'plate', value: 'B-1' }],
        shapes: [
          {
            frame: 0,
            points: [0, 0, 5, 5],
            outside: false,
            keyframe: true,
            z_order: 2,
            attributes: [{ name: 'speed', value: 'slow' }],
          },
          { frame: 2, points: [2, 0, 7, 5], outside: false, attributes: [{ name: 'speed', value: 'fast' }] },
          { frame: 3, points: [2, 0, 7, 5], outside: true },
        ],
      },
    ]);
  });

  it('reads skeletons with points inside, and the older layout with tracks inside the track', async () => {
    const point = (label: string, x: number, more = '') =>
      `<points label="${label}" ${more} outside="0" occluded="0" points="${x},1"/>`;
    const { task, summary } = await importText(
      `<track id="0" label="person"><skeleton frame="10" keyframe="1" z_order="0">${point('head', 1, 'keyframe="1"')}${point('hand', 2, 'keyframe="1"')}</skeleton>
         <skeleton frame="13" keyframe="0" z_order="0">${point('head', 3, 'keyframe="0"')}${point('hand', 4, 'keyframe="1"')}</skeleton></track>
       <track id="1" label="person"><skeleton frame="16" keyframe="1" points="1,1;2,2" z_order="0"/>
         <track id="0" label="head"><points frame="16" outside="0" occluded="0" keyframe="1" points="5,5"/></track>
         <track id="1" label="hand"><points frame="16" outside="0" occluded="0" keyframe="1" points="6,6"/><points frame="19" outside="1" occluded="0" keyframe="1" points="6,6"/></track></track>`,
      video,
    );
    expect(summary.invalid).toEqual([]);
    expect(task.tracks[0]).toMatchObject({ shapes: [{ type: 'skeleton', frame: 0, points: [], outside: false }] });
    expect(task.tracks[0]?.shapes).toHaveLength(1);
    expect(
      task.tracks[0]?.elements?.map(({ label, shapes }) => [label, shapes.map(({ frame, points }) => [frame, points])]),
    ).toEqual([
      ['head', [[0, [1, 1]]]],
      [
        'hand',
        [
          [0, [2, 1]],
          [1, [4, 1]],
        ],
      ],
    ]);
    expect(
      task.tracks[1]?.elements?.map(({ label, shapes }) => [
        label,
        shapes.map(({ frame, outside }) => [frame, outside]),
      ]),
    ).toEqual([
      ['head', [[2, false]]],
      [
        'hand',
        [
          [2, false],
          [3, true],
        ],
      ],
    ]);
  });

  it('imports the mask of a track as a shape', async () => {
    const mask = (frame: number, outside: number) =>
      `<mask frame="${frame}" keyframe="1" outside="${outside}" occluded="1" rle="0, 4" left="1" top="2" width="2" height="2" z_order="5"/>`;
    const { task } = await importText(`<track id="0" label="car">${mask(13, 0)}${mask(16, 1)}</track>`, video);
    expect(task.tracks).toEqual([]);
    expect(task.shapes).toMatchObject([
      { type: 'mask', frame: 1, points: [0, 4, 1, 2, 2, 3], occluded: true, z_order: 5, label: 'car' },
    ]);
  });

  it('keeps the movement if keyframes are on frames that the task does not have', async () => {
    const box = (frame: number, keyframe: number) =>
      `<box frame="${frame}" keyframe="${keyframe}" outside="0" occluded="0" xtl="${frame}" ytl="0" xbr="${frame + 5}" ybr="5"/>`;
    const frames = Array.from({ length: 31 }, (_, index) => 5 + index).map((frame) =>
      box(frame, frame === 5 || frame === 20 || frame === 35 ? 1 : 0),
    );
    const { task, summary } = await importText(`<track id="0" label="car">${frames.join('')}</track>`, video);
    // 20 is not a frame of the task (10, 13, 16, 19, 22, …). Keyframes on 19 and 22 preserve the interpolated position.
    expect(task.tracks[0]?.shapes.map(({ frame, points }) => [frame, points[0]])).toEqual([
      [0, 10],
      [3, 19],
      [4, 22],
      [8, 34],
    ]);
    expect(summary.invalid).toHaveLength(1);
    expect(summary.invalid[0]?.reason).toContain(
      '3 of its keyframes are on frames that the task does not have, the first is 5',
    );
  });

  it('reports a track that changes its shape, repeats a frame, or has nothing left', async () => {
    const { task, summary } = await importText(
      `<track id="0" label="car"><box frame="10" keyframe="1" outside="0" xtl="1" ytl="1" xbr="2" ybr="2"/><points frame="13" keyframe="1" outside="0" points="1,1"/>
         <box frame="10" keyframe="1" outside="0" xtl="1" ytl="1" xbr="2" ybr="2"/></track>
       <track id="1" label="car"><box frame="11" keyframe="1" outside="0" xtl="1" ytl="1" xbr="2" ybr="2"/></track>
       <track id="2" label="ghost"><box frame="10" keyframe="1" outside="0" xtl="1" ytl="1" xbr="2" ybr="2"/></track>
       <track id="3"><box frame="10" keyframe="1" outside="0" xtl="1" ytl="1" xbr="2" ybr="2"/></track>`,
      video,
    );
    expect(task.tracks).toHaveLength(1);
    expect(summary.invalid.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('the track has rectangle shapes'),
      expect.stringContaining('two shapes on frame 10'),
      expect.stringContaining('1 of its keyframes are on frames that the task does not have'),
      expect.stringContaining('none of its shapes could be read'),
      expect.stringContaining('Label "ghost"'),
      expect.stringContaining('"label" is missing'),
    ]);
  });

  it('reads a video file into an image task and an images file into a video task', async () => {
    const track =
      '<track id="0" label="car"><box frame="1" keyframe="1" outside="0" xtl="1" ytl="1" xbr="2" ybr="2"/></track>';
    expect((await importText(track)).task.tracks).toMatchObject([{ shapes: [{ frame: 1, points: [1, 1, 2, 2] }] }]);
    const image =
      '<image id="16" name="frame_000016" width="25" height="20"><box label="car" xtl="1" ytl="1" xbr="2" ybr="2"/></image>';
    expect((await importText(image, video)).task.shapes).toMatchObject([{ frame: 2, points: [1, 1, 2, 2] }]);
  });
});

describe('CVAT archives', () => {
  it('read every annotation file at any depth and report other XML files', async () => {
    const tag = (name: string) => document(`<image id="0" name="${name}"><tag label="car"/></image>`);
    const path = await zipOf({
      'top/annotations.xml': tag('a.jpg'),
      'top/more/second.XML': tag('c.jpg'),
      'top/other.xml': '<kml/>',
      '__MACOSX/top/._annotations.xml': 'junk',
    });
    const { task, summary } = await runImport(cvatImporter, path, images);
    expect(task.tags.map(({ frame }) => frame).toSorted()).toEqual([0, 2]);
    expect(summary.warnings).toEqual([expect.stringContaining('top/other.xml was left out')]);
  });

  it('are refused when they hold no annotation file', async () => {
    const path = await zipOf({ 'readme.txt': 'nothing', 'other.xml': '<kml/>' });
    await expect(runImport(cvatImporter, path, images)).rejects.toThrow('has no CVAT annotations');
  });
});
