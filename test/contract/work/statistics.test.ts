import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import type { Statistics } from '../../../preload/contract/schema/statistics.ts';
import { colouredCar, pictures, useWork } from './work-harness.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { entriesOf } from '../../support/zip-entries.ts';

const work = await useWork();

const images = await pictures(12);
const labels: LabelWrite[] = [colouredCar, { name: 'person' }, { name: 'day', type: 'tag' }];
const project = await work.owner.good<{ id: number }>('POST', '/api/projects', { json: { name: 'roads', labels } });
const [car, person, day] = await work.labelsOf({ project_id: project.id });
const spec = (name: string): number => car?.attributes.find((attribute) => attribute.name === name)?.id ?? 0;

const box = (frame: number, more: object = {}) => ({
  type: 'rectangle',
  frame,
  label_id: car?.id,
  points: [2, 2, 20 + frame, 20],
  ...more,
});
const red = [{ spec_id: spec('colour'), value: 'red' }];
const moving = [{ spec_id: spec('moving'), value: 'true' }];

async function newTask(jobs: object): Promise<number> {
  const named = { name: 'street', project_id: project.id, ...jobs };
  const { id } = await work.owner.taskWithImages(named, images);
  await work.owner.good('PUT', `/api/tasks/${id}/annotations/`, {
    json: {
      shapes: [
        box(0),
        box(1, { attributes: red }),
        box(4),
        box(5, { source: 'auto' }),
        box(5, { label_id: person?.id }),
        box(7, { type: 'polygon', points: [1, 1, 9, 1, 9, 9], attributes: [...red, ...moving] }),
        box(9),
      ],
      tags: [
        { frame: 3, label_id: day?.id },
        { frame: 7, label_id: day?.id },
      ],
      tracks: [
        {
          frame: 2,
          label_id: car?.id,
          attributes: red,
          shapes: [box(2), box(5, { attributes: moving }), box(8, { outside: true }), box(10)],
        },
        { frame: 1, label_id: person?.id, shapes: [box(1, { type: 'points', points: [3, 3] })] },
      ],
    },
  });
  await work.owner.good('PATCH', `/api/tasks/${id}/data/meta`, { json: { deleted_frames: [6, 9] } });
  return id;
}

const statistics = (of: string, id: number) => work.owner.good<Statistics>('GET', `/api/limner/${of}/${id}/statistics`);

async function exported(of: 'tasks' | 'jobs', id: number, format: string): Promise<string> {
  const path = join(temporaryFolder(), 'export.zip');
  await work.owner.exportDataset(of, id, format, path);
  return String((await entriesOf(readFileSync(path)))['annotations.xml']);
}

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

/** The same counts from CVAT's two layouts: one has each shape of a track, the other has the tracks. */
async function countedInXml(of: 'tasks' | 'jobs', id: number) {
  const plain = await exported(of, id, 'CVAT for images 1.1');
  const video = await exported(of, id, 'CVAT for video 1.1');
  const pictures = [...plain.matchAll(/<image [^>]*?(?:\/>|>([\s\S]*?)<\/image>)/g)].map(([, inner = '']) => inner);
  const tracks = [...video.matchAll(/<track [^>]*label="(\w+)"[^>]*>([\s\S]*?)<\/track>/g)];
  const perLabel = ['car', 'person'].map((label) => {
    const own = tracks.filter(([, name]) => name === label);
    return {
      label,
      shown: count(plain, new RegExp(`<(box|polygon|points) label="${label}"`, 'g')),
      series: own.length,
      keyframes: own.reduce(
        (sum, [, , inner = '']) => sum + count(inner, /outside="0"[^>]*keyframe="1"|keyframe="1"[^>]*outside="0"/g),
        0,
      ),
    };
  });
  return {
    pictures: pictures.length,
    filled: pictures.filter((inner) => inner.includes('<')).length,
    tags: count(plain, /<tag label="day"/g),
    perLabel,
  };
}

