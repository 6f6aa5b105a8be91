import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { withSource } from '../../../main/formats/io/open-source.ts';
import type { Label, LabelWrite } from '../../../preload/contract/schema/labels.ts';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { isVisible, readTrack } from '../../../preload/geometry/track-pieces.ts';
import { useWork, workCalls } from '../../contract/work/work-harness.ts';
import type { ImportReport, Target } from '../../support/client.ts';
import { makeFrameFolder } from '../../support/tiny-frames.ts';
import {
  type BoxesByFrame,
  hasTrackSlices,
  labelsById,
  ownSlices,
  readTrackSlices,
  type SliceBox,
  type SliceFile,
  type SliceLabel,
  type SliceLayout,
  type SliceTrack,
  uploadOf,
  wrongBoxes,
} from '../../support/track-slices.ts';

const work = await useWork();
await makeFrameFolder(join(work.workbench.dataDir, 'frames'), 23, (index) => `${String(index).padStart(3, '0')}.jpg`);

/** All scenes of a file together. Each track has its number as a group, which identifies it in every file. */
interface Scene {
  readonly tracks: readonly SliceTrack[];
  readonly truth: BoxesByFrame;
}

function together(scenes: readonly { readonly tracks: readonly SliceTrack[]; readonly truth: BoxesByFrame }[]): Scene {
  const tracks: SliceTrack[] = [];
  const truth: Record<string, SliceBox[]> = {};
  for (const scene of scenes) {
    for (const [frame, boxes] of Object.entries(scene.truth)) {
      (truth[frame] ??= []).push(...boxes.map((box) => ({ ...box, t: box.t + tracks.length })));
    }
    tracks.push(...scene.tracks);
  }
  return { tracks, truth };
}

const writable = (label: SliceLabel): LabelWrite =>
  ({
    name: label.name,
    type: label.type,
    attributes: (label.attributes ?? []).map(({ id: _id, ...spec }) => ({ ...spec, input_type: 'text', values: [] })),
    ...(label.type === 'skeleton'
      ? {
          sublabels: (label.sublabels ?? []).map(writable),
          svg: (label.sublabels ?? [])
            .map(({ name }) => `<circle r="1" cx="1" cy="1" data-label-name="${name}"/>`)
            .join(''),
        }
      : {}),
  }) as LabelWrite;

function known(file: SliceFile, labels: readonly Label[]): Map<number, SliceLabel> {
  const all = labels.flatMap((label) => [label, ...label.sublabels]);
  return new Map(
    Array.from(labelsById(file.labels), ([id, label]) => {
      const own = all.find(({ name }) => name === label.name)!;
      const attributes = own.attributes.map(({ id: spec, name, mutable, default_value }) => ({
        id: spec,
        name,
        mutable,
        default_value,
      }));
      return [id, { ...label, id: own.id, attributes }];
    }),
  );
}

function withIds(track: SliceTrack, group: number, labels: Map<number, SliceLabel>) {
  const renamed = new Map(Array.from(labels, ([, label]) => [label.id, label]));
  const ids = (one: number): number => labels.get(one)!.id;
  const elements = track.elements?.map((element) => ({ ...element, label: ids(element.label) }));
  return uploadOf({ ...track, label: ids(track.label), ...(elements ? { elements } : {}) }, group, renamed);
}

async function makeTask(file: SliceFile, layout: SliceLayout): Promise<Task> {
  const { owner } = work;
  const task = await owner.createTask({
    labels: file.labels.map(writable),
    segment_size: layout.segment_size,
    overlap: layout.overlap,
  });
  const paths = Array.from({ length: layout.size }, (_, index) =>
    join(work.workbench.dataDir, 'frames', `${String(index).padStart(3, '0')}.jpg`),
  );
  await owner.finished(await owner.useServerFiles(task.id, paths));
  return owner.task(task.id);
}

async function upload(taskId: number, file: SliceFile, tracks: readonly SliceTrack[]): Promise<LabeledData> {
  const labels = known(file, await work.owner.labels(taskId));
  const data = { tracks: tracks.map((track, index) => withIds(track, index + 1, labels)) };
  return work.owner.replaceAnnotations('tasks', taskId, data);
}

