import { beforeAll, expect, test } from 'vitest';
import type { OperationId } from '../../../preload/contract/operations/index.ts';
import { makeImages } from '../../support/images.ts';
import { usePeopleHarness, type Caller } from '../people/people-harness.ts';

const harness = await usePeopleHarness();
const admin = harness.addUser('an-admin', 'admin');
const boss = harness.addUser('the-boss');
const maintainer = harness.addUser('the-maintainer');
const helper = harness.addUser('the-helper');
const stranger = harness.addUser('a-stranger');

let taskId = 0;
let jobId = 0;
let projectId = 0;
let reportId = 0;
let requestId = '';
beforeAll(async () => {
  const { slug } = await boss.good('createOrganization', { body: { slug: 'team' } });
  for (const [person, role] of [
    [maintainer, 'maintainer'],
    [helper, 'worker'],
  ] as const)
    await boss.good('createInvitation', {
      query: { org: slug },
      body: { role, email: `${person.username}@example.org` },
    });
  const body = { name: 'fleet', labels: [{ name: 'car' }] };
  projectId = (await admin.rest.good<{ id: number }>('POST', `/api/projects?org=${slug}`, { json: body })).id;
  const task = await admin.rest.taskWithImages({ name: 'one', project_id: projectId }, await makeImages(2));
  taskId = task.id;
  jobId = (await admin.rest.jobs(taskId))[0]!.id;
  const truth = await admin.good('createJob', {
    body: { type: 'ground_truth', task_id: taskId, frame_selection_method: 'manual', frames: [0] },
  });
  await admin.good('updateJob', { params: { id: truth.id }, body: { stage: 'acceptance', state: 'completed' } });
  await admin.good('updateTask', { params: { id: taskId }, body: { assignee_id: helper.id } });
  const [label] = await admin.rest.labels(taskId);
  await admin.rest.changeAnnotations('jobs', jobId, 'create', { tags: [{ frame: 0, label_id: label!.id }] });
  requestId = (await admin.good('createQualityReport', { body: { task_id: taskId } })).rq_id;
  reportId = (await admin.rest.finished(requestId)).result_id ?? 0;
});

const lists: readonly OperationId[] = ['listQualityReports', 'listQualityConflicts'];
const objects: Readonly<Record<string, () => number>> = {
  task_id: () => taskId,
  job_id: () => jobId,
  project_id: () => projectId,
};
const ask = (caller: Caller, list: OperationId, name: string) =>
  caller.call(list, { query: { [name]: String(objects[name]!()) } } as never);

test.each(lists.flatMap((list) => Object.keys(objects).map((name) => [list, name] as const)))(
  'answers %s by %s to users who may see that object, without naming its organization, and refuses all others',
  async (list, name) => {
    const all = (await ask(admin, list, name)).body as { count: number };
    expect(all.count).toBeGreaterThan(0);
    for (const caller of [boss, maintainer]) {
      expect((await ask(caller, list, name)).body).toMatchObject({ count: all.count });
    }
    expect((await ask(stranger, list, name)).status).toBe(403);
  },
);

test('lists reports of a report, and its conflicts, for users who may see the report', async () => {
  const children = { query: { parent_id: String(reportId) } };
  expect((await maintainer.good('listQualityReports', children)).results).toMatchObject([
    { job_id: jobId, task_id: taskId },
  ]);
  await stranger.refused(403, 'listQualityReports', children);
  expect((await maintainer.good('listQualityConflicts', { query: { report_id: String(reportId) } })).count).toBe(1);
  await stranger.refused(403, 'listQualityConflicts', { query: { report_id: String(reportId) } });
});

test("lets a task's assignee see the request of its report, also by CVAT's earlier id", async () => {
  for (const id of [requestId, `quality-check-task-${taskId}-user-${admin.id}`]) {
    expect(await helper.good('getRequest', { params: { id } })).toMatchObject({ id: requestId, status: 'finished' });
    await stranger.refused(403, 'getRequest', { params: { id } });
  }
});
