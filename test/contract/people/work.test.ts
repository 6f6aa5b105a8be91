import { describe, expect, test } from 'vitest';
import { makeImages } from '../../support/images.ts';
import { usePeopleHarness } from './people-harness.ts';

const harness = await usePeopleHarness();
const boss = harness.addUser('boss');
const lead = harness.addUser('lead');
const annotator = harness.addUser('annotator', 'worker');
const outsider = harness.addUser('outsider', 'worker');
const team = await boss.good('createOrganization', { body: { slug: 'team' } });
await harness.join(team, lead, 'supervisor');
await harness.join(team, annotator, 'worker');

/** A task of the boss with two images and a job for each. It is in the organization unless another id is given. */
async function createTask(organizationId: number | null = team.id) {
  const labels = [{ name: 'cat' }];
  const { id } = await boss.rest.taskWithImages(
    { labels, segment_size: 1 },
    await makeImages(2, { width: 32, height: 24 }),
  );
  if (organizationId !== null) {
    await boss.good('updateTask', { params: { id }, body: { organization_id: organizationId } });
  }
  const [first, second] = (await boss.good('listJobs', { query: { task_id: String(id), sort: 'id' } })).results;
  const [label] = (await boss.good('listLabels', { query: { task_id: String(id) } })).results;
  return { task: { id }, first: first!, second: second!, label: label! };
}

const assignJob = (id: number, assignee: number | null) =>
  harness.admin.good('updateJob', { params: { id }, body: { assignee } });

describe('an assignee of a job', () => {
  test('annotates it and changes its state, and sees no other job or task', async () => {
    const { task, first, second, label } = await createTask();
    const params = { id: first.id };
    await annotator.refused(403, 'getJob', { params });
    await boss.good('updateJob', { params, body: { assignee: annotator.id } });
    expect(await annotator.good('getJob', { params })).toMatchObject({ assignee: { id: annotator.id } });
    const listed = await annotator.good('listJobs', { query: { org: 'team' } });
    expect(listed.results.map((one) => one.id)).toEqual([first.id]);
    expect((await annotator.good('listLabels', { query: { job_id: String(first.id) } })).results).toEqual([label]);
    await annotator.good('getJobMeta', { params });

    const shape = { type: 'rectangle' as const, frame: 0, label_id: label.id, points: [1, 2, 3, 4] };
    await annotator.good('replaceJobAnnotations', { params, body: { shapes: [shape] } });
    expect((await annotator.good('getJobAnnotations', { params })).shapes).toMatchObject([{ points: [1, 2, 3, 4] }]);
    expect(await annotator.good('updateJob', { params, body: { state: 'completed' } })).toMatchObject({
      state: 'completed',
    });
    await annotator.refused(403, 'updateJob', { params, body: { stage: 'acceptance' } });
    await annotator.refused(403, 'updateJob', { params, body: { assignee: null } });
    await annotator.refused(403, 'updateJob', { params, body: { state: 'new', stage: 'validation' } });
    expect(await annotator.good('getJob', { params })).toMatchObject({ state: 'completed', stage: 'annotation' });

    await annotator.refused(403, 'getJob', { params: { id: second.id } });
    await annotator.refused(403, 'getJobAnnotations', { params: { id: second.id } });
    await annotator.refused(403, 'getTask', { params: task });
    await annotator.refused(403, 'getTaskAnnotations', { params: task });
    await annotator.refused(403, 'clearTaskAnnotations', { params: task });
    await annotator.refused(403, 'listLabels', { query: { task_id: String(task.id) } });
    await annotator.refused(403, 'updateLabel', { params: { id: label.id }, body: { name: 'dog' } });
    await annotator.refused(403, 'deleteLabel', { params: { id: label.id } });
    expect((await annotator.good('listTasks', { query: { org: 'team' } })).count).toBe(0);
  });

  test('exports it in the sandbox, and in an organization with the role of a supervisor', async () => {
    const query = { format: 'COCO 1.0' };
    const { first, second } = await createTask();
    await assignJob(first.id, annotator.id);
    await assignJob(second.id, lead.id);
    await annotator.refused(403, 'exportJobDataset', { params: { id: first.id }, query });
    const { rq_id: id } = await lead.good('exportJobDataset', { params: { id: second.id }, query });
    expect(await lead.rest.finished(id)).toMatchObject({ operation: { org_id: team.id, job_id: second.id } });
    await annotator.refused(403, 'getRequest', { params: { id } });
    expect((await lead.good('listRequests', { query: { org: 'team' } })).results.map((one) => one.id)).toEqual([id]);
    expect((await lead.good('listRequests', { query: { org: '' } })).count).toBe(0);
    expect((await boss.good('listRequests', { query: { org: 'team' } })).count).toBe(0);

    const { first: personal } = await createTask(null);
    await assignJob(personal.id, annotator.id);
    await annotator.good('exportJobDataset', { params: { id: personal.id }, query });
  });

  test('in the group worker may work on it without membership, in the group user not', async () => {
    const { first, second } = await createTask();
    await assignJob(first.id, outsider.id);
    const params = { id: first.id };
    await outsider.good('getJobAnnotations', { params });
    expect((await outsider.good('listJobs')).results.map((one) => one.id)).toEqual([first.id]);
    const nonMember = harness.addUser('non-member');
    await assignJob(second.id, nonMember.id);
    await nonMember.refused(403, 'getJob', { params: { id: second.id } });
    expect((await nonMember.good('listJobs')).count).toBe(0);
  });

  test('is removed when the task moves out of reach', async () => {
    const { task, first, second } = await createTask();
    await assignJob(first.id, annotator.id);
    await assignJob(second.id, boss.id);
    await boss.good('updateTask', { params: task, body: { organization_id: null } });
    expect(await boss.good('getJob', { params: { id: first.id } })).toMatchObject({ assignee: null });
    expect(await boss.good('getJob', { params: { id: second.id } })).toMatchObject({ assignee: { id: boss.id } });
    await annotator.refused(403, 'getJob', { params: { id: first.id } });
  });
});

describe('an assignee of a task', () => {
  test('works on it, but can neither delete nor reassign it', async () => {
    const { task, label } = await createTask();
    await boss.good('updateTask', { params: task, body: { assignee_id: annotator.id } });
    await annotator.good('updateTask', { params: task, body: { name: 'renamed' } });
    await annotator.good('updateLabel', { params: { id: label.id }, body: { name: 'kitten' } });
    await annotator.good('clearTaskAnnotations', { params: task });
    await annotator.refused(403, 'deleteTask', { params: task });
    await annotator.refused(403, 'updateTask', { params: task, body: { assignee_id: null } });
    await annotator.refused(403, 'updateTask', { params: task, body: { owner_id: annotator.id } });
    await annotator.refused(403, 'exportTaskDataset', { params: task, query: { format: 'COCO 1.0' } });
    expect((await annotator.good('listTasks', { query: { org: 'team', name: 'renamed' } })).count).toBe(1);
    await boss.good('deleteTask', { params: task });
  });
});