async function fileOf(target: Target, id: number, format: string, name: string) {
  const request = await work.owner.finished(await work.owner.startExport(target, id, format));
  const path = join(work.workbench.dataDir, 'export.zip');
  await work.owner.download(request.result_url ?? '', path);
  const report = await work.owner.report(request.id);
  const text = await withSource({ path, name: 'export.zip' }, async (source) => String(await source.read(name)));
  return { path, report, text };
}

type Values = Readonly<Record<string, string>>;
const numbers = (values: Values, names: readonly string[]): number[] => names.map((name) => Number(values[name]));
const cuboid = ['1', '2'].flatMap((face) =>
  ['tl', 'bl', 'tr', 'br'].flatMap((at) => [`x${at}${face}`, `y${at}${face}`]),
);

function pointsOf(element: string, values: Values): number[] {
  if (element === 'box') return numbers(values, ['xtl', 'ytl', 'xbr', 'ybr']);
  if (element === 'cuboid') return numbers(values, cuboid);
  if (element === 'ellipse') {
    const [cx = 0, cy = 0, rx = 0, ry = 0] = numbers(values, ['cx', 'cy', 'rx', 'ry']);
    return [cx, cy, cx + rx, cy - ry];
  }
  if (element === 'mask') {
    const [left = 0, top = 0, width = 0, height = 0] = numbers(values, ['left', 'top', 'width', 'height']);
    return [...(values['rle'] ?? '').split(',').map(Number), left, top, left + width - 1, top + height - 1];
  }
  return (values['points'] ?? '')
    .split(/[;,]/)
    .filter((text) => text !== '')
    .map(Number);
}

interface Drawn {
  readonly element: string;
  readonly values: Values;
  readonly a: Record<string, string>;
  readonly parts: Drawn[];
}

function boxesOfXml(xml: string, labels: Map<number, SliceLabel>): Map<number, SliceBox[]> {
  const idOf = new Map(Array.from(labels, ([id, { name }]) => [name, id]));
  const boxes = new Map<number, SliceBox[]>();
  const open: Drawn[] = [];
  let outer: Values = {};
  let attribute: { readonly name: string; text: string } | null = null;
  const described = ({ element, values, a }: Drawn) => ({
    p: pointsOf(element, values),
    o: element === 'skeleton' ? 0 : Number(values['occluded'] ?? 0),
    z: Number(values['z_order'] ?? 0),
    r: Number(values['rotation'] ?? 0),
    a,
  });
  const take = (drawn: Drawn): void => {
    const group = Number(drawn.values['group_id'] ?? outer['group_id']);
    const frame = Number(drawn.values['frame'] ?? outer['id']);
    if (drawn.values['outside'] === '1') return;
    const elements = drawn.parts
      .filter(({ values }) => values['outside'] !== '1')
      .map((part) => ({ label: idOf.get(part.values['label'] ?? '')!, ...described(part), z: 0 }));
    if (drawn.element === 'skeleton' && elements.length === 0) return;
    const box = { t: group - 1, ...described(drawn), ...(elements.length > 0 ? { elements } : {}) };
    boxes.set(frame, [...(boxes.get(frame) ?? []), box]);
  };
  const parser = new SaxesParser();
  let depth = 0;
  parser.on('opentag', ({ name, attributes: values }) => {
    if (name === 'image' || name === 'track') [outer, depth] = [values, 1];
    else if (depth > 0 && name === 'attribute') attribute = { name: values['name'] ?? '', text: '' };
    else if (depth > 0) open.push({ element: name, values, a: {}, parts: [] });
  });
  parser.on('text', (text) => {
    if (attribute) attribute.text += text;
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'image' || name === 'track') depth = 0;
    else if (attribute && name === 'attribute') {
      open.at(-1)!.a[attribute.name] = attribute.text;
      attribute = null;
    } else if (depth > 0) {
      const drawn = open.pop()!;
      const parent = open.at(-1);
      if (parent) parent.parts.push(drawn);
      else take(drawn);
    }
  });
  parser.write(xml).close();
  return boxes;
}

/** CVAT's files have no drawing order of elements, and state "occluded" of a skeleton only by its elements. */
function asXml(truth: BoxesByFrame): BoxesByFrame {
  const plain = (box: SliceBox): SliceBox =>
    box.elements ? { ...box, o: 0, elements: box.elements.map((element) => ({ ...element, z: 0 })) } : box;
  return Object.fromEntries(Object.entries(truth).map(([frame, boxes]) => [frame, boxes.map(plain)]));
}

