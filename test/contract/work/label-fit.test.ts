import { afterAll, describe, expect, test } from 'vitest';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { makeImages } from '../../support/images.ts';
import { startWork } from './work-harness.ts';

const work = await startWork();
afterAll(() => work.stop());

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

describe('a label that is not for a kind of object', () => {
  test('is refused in every way of saving, and nothing is kept of it', async () => {
    const opened = await openTask();
    const wrong = box(opened.label('outline').id);
    const refusal = {
      status: 400,
      body: { label_id: ['The label "outline" is for polygon only, and this is a rectangle.'] },
    };
    const good = ring(opened.label('outline').id);
    expect(await create(opened, { shapes: [good, wrong] })).toMatchObject(refusal);
    expect(await work.owner.call('PUT', opened.path, { json: { shapes: [good, wrong] } })).toMatchObject(refusal);
    const track = { frame: 0, label_id: opened.label('outline').id, shapes: [{ ...wrong, label_id: undefined }] };
    expect(await create(opened, { tracks: [track] })).toMatchObject(refusal);
    const task = await work.owner.call('PUT', `/api/tasks/${opened.task}/annotations`, { json: { shapes: [wrong] } });
    expect(task).toMatchObject(refusal);
    expect(await stored(opened)).toMatchObject({ shapes: [], tracks: [] });
  });

  test('is refused for an object that has another', async () => {
    const opened = await openTask();
    await create(opened, { shapes: [box(opened.label('thing').id)] });
    const { shapes } = await stored(opened);
    const changed = shapes.map((shape) => ({ ...shape, label_id: opened.label('outline').id }));
    const answer = await work.owner.call('PATCH', opened.path, {
      query: { action: 'update' },
      json: { shapes: changed },
    });
    expect(answer.status).toBe(400);
    expect((await stored(opened)).shapes).toEqual(shapes);
  });

  test('is refused for tags, skeletons and their points', async () => {
    const opened = await openTask();
    const tag = (name: string) => ({ frame: 0, label_id: opened.label(name).id });
    expect(await create(opened, { tags: [tag('outline')] })).toMatchObject({ status: 400 });
    expect(await create(opened, { tags: [tag('weather'), tag('thing')] })).toMatchObject({ status: 200 });
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
      body: { label_id: ['The label "thing" is no skeleton: a skeleton needs a label that has its points.'] },
    });
    expect(await create(opened, { shapes: [figure('figure', 'rectangle')] })).toMatchObject({ status: 400 });
    expect(await create(opened, { shapes: [figure('figure', 'points')] })).toMatchObject({ status: 200 });
  });

  test('cannot become what its annotations are not', async () => {
    const opened = await openTask();
    const thing = opened.label('thing').id;
    const shown = { type: 'rectangle', frame: 0, points: [1, 1, 9, 9] };
    await create(opened, {
      shapes: [box(thing), ring(thing)],
      tags: [{ frame: 0, label_id: thing }],
      tracks: [{ frame: 0, label_id: thing, shapes: [shown] }],
    });
    const change = (type: string) => work.owner.call('PATCH', `/api/labels/${thing}`, { json: { type } });
    const what = 'The label "thing" is on annotations that a label for polygon cannot be on';
    expect(await change('polygon')).toMatchObject({
      status: 400,
      body: {
        type: [`${what}: 1 rectangle, 1 rectangle track, 1 tag. Nothing was changed: give them another label first.`],
      },
    });
    await work.owner.call('PUT', opened.path, { json: { shapes: [ring(thing)] } });
    expect(await change('polygon')).toMatchObject({ status: 200, body: { type: 'polygon' } });
    expect(await change('any')).toMatchObject({ status: 200, body: { type: 'any' } });
  });

  test('does not come with a project that a task moves into', async () => {
    const opened = await openTask([{ name: 'thing' }]);
    await create(opened, { shapes: [box(opened.label('thing').id)] });
    const project = await work.owner.createProject('outlines', [{ name: 'thing', type: 'polygon' }]);
    const move = await work.owner.call('PATCH', `/api/tasks/${opened.task}`, { json: { project_id: project.id } });
    expect(move).toMatchObject({
      status: 400,
      body: { project_id: [expect.stringContaining('in the task it is on 1 rectangle. Nothing was moved')] },
    });
    expect(await work.owner.task(opened.task)).toMatchObject({ project_id: null });
  });

  test('is a bad record of an import, whose others come in', async () => {
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
    expect((await stored(opened)).shapes.map(({ type }) => type).toSorted()).toEqual(['polygon', 'rectangle']);
    const { bad } = (await work.owner.report(rq_id)) as unknown as { bad: unknown };
    expect(JSON.stringify(bad)).toContain('is for polygon only, and this is a rectangle.');
  });
});
