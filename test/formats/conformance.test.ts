import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createInMemoryTaskData,
  type InMemoryTaskData,
  type InMemoryTaskDataOptions,
} from '../../main/formats/kit/in-memory-task-data.ts';
import { boundingBox } from '../../preload/geometry/geometry.ts';
import type { LabeledShape } from '../../main/formats/kit/task-data.ts';
import type { ObjectKind, RegisteredExporter } from '../../main/formats/kit/plugin.ts';
import { createFormatReport } from '../../main/formats/kit/report.ts';
import { builtInFormats } from '../../main/formats/registry.ts';
import { knownReason } from '../../renderer/shared/dataset/report-view.tsx';
import { withSource } from '../../main/formats/io/open-source.ts';
import { createArchiveImages } from '../../main/import-export/sources/dataset/archive-images.ts';
import { createInspectionView } from '../../main/import-export/sources/dataset/inspect-dataset.ts';
import { entriesOf, exportToZip, importInto, runImport, zipOf } from './support/format-fixtures.ts';
import { readerOf, shapes, target, taskOfAll, taskWith, tracksOfMasks } from './support/one-of-each.ts';
import { mentioned, sceneFrames, sceneShapes } from './support/scenes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const rows = builtInFormats.exporters.map((exporter) => [exporter.display_name, exporter] as const);
const kinds = Object.keys(shapes) as (keyof typeof shapes & Exclude<ObjectKind, 'tag' | 'track' | 'attribute'>)[];
const images = new Map(
  sceneFrames.map(({ frame }) => [frame, { extension: '.jpg', bytes: Buffer.from([0xff, 0xd8, frame]) }]),
);

const optionsOf = ({ display_name: name }: RegisteredExporter) => ({ conv_mask_to_poly: tracksOfMasks.has(name) });
const read = (exporter: RegisteredExporter, path: string, task = target) =>
  runImport(readerOf(exporter), path, task, { options: optionsOf(exporter) });

/** Formats whose files are valid for another format as well. */
const alike: Readonly<Record<string, readonly string[]>> = {
  'COCO Keypoints 1.0': ['COCO 1.0'],
  'PASCAL VOC 1.1': ['Segmentation mask 1.1'],
  'Segmentation mask 1.1': ['PASCAL VOC 1.1'],
  'Ultralytics YOLO Oriented Bounding Boxes 1.0': ['Ultralytics YOLO Segmentation 1.0'],
  'labelme JSON 1.0': ['X-AnyLabeling JSON 1.0'],
  'X-AnyLabeling JSON 1.0': ['labelme JSON 1.0'],
};

function moved({ points, elements, ...shape }: LabeledShape, dx: number): LabeledShape {
  const end = shape.type === 'mask' ? points.length - 4 : 0;
  const isX = (index: number): boolean => index >= end && (index - end) % 2 === 0;
  return {
    ...shape,
    points: points.map((value, index) => (isX(index) ? value + dx : value)),
    ...(elements ? { elements: elements.map((element) => moved(element, dx)) } : {}),
  };
}

function contents({ shapes: found, tags, tracks }: InMemoryTaskData): string[] {
  return [
    ...found.map(({ frame, type, label, points, rotation = 0 }) => [
      'shape',
      frame,
      type,
      label,
      [...points],
      rotation,
    ]),
    ...tags.map(({ frame, label, attributes }) => ['tag', frame, label, attributes]),
    ...tracks.map(({ label, shapes: places }) => ['track', label, places.map(({ frame, points }) => [frame, points])]),
  ]
    .map((one) => JSON.stringify(one))
    .toSorted();
}