const xmlTolerance = 0.0151;

async function expectTruth(
  taskId: number,
  file: SliceFile,
  layout: SliceLayout,
  truth: BoxesByFrame,
  of: 'the task' | 'the task and its jobs' = 'the task and its jobs',
): Promise<void> {
  const labels = labelsById(file.labels);
  const all = of === 'the task' ? [] : await work.jobsOf(taskId);
  const jobs = all.toSorted((a, b) => a.start_frame - b.start_frame);
  const spans: [Target, number, readonly [number, number]][] = [
    ['tasks', taskId, [0, layout.size - 1]],
    ...jobs.map((job): [Target, number, [number, number]] => ['jobs', job.id, [job.start_frame, job.stop_frame]]),
  ];
  const formats = ['CVAT for images 1.1', 'CVAT for video 1.1'];
  for (const [place, [target, id, span]] of spans.entries()) {
    // The task in both formats, its jobs alternately.
    for (const format of target === 'tasks' ? formats : [formats[place % 2]!]) {
      const { text } = await fileOf(target, id, format, 'annotations.xml');
      const wrong = wrongBoxes(boxesOfXml(text, labels), asXml(truth), span, xmlTolerance);
      expect({ target, span, format, wrong }).toEqual({ target, span, format, wrong: [] });
    }
  }
}

function boxesOfRead({ tracks }: LabeledData, last: number): Map<number, SliceBox[]> {
  const boxes = new Map<number, SliceBox[]>();
  for (const track of tracks) {
    for (const shape of readTrack(track, { first: 0, last, deleted: new Set() })?.shapes() ?? []) {
      if (!isVisible(shape)) continue;
      const box = { t: (track.group ?? 0) - 1, p: shape.points, r: shape.rotation };
      boxes.set(shape.frame, [...(boxes.get(shape.frame) ?? []), box]);
    }
  }
  return boxes;
}

const bare = (truth: BoxesByFrame): BoxesByFrame =>
  Object.fromEntries(
    Object.entries(truth).map(([frame, boxes]) => [frame, boxes.map(({ t, p, r = 0 }) => ({ t, p, r }))]),
  );

const own = ownSlices();
type Sets = Readonly<Record<string, { readonly frames: readonly number[]; readonly truth: BoxesByFrame }>>;
const setsOf = (scene: SliceFile['scenes'][number]) => scene.deleted as Sets;
const ownTruth = together(own.scenes.map(({ tracks, truth = {} }) => ({ tracks, truth })));
const deletedTruth = (set: string) =>
  together(own.scenes.map((scene) => ({ tracks: scene.tracks, truth: setsOf(scene)[set]!.truth })));
const deletedFrames = (set: string) => setsOf(own.scenes[0]!)[set]!.frames;
const deleteFrames = (taskId: number, frames: readonly number[]) =>
  work.owner.good('PATCH', `/api/tasks/${taskId}/data/meta`, { json: { deleted_frames: frames } });