function asInXml({ frames, labels: counted }: Statistics) {
  const sums = (name: string) => {
    const kinds = counted.find((label) => label.name === name)?.kinds ?? [];
    const sum = (of: (kind: (typeof kinds)[number]) => number) => kinds.reduce((total, kind) => total + of(kind), 0);
    return {
      label: name,
      shown: sum((kind) => kind.objects + kind.keyframes + kind.interpolated),
      series: sum((kind) => kind.objects + kind.tracks),
      keyframes: sum((kind) => kind.objects + kind.keyframes),
    };
  };
  return {
    pictures: frames.total,
    filled: frames.with_objects,
    tags: counted.find(({ name }) => name === 'day')?.kinds[0]?.objects ?? 0,
    perLabel: ['car', 'person'].map(sums),
  };
}

describe('statistics', () => {
  test.each([
    ['one job', {}],
    ['jobs side by side', { segment_size: 4 }],
    ['jobs that overlap', { segment_size: 5, overlap: 2 }],
  ])('of a task with %s equal those of its export', async (_what, jobs) => {
    const id = await newTask(jobs);
    expect(asInXml(await statistics('tasks', id))).toEqual(await countedInXml('tasks', id));
  });

  test('of a job with an uncut track equal those of its export', async () => {
    const [job] = await work.jobsOf(await newTask({}));
    expect(asInXml(await statistics('jobs', job?.id ?? 0))).toEqual(await countedInXml('jobs', job?.id ?? 0));
  });

  test('distinguish labels, kinds, values and sources, with defaults, without deleted frames', async () => {
    const answer = await statistics('tasks', await newTask({ segment_size: 4 }));
    expect(answer.frames).toEqual({ total: 10, deleted: 2, with_objects: 10 });
    expect(answer.sources).toEqual([
      { source: 'manual', count: 9 },
      { source: 'auto', count: 1 },
    ]);
    const [ofCar, ofPerson, ofDay] = answer.labels;
    expect(ofCar?.kinds).toEqual([
      { type: 'rectangle', objects: 4, tracks: 1, keyframes: 3, interpolated: 4 },
      { type: 'polygon', objects: 1, tracks: 0, keyframes: 0, interpolated: 0 },
    ]);
    expect(ofCar?.attributes.map(({ name, values }) => [name, values])).toEqual([
      [
        'colour',
        [
          { value: 'blue', count: 3 },
          { value: 'red', count: 3 },
        ],
      ],
      [
        'moving',
        [
          { value: 'false', count: 5 },
          { value: 'true', count: 2 },
        ],
      ],
    ]);
    expect(ofPerson?.kinds.map(({ type, objects, tracks }) => [type, objects, tracks])).toEqual([
      ['rectangle', 1, 0],
      ['points', 0, 1],
    ]);
    expect(ofDay?.kinds).toEqual([{ type: 'tag', objects: 2, tracks: 0, keyframes: 0, interpolated: 0 }]);
  });

  test('of a project are the sums of its tasks', async () => {
    const all = await Promise.all((await work.tasksOf(project.id)).map(({ id }) => statistics('tasks', id)));
    const answer = await statistics('projects', project.id);
    const sum = (of: (one: Statistics) => number) => all.reduce((total, one) => total + of(one), 0);
    expect(answer.frames).toEqual({
      total: sum(({ frames }) => frames.total),
      deleted: sum(({ frames }) => frames.deleted),
      with_objects: sum(({ frames }) => frames.with_objects),
    });
    expect(answer.labels[0]?.kinds[0]?.objects).toBe(sum(({ labels: [first] }) => first?.kinds[0]?.objects ?? 0));
  });

  test('list the most frequent values of free texts, and count the others', async () => {
    const texts: LabelWrite[] = [
      {
        name: 'sign',
        attributes: [{ name: 'text', mutable: false, input_type: 'text', values: [], default_value: '' }],
      },
    ];
    const { id } = await work.owner.taskWithImages({ name: 'signs', labels: texts }, images.slice(0, 1));
    const [sign] = await work.labelsOf({ task_id: id });
    const values = [...Array.from({ length: 60 }, (_, index) => `text ${index}`), 'STOP', 'STOP'];
    const attributes = (value: string) => [{ spec_id: sign?.attributes[0]?.id, value }];
    const shapes = values.map((value) => box(0, { label_id: sign?.id, attributes: attributes(value) }));
    await work.owner.good('PUT', `/api/tasks/${id}/annotations/`, { json: { shapes } });
    const [text] = (await statistics('tasks', id)).labels[0]?.attributes ?? [];
    expect(text?.values[0]).toEqual({ value: 'STOP', count: 2 });
    expect([text?.values.length, text?.further_values, text?.further_count]).toEqual([50, 11, 11]);
  });

  test('of a task without media are empty', async () => {
    const { id } = await work.owner.createTask({ name: 'empty', labels: [{ name: 'car' }] });
    const { frames, sources } = await statistics('tasks', id);
    expect({ frames, sources }).toEqual({ frames: { total: 0, deleted: 0, with_objects: 0 }, sources: [] });
  });
});