describe.each(rows)('%s', (_name, exporter) => {
  it('refuses its texts in another encoding, or reads them in the stated one', async () => {
    // The most common label, with a letter that has a different byte in Windows-1252.
    const named = <Value>(value: Value): Value =>
      JSON.parse(JSON.stringify(value).replaceAll('"car"', '"cär"')) as Value;
    const { labels, shapes: drawn = [], tags = [] } = taskOfAll(exporter);
    const frames = sceneFrames.map((frame, index) => ({ ...frame, name: `${index}.png` }));
    const empty = { ...target, frames, labels: named(labels ?? target.labels) };
    const task = { ...empty, shapes: named(drawn), tags: named(tags) };
    const { path } = await exportToZip(exporter, task);
    const asWritten = contents((await read(exporter, path, empty)).task);
    const entries = [...(await entriesOf(path))].map(([name, bytes]): [string, Buffer] => {
      const isText = /\.(?:txt|csv|ya?ml|names|data)$/.test(name);
      return [name, isText ? Buffer.from(bytes.toString('utf8'), 'latin1') : bytes];
    });
    const other = await zipOf(Object.fromEntries(entries));
    const stated = await runImport(readerOf(exporter), other, empty, {
      options: { ...optionsOf(exporter), encoding: 'windows-1252' },
    });
    expect(contents(stated.task)).toEqual(asWritten);
    if (entries.every(([, bytes]) => isUtf8(bytes))) return;
    await read(exporter, other, empty).then(
      ({ task: found }) => expect(contents(found)).toEqual(asWritten),
      (error: unknown) => expect(String(error)).toContain('its text is not UTF-8'),
    );
  });

  it('finds its objects in two folders with images of the same names', async () => {
    const [first] = sceneFrames;
    if (!first) throw new Error('no frame');
    const frames = ['a/x.png', 'b/x.png'].map((name, frame) => ({ ...first, name, frame }));
    const { shapes: drawn = [], tags = [] } = taskOfAll(exporter);
    const onSecond = <Item extends { readonly frame: number }>(items: readonly Item[]): Item[] =>
      items.filter(({ frame }) => frame === 0).map((item) => ({ ...item, frame: 1 }));
    const task = { ...taskOfAll(exporter), frames, shapes: onSecond(drawn), tags: onSecond(tags), images };
    const { path } = await exportToZip(exporter, task);
    const { task: found } = await read(exporter, path, { ...target, frames, labels: task.labels ?? target.labels });
    expect([...found.shapes, ...found.tags].filter(({ frame }) => frame !== 1)).toEqual([]);
  });

  it('exports shapes of every kind, or reports why they were dropped, and imports nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(sceneShapes({ kinds, details: true }), async (drawn) => {
        const task = createInMemoryTaskData({ ...target, shapes: drawn });
        const { path, summary } = await exportToZip(exporter, task);
        for (const [type, all] of Map.groupBy(drawn, (one) => one.type))
          expect(mentioned(summary, type), type).toBeGreaterThanOrEqual(all.length);
        for (const { rule } of summary.dropped) expect(knownReason(rule), rule).not.toBeNull();
        const { task: back, summary: reading } = await read(exporter, path);
        expect(reading.invalidCount).toBe(0);
        for (const { type, rotation = 0 } of back.shapes) {
          const kind = type === 'rectangle' && rotation !== 0 ? 'rotated rectangle' : type;
          const support = exporter.support?.[kind];
          // A part of a converted kind may be exported unchanged: an ellipse that is a circle.
          const isIncluded = summary.included.some((one) => one.type === type);
          expect(isIncluded || (support !== undefined && support !== 'converted'), kind).toBe(true);
        }
      }),
      { numRuns: 10 },
    );
  });

  it('reports objects outside of their image on export, and imports none', async () => {
    const included = kinds.filter((kind) => ['both', 'export'].includes(exporter.support?.[kind] ?? ''));
    const straight = included.filter((kind) => !['cuboid', 'ellipse', 'rotated rectangle'].includes(kind));
    // The first shape is partly inside the image, the second completely outside.
    for (const [kind, dx] of straight.flatMap((one) => [[one, 53] as const, [one, 200] as const])) {
      const { path, summary } = await exportToZip(exporter, { ...target, shapes: [moved(shapes[kind]!, dx)] });
      const said = [...summary.warnings, ...summary.dropped.map(({ rule }) => rule)];
      expect(said, `${kind} ${dx}`).toEqual(
        expect.arrayContaining([expect.stringMatching(/beyond its image|outside|cut off|in the image|only\.$/)]),
      );
      for (const { rule } of summary.dropped) expect(knownReason(rule), rule).not.toBeNull();
      const { task, summary: reading } = await read(exporter, path);
      const keyframes = task.tracks.flatMap((track) => [track, ...(track.elements ?? [])]).flatMap((one) => one.shapes);
      for (const shape of [...task.shapes, ...keyframes]) {
        if ('outside' in shape && shape.outside === true) continue;
        const box = boundingBox(shape);
        if (!box) continue;
        expect([box.left >= 0, box.right <= 64, box.top >= 0, box.bottom <= 48], kind).not.toContain(false);
        expect(dx, kind).toBe(53);
      }
      for (const { rule } of reading.dropped.filter(({ type }) => type === kind))
        expect(knownReason(rule), rule).not.toBeNull();
    }
  });

  it('writes a file also for a task without objects', async () => {
    const { path, summary } = await exportToZip(exporter, target);
    expect(summary).toMatchObject({ included: [], dropped: [] });
    const { task, summary: reading } = await read(exporter, path);
    expect(contents(task)).toEqual([]);
    expect(reading.invalidCount).toBe(0);
  });

  it('preserves a track that is visible on no frame, or reports it once', async () => {
    const hidden = { ...shapes.rectangle!, frame: 0, keyframe: true, outside: true };
    const unseen = { label: hidden.label, group: 0, attributes: [], shapes: [hidden] };
    const { path, summary } = await exportToZip(exporter, { ...target, tracks: [unseen] });
    const { task } = await read(exporter, path);
    const told = summary.dropped.reduce((sum, { count }) => sum + count, 0);
    expect(task.tracks.length + told).toBe(1);
    expect(task.shapes).toEqual([]);
  });

  it('preserves a label that an image has twice, or reports it', async () => {
    const { tags: [tag] = [] } = taskWith('tag', exporter);
    const { path, summary } = await exportToZip(exporter, { ...target, tags: [tag!, { ...tag! }] });
    const { task } = await read(exporter, path);
    const told = summary.dropped.filter(({ type }) => type === 'tag').reduce((sum, { count }) => sum + count, 0);
    expect(task.tags.length + told).toBe(2);
  });

  it('is detected, and no other format is', async () => {
    const { display_name: name } = readerOf(exporter);
    const task = taskOfAll(exporter);
    const candidatesOf = async (data: InMemoryTaskDataOptions, withImages: boolean) => {
      const { path } = await exportToZip(exporter, { ...data, images }, withImages);
      return builtInFormats.detectFormat({ path, name: basename(path) });
    };
    const inSubsets = sceneFrames.map((frame, index) => ({ ...frame, subset: index < 2 ? 'train' : 'val' }));
    for (const candidates of [
      await candidatesOf(task, false),
      await candidatesOf({ ...task, frames: inSubsets }, true),
    ]) {
      expect(candidates[0]).toMatchObject({ name });
      expect(candidates[0]?.confidence).toBeGreaterThanOrEqual(0.9);
      expect(alike[name] ?? []).toEqual(expect.arrayContaining(candidates.slice(1).map((other) => other.name)));
    }
    // Without objects, the formats of one family are equal, and some have no distinguishing part at all.
    const ofNone = await candidatesOf({ ...target, frames: inSubsets }, true);
    const likeliest = ofNone.filter(({ confidence }) => confidence === ofNone[0]?.confidence);
    if (ofNone.length > 0) expect(likeliest.map((one) => one.name)).toContain(name);
  });

  it('reads an extra folder at the top like none', async () => {
    const { path } = await exportToZip(exporter, taskOfAll(exporter));
    const plain = await read(exporter, path);
    expect(contents(plain.task)).not.toEqual([]);
    const deeper = await zipOf(
      Object.fromEntries([...(await entriesOf(path))].map(([name, bytes]) => [`top/${name}`, bytes])),
    );
    const { task, summary } = await read(exporter, deeper);
    expect(contents(task)).toEqual(contents(plain.task));
    expect(summary.invalidCount).toBe(0);
  });

  it('ignores white space around the name of a label', async () => {
    const { path } = await exportToZip(exporter, taskOfAll(exporter));
    const plain = await read(exporter, path);
    const texts = [...(await entriesOf(path))].map(([name, bytes]): [string, Uint8Array | string] =>
      /\.(json|xml|csv|ndjson|jsonl|txt)$/.test(name)
        ? [name, bytes.toString('utf8').replaceAll('"car"', '"car\u00a0 "').replaceAll('>car<', '>car\n <')]
        : [name, bytes],
    );
    const { task, summary } = await read(exporter, await zipOf(Object.fromEntries(texts)));
    expect(contents(task)).toEqual(contents(plain.task));
    expect(summary.included).toEqual(plain.summary.included);
  });

  it('preserves labels of any name, or reports them', async () => {
    const labels = ['#hash', 'a;b', 'a:b', '.dot', 'two words', 'plain'].map((name) => ({ name }));
    const frames = labels.map((_, frame) => ({ name: `${frame}.jpg`, width: 64, height: 48 }));
    const shown = labels.map((_, frame) => [frame, { extension: '.jpg', bytes: Buffer.from([0xff, 0xd8]) }] as const);
    const own = shapes.mask ?? shapes.rectangle!;
    for (const drawn of [own, shapes.rectangle!, undefined]) {
      const written = {
        ...(drawn ? { shapes: labels.map(({ name: label }, frame) => ({ ...drawn, label, frame })) } : {}),
        ...(drawn
          ? {}
          : { tags: labels.map(({ name: label }, frame) => ({ label, frame, attributes: [], group: 0 })) }),
      };
      const task = { frames, labels, images: new Map(shown), ...written };
      const { path, summary } = await exportToZip(exporter, task, true);
      if (summary.included.length === 0) continue;
      const { task: back } = await read(exporter, path, { frames, labels });
      const found = new Set([...back.shapes, ...back.tags].map(({ frame, label }) => `${frame} ${label}`));
      for (const { frame } of back.tracks.flatMap((track) => track.shapes))
        found.add(`${frame} ${labels[frame]?.name}`);
      const said = [...summary.dropped.map(({ label, rule }) => `"${label}": ${rule}`), ...summary.warnings].join('\n');
      for (const [frame, { name }] of labels.entries())
        if (!found.has(`${frame} ${name}`)) expect(said, name).toContain(`"${name}"`);
    }
  });

  it('distinguishes images of one name in two subsets', async () => {
    const frames = ['train', 'val'].map((subset, frame) => ({
      ...sceneFrames[0]!,
      name: `${subset}/${frame}.jpg`,
      frame,
      subset,
    }));
    const data = { ...taskOfAll(exporter), frames };
    const { path, summary } = await exportToZip(exporter, data);
    expect(summary.warnings.filter((warning) => warning.includes('left out'))).toEqual([]);
    const { task, summary: reading } = await read(exporter, path, { ...target, frames });
    expect(reading.invalidCount).toBe(0);
    expect(contents(task)).not.toEqual([]);
  });

  it('imports each image into its subset, also one without objects', async () => {
    const frames = ['t1', 't2', 'v1', 'v2'].map((name, frame) => ({
      ...sceneFrames[0]!,
      name: `${name}.jpg`,
      frame,
      subset: name.startsWith('t') ? 'train' : 'val',
    }));
    const { shapes: drawn = [], tags = [], tracks = [], ...rest } = taskOfAll(exporter);
    const onFrames = <Item extends { readonly frame: number }>(items: readonly Item[]): Item[] =>
      items.flatMap((item) => [0, 2].map((frame) => ({ ...item, frame })));
    const shown = new Map(frames.map(({ frame }) => [frame, { extension: '.jpg', bytes: Buffer.from([0xff, 0xd8]) }]));
    const data = { ...rest, frames, shapes: onFrames(drawn), tags: onFrames(tags), tracks, images: shown };
    // Its lists name images with masks, and all images are in one folder.
    const listsMasks = exporter.display_name === 'Segmentation mask 1.1';
    if (exporter.lacksSubsets === true || exporter.isSequence === true || listsMasks) return;
    const { path } = await exportToZip(exporter, data, true);
    const { subsets } = await withSource({ path, name: 'export.zip' }, async (source) => {
      const survey = createInspectionView(createArchiveImages(source));
      await importInto(readerOf(exporter), path, survey.view, optionsOf(exporter));
      return survey.result();
    });
    const found = subsets.map(({ name, frames: own }) => [
      name,
      own.map((one) => basename(one.entry).replace('_leftImg8bit', '')).toSorted(),
    ]);
    expect(Object.fromEntries(found)).toEqual({
      train: ['t1.jpg', 't2.jpg'],
      val: ['v1.jpg', 'v2.jpg'],
    });
  });

  it('adds images on request, reports unreadable ones, and its progress is from 0 to 1', async () => {
    const data = taskOfAll(exporter);
    const report = createFormatReport();
    const path = join(temporaryFolder(), 'export.zip');
    const said: number[] = [];
    const { signal } = new AbortController();
    const task = createInMemoryTaskData({ ...data, images });
    await exporter.run({ path }, task, { report, signal, progress: (one) => void said.push(one), save_images: true });
    expect(said.at(-1)).toBe(1);
    expect(said).toEqual(said.toSorted((a, b) => a - b));
    const written = [...(await entriesOf(path))].filter(([, bytes]) => bytes[0] === 0xff && bytes[1] === 0xd8);
    expect(written.length).toBeGreaterThan(0);
    const missing = await exportToZip(exporter, data, true);
    expect(missing.summary.warnings).toEqual(expect.arrayContaining([expect.stringContaining('could not be read')]));
    const none = await exportToZip(exporter, { ...data, images });
    expect([...(await entriesOf(none.path)).values()].some((bytes) => bytes[0] === 0xff && bytes[1] === 0xd8)).toBe(
      false,
    );
  });

  it('shortens image names that no file system stores, and reports them', async () => {
    const [first] = sceneFrames;
    if (!first) throw new Error('no frame');
    const frames = ['a', 'b'].map((end, frame) => ({ ...first, name: `f/${'ü'.repeat(150)}${end}.png`, frame }));
    const { path, summary } = await exportToZip(exporter, { ...taskOfAll(exporter), frames, images }, true);
    const segments = [...(await entriesOf(path)).keys()].flatMap((name) => name.split('/'));
    expect(segments.filter((segment) => Buffer.byteLength(segment) > 255)).toEqual([]);
    const isNamed = segments.some((segment) => segment.includes('üüü'));
    if (isNamed)
      expect(summary.warnings).toEqual(expect.arrayContaining([expect.stringContaining('longer than 255 bytes')]));
  });

  it('stops when it is cancelled, and leaves no file', async () => {
    const data = taskOfAll(exporter);
    const { path: source } = await exportToZip(exporter, data);
    const signal = AbortSignal.abort();
    await expect(
      runImport(readerOf(exporter), source, target, { signal, options: optionsOf(exporter) }),
    ).rejects.toMatchObject({ name: 'AbortError' });
    const path = join(temporaryFolder(), 'export.zip');
    const options = { report: createFormatReport(), signal, progress: () => undefined, save_images: false };
    await expect(exporter.run({ path }, createInMemoryTaskData(data), options)).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(existsSync(path) && readFileSync(path).length > 0).toBe(false);
  });
});