describe.each(['5/0', '5/1', '5/2'])('tracks of a task with jobs %s', (name) => {
  const layout = own.layouts![name]!;
  let task: Task;
  beforeAll(async () => {
    task = await makeTask(own, layout);
    await upload(task.id, own, ownTruth.tracks);
  });
  afterEach(() => deleteFrames(task.id, []));

  test('exist once in the task and in each job', async () => {
    const read = boxesOfRead(await work.owner.annotations('tasks', task.id), layout.size - 1);
    const truth = bare(ownTruth.truth);
    expect(wrongBoxes(read, truth, [0, layout.size - 1])).toEqual([]);
    for (const { id, start_frame: first, stop_frame: last } of await work.jobsOf(task.id)) {
      const ofJob = boxesOfRead(await work.owner.annotations('jobs', id), last);
      expect(wrongBoxes(ofJob, truth, [first, last])).toEqual([]);
    }
  });

  test('exist once in exports of the task and of each job', () => expectTruth(task.id, own, layout, ownTruth.truth));

  test.each(['last frames', 'a job', 'keyframes'])('exist once with deleted frames: %s', async (set) => {
    await deleteFrames(task.id, deletedFrames(set));
    const of = set === 'keyframes' ? 'the task and its jobs' : 'the task';
    await expectTruth(task.id, own, layout, deletedTruth(set).truth, of);
  });

  test('are imported by a file like by the API, and through a backup', async () => {
    const { path } = await fileOf('tasks', task.id, 'CVAT for video 1.1', 'annotations.xml');
    const copy = await makeTask(own, layout);
    await work.owner.importAnnotations('tasks', copy.id, 'CVAT 1.1', { path });
    const { text } = await fileOf('tasks', copy.id, 'CVAT for images 1.1', 'annotations.xml');
    const found = boxesOfXml(text, labelsById(own.labels));
    const isTrack = ({ t }: SliceBox): boolean => ownTruth.tracks[t]!.type !== 'mask';
    const only = (boxes: readonly SliceBox[]) => boxes.filter(isTrack);
    const truth = Object.fromEntries(Object.entries(asXml(ownTruth.truth)).map(([at, boxes]) => [at, only(boxes)]));
    const rest = new Map(Array.from(found, ([frame, boxes]) => [frame, only(boxes)]));
    expect(wrongBoxes(rest, truth, [0, layout.size - 1], 3 * xmlTolerance)).toEqual([]);

    const { rq_id: backup } = await work.owner.good<{ rq_id: string }>('POST', `/api/tasks/${task.id}/backup/export`);
    const bytes = await work.owner.bytes((await work.owner.finished(backup)).result_url ?? '');
    const { body } = await workCalls(work.owner).sendFile('/api/tasks/backup/', 'task_file', { name: 'a.zip', bytes });
    const restored = await work.owner.finished((body as { rq_id: string }).rq_id);
    const restoredId = Number(restored.result_id);
    await expectTruth(restoredId, own, layout, ownTruth.truth, 'the task');
    await deleteFrames(restoredId, deletedFrames('keyframes'));
    await expectTruth(restoredId, own, layout, deletedTruth('keyframes').truth);
  });
});

describe('one track over four jobs', () => {
  const rectangle = own.scenes.find(({ name }) => name === 'a straight way')!;

  async function changed(change: (task: Task, pieces: LabeledData['tracks']) => Promise<unknown>) {
    const task = await makeTask(own, own.layouts!['5/0']!);
    const { tracks } = await upload(task.id, own, rectangle.tracks);
    await change(task, tracks);
    return task;
  }
  const xOf = async (taskId: number) => {
    const { text } = await fileOf('tasks', taskId, 'CVAT for images 1.1', 'annotations.xml');
    const boxes = boxesOfXml(text, labelsById(own.labels));
    return Array.from({ length: 20 }, (_, frame) => (boxes.get(frame) ?? []).map(({ p }) => p[0]));
  };
  const straight = (frames: number) => Array.from({ length: frames }, (_, frame) => [frame * 10]);

  test('has one number in files that number tracks', async () => {
    const task = await changed(async () => undefined);
    const { text } = await fileOf('tasks', task.id, 'MOT 1.1', 'gt/gt.txt');
    const rows = text
      .trim()
      .split('\n')
      .map((row) => row.split(',').map(Number));
    expect(rows.map(([, id, x]) => [id, x])).toEqual(straight(20).map(([x]) => [1, x]));
  });

  test('keeps the view of the other jobs when a part is changed, also beside a deleted border', async () => {
    const task = await changed(async ({ id }, pieces) => {
      const piece = pieces[1]!;
      const shapes = piece.shapes.map((shape) =>
        shape.frame === 9 ? { ...shape, points: [500, 10, 530, 40] } : { ...shape, id: undefined },
      );
      await work.owner.changeAnnotations('tasks', id, 'update', { tracks: [{ ...piece, shapes }] });
    });
    const expected = straight(20);
    for (const [step, frame] of [6, 7, 8, 9].entries()) expected[frame] = [50 + ((step + 1) * 450) / 4];
    expect(await xOf(task.id)).toEqual(expected);
    const { text } = await fileOf('tasks', task.id, 'MOT 1.1', 'gt/gt.txt');
    expect(
      new Set(
        text
          .trim()
          .split('\n')
          .map((row) => row.split(',')[1]),
      ),
    ).toEqual(new Set(['1']));
    await deleteFrames(task.id, [4, 5, 14]);
    expect(await xOf(task.id)).toEqual(expected.map((boxes, frame) => ([4, 5, 14].includes(frame) ? [] : boxes)));
  });

  test('is deleted only in the job whose part is removed', async () => {
    const task = await changed(({ id }, pieces) =>
      work.owner.changeAnnotations('tasks', id, 'delete', { tracks: [pieces[1]!] }),
    );
    expect(await xOf(task.id)).toEqual(straight(20).map((boxes, frame) => (frame >= 5 && frame < 10 ? [] : boxes)));
  });

  test('is deleted only in the job that is cleared', async () => {
    const task = await changed(async ({ id }) => {
      const [, second] = (await work.jobsOf(id)).toSorted((a, b) => a.start_frame - b.start_frame);
      await work.owner.clearAnnotations('jobs', second!.id);
    });
    expect(await xOf(task.id)).toEqual(straight(20).map((boxes, frame) => (frame >= 5 && frame < 10 ? [] : boxes)));
  });
});

