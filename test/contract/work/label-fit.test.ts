import { describe, expect, test } from 'vitest';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { makeImages } from '../../support/images.ts';
import { useWork } from './work-harness.ts';

const work = await useWork();

const skeleton: LabelWrite = { name: 'figure', type: 'skeleton', sublabels: [{ name: 'head', type: 'points' }] };
const kinds: LabelWrite[] = [
  { name: 'thing' },
  { name: 'outline', type: 'polygon' },
  { name: 'weather', type: 'tag' },
  { name: 'blob', type: 'mask' },
  skeleton,
];

type Opened = Awaited<ReturnType<typeof openTask>>;

async function openTask(labels: readonly LabelWrite[] = kinds) {
  const { id } = await work.owner.taskWithImages({ labels: [...labels] }, await makeImages(2));
  const [job] = await work.owner.jobs(id);
  const own = await work.owner.labels(id);
  return {
    task: id,
    path: `/api/jobs/${job?.id}/annotations`,
    label(name: string) {
      const found = own.find((one) => one.name === name);
      if (found === undefined) throw new Error(`There is no label "${name}".`);
      return found;
    },
  };
}

const box = (label_id: number) => ({ type: 'rectangle', frame: 0, label_id, points: [1, 1, 9, 9] });
const ring = (label_id: number) => ({ type: 'polygon', frame: 0, label_id, points: [1, 1, 9, 1, 9, 9] });
const stored = ({ path }: Opened) => work.owner.good<LabeledData>('GET', path);
const create = ({ path }: Opened, json: object) =>
  work.owner.call('PATCH', path, { query: { action: 'create' }, json });

describe('a label of another type than the object', () => {
  test('can be saved in every way over the API, like in CVAT', async () => {
    const opened = await openTask();
    const outline = opened.label('outline').id;
    const shown = { type: 'rectangle', frame: 0, points: [1, 1, 9, 9] };
    const data = {
      shapes: [ring(outline), box(outline), box(opened.label('figure').id)],
      tags: [{ frame: 0, label_id: outline }],
      tracks: [{ frame: 0, label_id: outline, shapes: [shown] }],
    };
    expect(await create(opened, data)).toMatchObject({ status: 200 });
    expect(await work.owner.call('PUT', opened.path, { json: data })).toMatchObject({ status: 200 });
    const task = await work.owner.call('PUT', `/api/tasks/${opened.task}/annotations`, { json: data });
    expect(task).toMatchObject({ status: 200 });
    const { shapes, tags, tracks } = await stored(opened);
    expect(shapes.map(({ type }) => type)).toEqual(['polygon', 'rectangle', 'rectangle']);
    expect([tags.length, tracks.length]).toEqual([1, 1]);
  });

  test('is refused only for a skeleton, whose label defines its points', async () => {
    const opened = await openTask();
    const [head] = opened.label('figure').sublabels;
    const figure = (name: string, type: string) => ({
      type: 'skeleton',
      frame: 0,
      label_id: opened.label(name).id,
      points: [],
      elements: [{ type, frame: 0, label_id: head?.id, points: type === 'points' ? [4, 4] : [4, 4, 5, 5] }],
    });
    expect(await create(opened, { shapes: [figure('thing', 'points')] })).toMatchObject({
      status: 400,
      body: { label_id: ['The label "thing" cannot be used for a skeleton: only a skeleton label has points.'] },
    });
    expect(await create(opened, { shapes: [figure('figure', 'rectangle')] })).toMatchObject({ status: 200 });
    expect(await create(opened, { shapes: [figure('figure', 'points')] })).toMatchObject({ status: 200 });
  });

  test('can result from a type change of a label in use', async () => {
    const opened = await openTask();
    const thing = opened.label('thing').id;
    await create(opened, { shapes: [box(thing)], tags: [{ frame: 0, label_id: thing }] });
    const { shapes } = await stored(opened);
    const change = (type: string) => work.owner.call('PATCH', `/api/labels/${thing}`, { json: { type } });
    expect(await change('polygon')).toMatchObject({ status: 200, body: { type: 'polygon' } });
    expect((await stored(opened)).shapes).toEqual(shapes);
  });

  test('is exported by every format, or reported as dropped', async () => {
    const opened = await openTask();
    await create(opened, {
      shapes: ['figure', 'weather', 'blob'].map((name) => box(opened.label(name).id)),
      tags: [{ frame: 0, label_id: opened.label('outline').id }],
    });
    const { exporters } = await work.owner.good<{ exporters: { name: string }[] }>(
      'GET',
      '/api/server/annotation/formats',
    );
    for (const { name } of exporters) {
      const { rq_id } = await work.owner.good<{ rq_id: string }>('POST', `/api/tasks/${opened.task}/dataset/export`, {
        query: { format: name },
      });
      expect(await work.owner.ended(rq_id), name).toMatchObject({ status: 'finished' });
      const { included, dropped } = await work.owner.report(rq_id);
      const told = [...included, ...dropped].reduce((sum, { count }) => sum + count, 0);
      expect(told, name).toBeGreaterThanOrEqual(4);
    }
  });

  test('is refused when a task moves into a project', async () => {
    const opened = await openTask([{ name: 'thing' }]);
    await create(opened, { shapes: [box(opened.label('thing').id)] });
    const project = await work.owner.createProject('outlines', [{ name: 'thing', type: 'polygon' }]);
    const move = await work.owner.call('PATCH', `/api/tasks/${opened.task}`, { json: { project_id: project.id } });
    expect(move).toMatchObject({
      status: 400,
      body: { project_id: [expect.stringContaining('the task uses it on 1 rectangle. Nothing was moved')] },
    });
    expect(await work.owner.task(opened.task)).toMatchObject({ project_id: null });
  });

  test('is imported with a warning', async () => {
    const opened = await openTask();
    const { name } = (await work.owner.meta('tasks', opened.task)).frames?.[0] ?? { name: '' };
    const annotation = (id: number, category_id: number, segmentation: number[][]) => ({
      id,
      image_id: 1,
      category_id,
      segmentation,
      bbox: [1, 1, 8, 8],
      area: 64,
      iscrowd: 0,
    });
    const coco = JSON.stringify({
      images: [{ id: 1, file_name: name, width: 64, height: 48 }],
      categories: ['thing', 'outline'].map((category, index) => ({ id: index + 1, name: category })),
      annotations: [annotation(1, 1, []), annotation(2, 2, []), annotation(3, 2, [[1, 1, 9, 1, 9, 9]])],
    });
    const sent = await work.sendFile(
      `/api/tasks/${opened.task}/annotations`,
      'annotation_file',
      { name: 'a.json', bytes: coco },
      { format: 'COCO 1.0' },
    );
    const { rq_id } = sent.body as { rq_id: string };
    expect(await work.owner.ended(rq_id)).toMatchObject({ status: 'finished' });
    expect((await stored(opened)).shapes.map(({ type }) => type).toSorted()).toEqual([
      'polygon',
      'rectangle',
      'rectangle',
    ]);
    const { invalid, warnings } = await work.owner.report(rq_id);
    expect(invalid).toEqual([]);
    expect(warnings).toContain(
      'Some objects of the type rectangle have the label "outline", which is for polygon. They were imported.',
    );
  });
});