const statingSizes: ReadonlySet<string> = new Set([
  'COCO 1.0',
  'COCO RLE 1.0',
  'COCO Keypoints 1.0',
  'COCO Panoptic 1.0',
  'COCO Captions 1.0',
  'COCO Labels 1.0',
  'CVAT for images 1.1',
  'Datumaro 1.0',
  'PASCAL VOC 1.1',
  'LabelMe 3.0',
  'labelme JSON 1.0',
  'X-AnyLabeling JSON 1.0',
  'Label Studio JSON 1.0',
  'VoTT JSON 1.0',
  'SA-1B JSON 1.0',
  'ISAT JSON 1.0',
  'Supervisely 1.0',
  'V7 Darwin JSON 2.0',
  'SuperAnnotate JSON 1.0',
  'Labelbox NDJSON 1.0',
  'BDD100K 1.0',
  'Cityscapes Polygons 1.0',
  'Hugging Face ImageFolder 1.0',
]);
const turned = { ...target, frames: target.frames.map((frame) => ({ ...frame, width: 48, height: 64 })) };

it.each(rows.filter(([name]) => statingSizes.has(name)))(
  '%s: warns if a file states another size of an image than the frame has',
  async (_name, exporter) => {
    const { path } = await exportToZip(exporter, taskOfAll(exporter));
    const { summary } = await read(exporter, path, turned);
    expect(summary.warnings.filter((one) => one.includes('another size'))).not.toEqual([]);
    expect((await read(exporter, path)).summary.warnings.filter((one) => one.includes('another size'))).toEqual([]);
  },
);