test('every format reports the number of keyframes on deleted frames, and skips them alike', async () => {
  const task = await makeTask(own, own.layouts!['5/0']!);
  const scene = own.scenes.find(({ name }) => name === 'keyframes on both sides of borders')!;
  await upload(task.id, own, scene.tracks);
  await deleteFrames(task.id, [4, 6, 10]);
  const files = [
    ['CVAT for images 1.1', 'annotations.xml'],
    ['CVAT for video 1.1', 'annotations.xml'],
    ['COCO 1.0', 'annotations/instances_default.json'],
    ['Datumaro 1.0', 'annotations/default.json'],
    ['MOT 1.1', 'gt/gt.txt'],
    ['YOLO 1.1', 'obj.names'],
  ] as const;
  const said: ImportReport['dropped'][number][] = [];
  for (const [format, name] of files) {
    const { report } = await fileOf('tasks', task.id, format, name);
    said.push(...report.dropped.filter(({ type }) => type === 'keyframe'));
  }
  expect(said).toEqual(
    files.map(() => ({ type: 'keyframe', label: 'thing', count: 2, rule: expect.stringContaining('deleted') })),
  );
  const { text } = await fileOf('tasks', task.id, 'COCO 1.0', 'annotations/instances_default.json');
  const { annotations } = JSON.parse(text) as { annotations: { image_id: number; bbox: number[] }[] };
  const left = annotations.map(({ bbox }) => bbox[0]!).toSorted((a, b) => a - b);
  const { text: rows } = await fileOf('tasks', task.id, 'MOT 1.1', 'gt/gt.txt');
  const same = rows
    .trim()
    .split('\n')
    .map((row) => Number(row.split(',')[2]));
  const truth = [0, 4, 8, 12, 20, 10, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  expect(left.map((x) => Math.round(x * 1000) / 1000)).toEqual(truth.toSorted((a, b) => a - b));
  expect(same.map((x) => Math.round(x * 1000) / 1000)).toEqual(truth);
});

describe.skipIf(!hasTrackSlices && !process.env['CI'])("the scenes of CVAT's server through the service", () => {
  const scenes = () => readTrackSlices('scenes');

  test.each(['5/0', '5/1', '10/5'])('are exported correctly: jobs %s', async (name) => {
    const file = scenes();
    const { tracks, truth } = together(
      file.scenes.flatMap((scene) => (scene.truth ? { tracks: scene.tracks, truth: scene.truth } : [])),
    );
    const layout = file.layouts![name]!;
    const task = await makeTask(file, layout);
    await upload(task.id, file, tracks);
    await expectTruth(task.id, file, layout, truth);
  });

  test('are exported correctly with deleted frames at the end of jobs', async () => {
    const file = readTrackSlices('deleted');
    const set = (scene: SliceFile['scenes'][number]) => setsOf(scene)['last frames of jobs of 5']!;
    const { tracks, truth } = together(file.scenes.map((scene) => ({ tracks: scene.tracks, truth: set(scene).truth })));
    const layout = file.layouts!['5/0']!;
    const task = await makeTask(file, layout);
    await upload(task.id, file, tracks);
    await deleteFrames(task.id, set(file.scenes[0]!).frames);
    await expectTruth(task.id, file, layout, truth);
  });
});
