import { expect, test } from 'vitest';
import { imageForm, type NamedImage } from '../../support/images.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { picture, useWork } from './work-harness.ts';

const work = await useWork();
const { owner } = work;

const named = async (names: readonly string[]): Promise<NamedImage[]> =>
  Promise.all(names.map(async (name) => ({ name, bytes: await picture(name, 64) })));
const labels = [{ name: 'thing' }];

/** A dataset of three images with an object on each. */
async function dataset(): Promise<Buffer> {
  const { id } = await owner.taskWithImages({ labels }, await named(['a.png', 'b.png', 'c.png']));
  const [label] = await owner.labels(id);
  const shapes = [0, 1, 2].map((frame) => ({
    type: 'rectangle' as const,
    label_id: label!.id,
    frame,
    points: [1 + frame, 1, 20, 20],
    attributes: [],
  }));
  await owner.replaceAnnotations('tasks', id, { shapes });
  const file = join(temporaryFolder(), 'dataset.zip');
  await owner.exportDataset('tasks', id, 'COCO 1.0', file, true);
  return readFileSync(file);
}

async function imported(kind: 'tasks' | 'jobs', id: number, file: Buffer, query: Readonly<Record<string, string>>) {
  const path = `/api/${kind}/${id}/annotations/`;
  const answer = await work.sendFile(
    path,
    'annotation_file',
    { name: 'dataset.zip', bytes: file },
    {
      format: 'COCO 1.0',
      ...query,
    },
  );
  expect(answer).toMatchObject({ status: 202 });
  return owner.finished((answer.body as { rq_id: string }).rq_id);
}
const namesOf = async (id: number) => (await owner.meta('tasks', id)).frames?.map(({ name }) => name);
const adding = { options: JSON.stringify({ add_images: true }) };

test('adds images that a dataset has and the task lacks before it imports their annotations', async () => {
  const file = await dataset();
  const { id } = await owner.taskWithImages({ labels }, await named(['b.png']));
  const trial = await imported('tasks', id, file, { ...adding, dry_run: 'true' });
  expect((await owner.report(trial.id)).warnings[0]).toContain(
    '2 images of the file would be added to the task: a.png',
  );
  expect(await namesOf(id)).toEqual(['b.png']);

  const request = await imported('tasks', id, file, adding);
  expect((await owner.report(request.id)).warnings[0]).toBe(
    '2 images of the file were added to the task: a.png, c.png.',
  );
  expect(await namesOf(id)).toEqual(['b.png', 'a.png', 'c.png']);
  const { shapes } = await owner.annotations('tasks', id);
  expect(shapes.map(({ frame, points }) => [frame, points[0]]).toSorted()).toEqual([
    [0, 2],
    [1, 1],
    [2, 3],
  ]);
  expect(await owner.bytes(`/api/tasks/${id}/data?type=frame&number=1&quality=original`)).toEqual(
    await picture('a.png', 64),
  );

  await imported('tasks', id, file, adding);
  expect(await namesOf(id)).toEqual(['b.png', 'a.png', 'c.png']);
});

test('leaves out images that the task lacks unless the import asks for them', async () => {
  const { id } = await owner.taskWithImages({ labels }, await named(['b.png']));
  await imported('tasks', id, await dataset(), {});
  expect(await namesOf(id)).toEqual(['b.png']);
  expect((await owner.annotations('tasks', id)).shapes).toHaveLength(1);
});

test('refuses to add images of a dataset to a job', async () => {
  const { id } = await owner.taskWithImages({ labels }, await named(['b.png']));
  const [job] = await owner.jobs(id);
  const body = imageForm([], {});
  body.set('annotation_file', new Blob([new Uint8Array(await dataset())]), 'dataset.zip');
  const query = { format: 'COCO 1.0', ...adding };
  const answer = await owner.call('POST', `/api/jobs/${job!.id}/annotations/`, { query, body });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain('add_images works for tasks only');
});