const note = 'limner_note';
type Spoil = (text: string) => string;
const inList =
  (list: string): Spoil =>
  (text) =>
    text.replace(new RegExp(`("${list}":\\s*\\[\\s*\\{)`), `$1"${note}":"parked",`);
const inElement =
  (element: string): Spoil =>
  (text) =>
    text.replace(`<${element}>`, `<${element}><${note}>parked</${note}>`);
const withAttribute: Spoil = (text) => text.replace(/<(box|polygon|tag|track) /g, `<$1 ${note}="parked" `);
const withColumn: Spoil = (text) =>
  text
    .trimEnd()
    .split('\n')
    .map((line, index) => `${line.trimEnd()},${index === 0 ? note : 'parked'}`)
    .join('\n');
const inAnnotations = inList('annotations');

/** Adds an unknown member to a record, for each format whose records have names. */
const spoils: Readonly<Record<string, Spoil>> = {
  'CVAT for images 1.1': withAttribute,
  'CVAT for video 1.1': withAttribute,
  'COCO 1.0': inAnnotations,
  'COCO RLE 1.0': inAnnotations,
  'COCO Keypoints 1.0': inAnnotations,
  'COCO Panoptic 1.0': inList('segments_info'),
  'COCO Captions 1.0': inAnnotations,
  'COCO Labels 1.0': inAnnotations,
  'Datumaro 1.0': inAnnotations,
  'PASCAL VOC 1.1': inElement('object'),
  'LabelMe 3.0': inElement('object'),
  'Open Images V6 1.0': withColumn,
  'VGGFace2 1.0': withColumn,
  'labelme JSON 1.0': inList('shapes'),
  'X-AnyLabeling JSON 1.0': inList('shapes'),
  'CSV 1.0': withColumn,
  'Label Studio JSON 1.0': inList('result'),
  'CreateML 1.0': inAnnotations,
  'VoTT JSON 1.0': inList('regions'),
  'SA-1B JSON 1.0': inAnnotations,
  'ISAT JSON 1.0': inList('objects'),
  'Supervisely 1.0': inList('objects'),
  'V7 Darwin JSON 2.0': inAnnotations,
  'SuperAnnotate JSON 1.0': inList('instances'),
  'Labelbox NDJSON 1.0': inList('objects'),
  'BDD100K 1.0': inList('labels'),
  'Cityscapes Polygons 1.0': inList('objects'),
  'VIA JSON 2.0': inList('regions'),
  'FiftyOne 1.0': (text) => text.replace('"bounding_box"', `"${note}":"parked","bounding_box"`),
  'Hugging Face ImageFolder 1.0': (text) => text.replace('"bbox":', `"${note}":["parked"],"bbox":`),
  'PaddleOCR 1.0': (text) => text.replace('"transcription"', `"${note}":"parked","transcription"`),
  'Ultralytics YOLO Classification 1.0': (text) => text.replace('"labels":', `"${note}":"parked","labels":`),
};
/** Formats of images, of rows without field names, and of paths. */
const withoutNames: ReadonlySet<string> = new Set([
  'Segmentation mask 1.1',
  'CamVid 1.0',
  'Cityscapes 1.0',
  'KITTI 1.0',
  'KITTI Tracking 1.0',
  'MOT 1.1',
  'MOTS PNG 1.0',
  'ICDAR Recognition 1.0',
  'ICDAR Localization 1.0',
  'ICDAR Segmentation 1.0',
  'ImageNet 1.0',
  'LFW 1.0',
  'Market-1501 1.0',
  'WiderFace 1.0',
  'YOLO 1.1',
  'DOTA 1.0',
  'VisDrone 1.0',
  'Images and Masks 1.0',
  // Its columns are labels.
  'Multiclass CSV 1.0',
]);
const isWithoutNames = (name: string): boolean =>
  withoutNames.has(name) || (name.startsWith('Ultralytics') && !(name in spoils));

