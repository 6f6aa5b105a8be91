import { afterAll, expect, test } from 'vitest';
import { picture, startWork } from './work-harness.ts';

const work = await startWork();
afterAll(() => work.stop());

test('a project says how far its jobs are, and how many frames each subset has', async () => {
  const { owner } = work;
  const { body } = await owner.call('POST', '/api/projects', { json: { name: 'streets', labels: [{ name: 'car' }] } });
  const project = (body as { id: number }).id;
  const progress = async () => (await owner.call('GET', `/api/limner/projects/${project}/progress`)).body;
  const none = { count: 0, completed: 0, validation: 0, in_progress: 0, rejected: 0 };
  expect(await progress()).toEqual({ jobs: none, frames: 0, subsets: [] });
  const images = await Promise.all(
    ['a.png', 'b.png', 'c.png', 'd.png', 'e.png'].map(async (name) => ({ name, bytes: await picture(name) })),
  );
  const { id } = await owner.createTask({ project_id: project, segment_size: 1, subset: 'Train' });
  await owner.ended(await owner.uploadImages(id, images, {}));
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

test('a job says on how many of its frames there is something, whatever it is, and deleted frames do not count', async () => {
  const { owner } = work;
  const names = ['a.png', 'b.png', 'c.png', 'd.png', 'e.png', 'f.png'];
  const images = await Promise.all(names.map(async (name) => ({ name, bytes: await picture(name) })));
  const { id } = await owner.createTask({ labels: [{ name: 'car' }] });
  await owner.ended(await owner.uploadImages(id, images, {}));
  const [job] = await work.jobsOf(id);
  const progress = async () => (await owner.call('GET', `/api/limner/jobs/${job?.id}/progress`)).body;
  expect(await progress()).toEqual({ frames: 6, annotated: 0 });
  const [label] = await owner.labels(id);
  const box = (frame: number) => ({ type: 'rectangle' as const, frame, points: [1, 1, 5, 5] });
  await owner.changeAnnotations('jobs', job?.id ?? 0, 'create', {
    shapes: [0, 0, 5].map((frame) => ({ ...box(frame), label_id: label?.id ?? 0 })),
    tags: [{ frame: 1, label_id: label?.id ?? 0 }],
    // Seen on frames 2 and 3, gone from 4 on.
    tracks: [{ frame: 2, label_id: label?.id ?? 0, shapes: [box(2), { ...box(4), outside: true }] }],
  });
  expect(await progress()).toEqual({ frames: 6, annotated: 5 });
  await owner.call('PATCH', `/api/jobs/${job?.id}/data/meta`, { json: { deleted_frames: [3, 5] } });
  expect(await progress()).toEqual({ frames: 4, annotated: 3 });
});
