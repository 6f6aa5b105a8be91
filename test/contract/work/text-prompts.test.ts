import { expect, test } from 'vitest';
import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { picture, useWork } from './work-harness.ts';

const work = await useWork();
const labels = [{ name: 'car' }] as LabelWrite[];
const images = [{ name: 'a.png', bytes: await picture('a') }];

interface Kept {
  readonly prompts: readonly string[];
}
const jobOf = async (task: number) => (await work.jobsOf(task))[0]!.id;
const path = (job: number) => `/api/limner/jobs/${job}/text_prompts`;
const kept = async (task: number) => (await work.owner.good<Kept>('GET', path(await jobOf(task)))).prompts;
const keep = async (task: number, prompts: readonly string[]) =>
  work.owner.good('PATCH', path(await jobOf(task)), { json: { prompts } });

async function restored(kind: 'project' | 'task', id: number): Promise<number> {
  const saved = await work.owner.good<{ rq_id: string }>('POST', `/api/${kind}s/${id}/backup/export`);
  const bytes = await work.owner.bytes((await work.owner.finished(saved.rq_id)).result_url!);
  const sent = await work.sendFile(`/api/${kind}s/backup`, `${kind}_file`, { name: 'backup.zip', bytes });
  const { result_id: result } = await work.owner.finished((sent.body as { rq_id: string }).rq_id);
  return result!;
}

test('text prompts are shared by the tasks of a project and return with its backup', async () => {
  const project = await work.owner.createProject('helmets', labels);
  const [first, second] = [
    await work.owner.taskWithImages({ project_id: project.id }, images),
    await work.owner.taskWithImages({ project_id: project.id }, images),
  ];
  expect(await kept(first.id)).toEqual([]);
  await keep(first.id, ['helmet', 'person without helmet']);
  expect(await kept(second.id)).toEqual(['helmet', 'person without helmet']);
  const copy = await restored('project', project.id);
  const { results } = await work.owner.good<{ results: readonly { id: number }[] }>('GET', '/api/tasks', {
    query: { project_id: copy },
  });
  expect(await kept(results[0]!.id)).toEqual(['helmet', 'person without helmet']);
});

test('a task without a project keeps separate text prompts', async () => {
  const [one, other] = [
    await work.owner.taskWithImages({ labels }, images),
    await work.owner.taskWithImages({ labels }, images),
  ];
  await keep(one.id, ['boat']);
  expect(await kept(other.id)).toEqual([]);
  expect(await kept(await restored('task', one.id))).toEqual(['boat']);
  await keep(one.id, []);
  expect(await kept(one.id)).toEqual([]);
});