it.each(rows.filter(([name]) => !isWithoutNames(name)))(
  '%s: reports an unknown member of a record, and still reads the record',
  async (name, exporter) => {
    const spoil = spoils[name];
    expect(spoil, `${name} needs a line in the table of this test`).toBeDefined();
    const { path } = await exportToZip(exporter, taskOfAll(exporter));
    const plain = await read(exporter, path);
    let changed = 0;
    const entries = [...(await entriesOf(path))].map(([file, bytes]): [string, Uint8Array | string] => {
      if (!/\.(json|xml|csv|ndjson|jsonl|txt)$/.test(file)) return [file, bytes];
      const text = bytes.toString('utf8');
      const spoiled = spoil?.(text) ?? text;
      changed += text === spoiled ? 0 : 1;
      return [file, spoiled];
    });
    expect(changed).toBeGreaterThan(0);
    const { task, summary } = await read(exporter, await zipOf(Object.fromEntries(entries)));
    expect(contents(task)).toEqual(contents(plain.task));
    const said = [...summary.dropped.map(({ rule }) => rule), ...summary.warnings];
    expect(said.filter((sentence) => sentence.includes(note))).not.toEqual([]);
  },
);

describe.each(builtInFormats.importers.map((importer) => [importer.display_name, importer] as const))(
  '%s',
  (_name, importer) => {
    it('refuses other files with a sentence', async () => {
      for (const files of [{ 'a.dat': '' }, { 'notes/readme.md': 'Nothing is here.' }])
        await expect(runImport(importer, await zipOf(files), target)).rejects.toMatchObject({
          code: 'invalid',
          message: expect.stringMatching(/^dataset\.zip (is not an?|has no|holds no) .+\.$/),
        });
    });
  },
);