test('a project returns the progress of its jobs, and the frames of each subset', async () => {
  const { owner } = work;
  const { body } = await owner.call('POST', '/api/projects', { json: { name: 'streets', labels: [{ name: 'car' }] } });
  const project = (body as { id: number }).id;
  const progress = async () => (await owner.call('GET', `/api/limner/projects/${project}/progress`)).body;
  const none = { count: 0, completed: 0, validation: 0, in_progress: 0, rejected: 0 };
  expect(await progress()).toEqual({ jobs: none, frames: 0, subsets: [] });
  const fields = { project_id: project, segment_size: 1, subset: 'Train' };
  const { id } = await owner.taskWithImages(fields, await pictures(5));
  await owner.createTask({ project_id: project });
  const jobs = await work.jobsOf(id);
  const changes = [
    { stage: 'acceptance', state: 'completed' },
    { stage: 'validation' },
    { state: 'in progress' },
    { state: 'rejected' },
  ];
  for (const [index, json] of changes.entries()) await owner.call('PATCH', `/api/jobs/${jobs[index]?.id}`, { json });
  expect(await progress()).toEqual({
    jobs: { count: 5, completed: 1, validation: 1, in_progress: 1, rejected: 1 },
    frames: 5,
    subsets: [
      { name: 'Train', tasks: 1, frames: 5 },
      { name: '', tasks: 1, frames: 0 },
    ],
  });
  expect(await owner.task(id)).toMatchObject({ jobs: { count: 5, completed: 1, validation: 1, in_progress: 1 } });
});

test('a job returns the number of its annotated frames, without deleted frames', async () => {
  const { owner } = work;
  const { id } = await owner.taskWithImages({ labels: [{ name: 'car' }] }, await pictures(6));
  const [job] = await work.jobsOf(id);
  const progress = async () => (await owner.call('GET', `/api/limner/jobs/${job?.id}/progress`)).body;
  expect(await progress()).toEqual({ frames: 6, annotated: 0 });
  const [label] = await owner.labels(id);
  const box = (frame: number) => ({ type: 'rectangle' as const, frame, points: [1, 1, 5, 5] });
  await owner.changeAnnotations('jobs', job?.id ?? 0, 'create', {
    shapes: [0, 0, 5].map((frame) => ({ ...box(frame), label_id: label?.id ?? 0 })),
    tags: [{ frame: 1, label_id: label?.id ?? 0 }],
    // Visible on frames 2 and 3, outside from 4 on.
    tracks: [{ frame: 2, label_id: label?.id ?? 0, shapes: [box(2), { ...box(4), outside: true }] }],
  });
  expect(await progress()).toEqual({ frames: 6, annotated: 5 });
  await owner.call('PATCH', `/api/jobs/${job?.id}/data/meta`, { json: { deleted_frames: [3, 5] } });
  expect(await progress()).toEqual({ frames: 4, annotated: 3 });
});
