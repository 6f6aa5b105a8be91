import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../../../main/users/access/actor.ts';
import { createEvents } from '../../../main/composition/events.ts';
import { createRepositories } from '../../../main/composition/repositories.ts';
import { createClock } from '../../../main/platform/clock.ts';
import { createSilentLogger } from '../../../main/platform/log.ts';
import { dataRequestSchema, jobWriteSchema, taskWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { labeledDataSchema } from '../../../preload/contract/schema/annotations.ts';
import { eventKinds, type WebhookType } from '../../../preload/contract/schema/webhooks.ts';
import { makeImages } from '../../support/images.ts';
import { sharedWorkers } from '../../support/shared-workers.ts';
import { createCoreHarness, type CoreHarness } from '../work/core-harness.ts';

let harness: CoreHarness;
let admin: Actor;
beforeEach(() => {
  harness = createCoreHarness();
  admin = harness.admin;
});
afterEach(() => harness.dispose());

const everythingFor = (type: WebhookType) =>
  eventKinds.filter((kind) => kind.types.includes(type)).map((kind) => kind.key);
const common = {
  target_url: 'http://receiver.example.org/',
  description: '',
  content_type: 'application/json' as const,
  secret: '',
  is_active: true,
  enable_ssl: true,
};
const ofProject = (projectId: number, events = everythingFor('project')) =>
  harness.core.webhooks.resource.create(admin, { ...common, type: 'project', project_id: projectId, events }).id;
const inOrganization = (id: number): Actor => ({ ...admin, organization: { kind: 'one', id, role: null } });
const ofOrganization = (id: number, events = everythingFor('organization')) =>
  harness.core.webhooks.resource.create(inOrganization(id), { ...common, type: 'organization', events }).id;

const addProject = (actor = admin, name = 'a project') =>
  harness.core.projects.create(actor, { name, labels: [{ name: 'thing' }], bug_tracker: '' }).id;
const addTask = (projectId: number | null, actor = admin) =>
  harness.core.tasks.create(actor, taskWriteSchema.parse({ name: 'a task', project_id: projectId, segment_size: 2 }))
    .id;
const addOrganization = (slug: string) =>
  harness.core.organizations.create(admin, { slug, name: '', description: '', contact: {} }).id;

async function addJobs(taskId: number): Promise<number[]> {
  const images = await makeImages(4, { width: 8, height: 8 });
  const paths = images.map(({ name, bytes }) => {
    const path = join(harness.folder, `${taskId}-${name}`);
    writeFileSync(path, bytes);
    return path;
  });
  const request = dataRequestSchema.parse({ image_quality: 70, server_files: paths });
  const { rq_id: id } = harness.core.taskData.start(admin, taskId, request, []);
  expect((await harness.ended(id)).status).toBe('finished');
  return harness.core.jobs
    .list(admin, { page: 1, pageSize: 'all', equals: { task_id: String(taskId) }, sort: 'id' })
    .results.map((job) => job.id);
}

type Payload = Readonly<Record<string, unknown>> & {
  readonly changes?: Record<string, { from: unknown; to: unknown }>;
};

interface Recorded {
  readonly webhook: number;
  readonly event: string;
  readonly changed: string;
  readonly payload: Payload;
}

/** Rows of the outbox in order; each call returns the ones since the last call. */
function recorded(): Recorded[] {
  const rows = harness.database
    .query(
      `SELECT webhook_message.id, webhook_id AS webhook, event, changed_fields AS changed, body FROM webhook_message
       JOIN webhook_payload USING (id) WHERE state = 'waiting' ORDER BY webhook_message.id`,
    )
    .all() as (Omit<Recorded, 'payload'> & { id: number; body: string })[];
  harness.database.query("UPDATE webhook_message SET state = 'delivered'").run();
  return rows.map(({ webhook, event, changed, body }) => ({
    webhook,
    event,
    changed,
    payload: JSON.parse(body) as Payload,
  }));
}
const events = () => recorded().map(({ event }) => event);

describe('an event and its change', () => {
  test('are one transaction: a change that fails leaves no event', () => {
    const project = addProject();
    ofProject(project);
    const rename = () => {
      harness.core.projects.update(admin, project, { name: 'never' });
      throw new Error('undone');
    };
    expect(() => harness.database.write(rename)).toThrow('undone');
    expect(events()).toEqual([]);
    expect(harness.core.projects.get(admin, project).name).toBe('a project');
  });

  test('cannot be separated: outside a transaction nothing is recorded', () => {
    const project = addProject();
    ofProject(project);
    const record = () =>
      harness.core.webhooks.events.record({
        action: 'update',
        resource: 'project',
        actor: admin,
        projectId: project,
        organizationId: null,
        object: () => ({}),
      });
    expect(record).toThrow(/inside the transaction/);
  });

  test('creates a payload only if a webhook subscribes to it', () => {
    const project = addProject();
    ofProject(addProject());
    let made = 0;
    const record = () =>
      harness.core.webhooks.events.record({
        action: 'update',
        resource: 'project',
        actor: admin,
        projectId: project,
        organizationId: null,
        object: () => ({ made: (made += 1) }),
      });
    harness.database.write(record);
    expect(made).toBe(0);
    ofProject(project);
    ofProject(project);
    harness.database.write(record);
    expect(made).toBe(1);
    expect(events()).toEqual(['update:project', 'update:project']);
  });

  test("are stored completely with the webhook's id, and an id for receivers", () => {
    const project = addProject();
    const webhook = ofProject(project);
    harness.core.projects.update(admin, project, { name: 'grün' });
    const [row] = harness.database
      .query('SELECT body, message_id FROM webhook_message JOIN webhook_payload USING (id)')
      .all() as { body: string; message_id: string }[];
    expect(row?.body).toMatch(/^\{"event": "update:project", "project": \{"url": "http:/);
    expect(row?.body).toContain('gr\\u00fcn');
    expect(row?.body).toMatch(new RegExp(`, "webhook_id": ${webhook}\\}$`));
    expect(row?.message_id).toMatch(/^msg_[0-9a-f]{32}$/);
  });
});

describe('receivers of an event', () => {
  test('are only active webhooks that subscribe to it', () => {
    const project = addProject();
    const waits = ofProject(project, ['update:project']);
    const inactive = ofProject(project, ['update:project']);
    ofProject(project, ['create:task', 'delete:task']);
    ofProject(project, []);
    harness.core.webhooks.resource.update(admin, inactive, { is_active: false });
    harness.core.projects.update(admin, project, { name: 'new' });
    expect(recorded().map(({ webhook }) => webhook)).toEqual([waits]);
    harness.core.webhooks.resource.update(admin, waits, { events: ['create:task'] });
    harness.core.projects.update(admin, project, { name: 'newer' });
    expect(events()).toEqual([]);
    harness.core.webhooks.resource.remove(admin, waits);
    addTask(project);
    expect(recorded().map(({ webhook }) => webhook)).not.toContain(waits);
  });

  test('do not include events with a name that begins the same', () => {
    const project = addProject();
    ofProject(project, ['completed:request[create:task]']);
    addTask(project);
    expect(events()).toEqual([]);
  });

  test('are none for personal objects outside of projects', () => {
    ofProject(addProject());
    ofOrganization(addOrganization('team'));
    const task = addTask(null);
    harness.core.tasks.update(admin, task, { name: 'renamed' });
    harness.core.tasks.remove(admin, task);
    expect(events()).toEqual([]);
  });

  test("are the organization's webhooks and all of the project", () => {
    const organization = addOrganization('team');
    const project = addProject(inOrganization(organization));
    const all = [ofOrganization(organization), ofProject(project), ofProject(project)];
    addTask(project);
    expect(recorded().map(({ webhook, event }) => [webhook, event])).toEqual(all.map((id) => [id, 'create:task']));
  });
});

describe('derived changes', () => {
  test("a job's stage changes its task's status, and back", async () => {
    const project = addProject();
    ofProject(project, ['update:job', 'update:task']);
    const task = addTask(project);
    const jobs = await addJobs(task);
    recorded();
    for (const id of jobs) harness.core.jobs.update(admin, id, { stage: 'acceptance', state: 'completed' });
    expect(recorded().map(({ event, changed }) => [event, changed])).toEqual([
      ['update:job', 'stage,state,status,updated_date'],
      ['update:job', 'stage,state,status,updated_date'],
      ['update:task', 'status,updated_date,jobs'],
    ]);
    harness.core.jobs.update(admin, jobs[0]!, { state: 'rejected' });
    const [ofJob, ofTask] = recorded();
    expect(ofJob?.payload.changes).toMatchObject({ status: { from: 'completed', to: 'validation' } });
    expect(ofTask?.payload.changes).toMatchObject({ status: { from: 'completed', to: 'validation' } });
  });

  test('saving annotations changes the dates of job, task and project', async () => {
    const project = addProject();
    const task = addTask(project);
    const [job = 0] = await addJobs(task);
    ofProject(project, ['update:job', 'update:task', 'update:project']);
    const [label] = harness.core.labels.list(admin, {
      page: 1,
      pageSize: 10,
      equals: { project_id: String(project) },
    }).results;
    const shape = { type: 'rectangle', frame: 0, label_id: label?.id ?? 0, points: [1, 1, 2, 2] };
    const data = labeledDataSchema.parse({ shapes: [shape] });
    const save = () => harness.core.annotations.changeJob(admin, job, 'create', data, { key: 'a key' });
    save();
    expect(recorded().map(({ event, changed }) => [event, changed])).toEqual([
      ['update:job', 'updated_date'],
      ['update:task', 'updated_date'],
      ['update:project', 'updated_date'],
    ]);
    save();
    expect(events(), 'a save that is sent again changes nothing').toEqual([]);
    harness.core.annotations.clearJob(admin, job);
    expect(events()).toEqual(['update:job', 'update:task', 'update:project']);
  });

  test('a task that gets its data creates its jobs, changes, and completes the request', async () => {
    const project = addProject();
    ofProject(project);
    const task = addTask(project);
    recorded();
    await addJobs(task);
    const log = recorded();
    expect(log.map(({ event }) => event)).toEqual([
      'update:task',
      'create:job',
      'create:job',
      'completed:request[create:task]',
    ]);
    expect(log[0]?.payload.changes).toMatchObject({ mode: { from: '', to: 'annotation' } });
    expect(log[0]?.payload['sender']).toMatchObject({ username: 'admin' });
  });
});

describe('changes of a task that affect only the date', () => {
  let task: number;
  let job: number;
  beforeEach(async () => {
    const project = addProject();
    task = addTask(project);
    [job = 0] = await addJobs(task);
    ofProject(project);
  });
  const changes = () => recorded().map(({ event, changed }) => [event, changed]);

  test('frames are deleted from it, or from a job', async () => {
    await harness.core.frames.updateTaskMeta(admin, task, { deleted_frames: [3] });
    expect(changes()).toEqual([['update:task', 'updated_date']]);
    await harness.core.frames.updateJobMeta(admin, job, { deleted_frames: [0] });
    expect(changes()).toEqual([['update:job', 'updated_date']]);
    await harness.core.frames.updateJobFrame(admin, job, 0, { deleted: false });
    expect(changes()).toEqual([['update:job', 'updated_date']]);
  });

  test('a ground truth is added, loses a frame, and is deleted', async () => {
    const { groundTruth } = harness.core;
    const body = jobWriteSchema.parse({
      type: 'ground_truth',
      task_id: task,
      frame_selection_method: 'manual',
      frames: [0, 2],
    });
    const { id } = groundTruth.create(admin, body);
    expect(changes()).toEqual([
      ['update:task', 'updated_date,jobs,validation_mode'],
      ['create:job', ''],
    ]);
    groundTruth.updateTaskLayout(admin, task, { disabled_frames: [2] });
    await harness.core.frames.updateJobMeta(admin, id, { deleted_frames: [0] });
    expect(changes()).toEqual([
      ['update:job', 'updated_date'],
      ['update:job', 'updated_date'],
    ]);
    groundTruth.remove(admin, id);
    expect(changes()).toEqual([
      ['delete:job', ''],
      ['update:task', 'updated_date,jobs,validation_mode'],
    ]);
  });
});

describe('deletions', () => {
  test('of a project include its jobs and its tasks with their last values', async () => {
    const project = addProject();
    const webhook = ofProject(project);
    const task = addTask(project);
    const jobs = await addJobs(task);
    const before = {
      job: harness.core.jobs.get(admin, jobs[0]!),
      project: harness.core.projects.get(admin, project),
    };
    recorded();
    harness.core.projects.remove(admin, project);
    const log = recorded();
    expect(log.map(({ event }) => event)).toEqual(['delete:job', 'delete:job', 'delete:task', 'delete:project']);
    expect(log.every((one) => one.webhook === webhook)).toBe(true);
    expect(log[0]?.payload['job']).toEqual(before.job);
    expect(log[2]?.payload['task']).toMatchObject({ size: 4, segments: [{ start_frame: 0 }, { start_frame: 2 }] });
    expect(log[3]?.payload['project']).toEqual(before.project);
  });

  test('of an organization include its work and its members, for its own webhooks', () => {
    const organization = addOrganization('team');
    const webhook = ofOrganization(organization);
    const project = addProject(inOrganization(organization));
    addTask(project);
    expect(events()).toEqual(['create:project', 'create:task']);
    harness.core.organizations.remove(admin, organization);
    const log = recorded();
    expect(log.map(({ event }) => event)).toEqual(['delete:task', 'delete:project', 'delete:membership']);
    expect(log.every((one) => one.webhook === webhook)).toBe(true);
    expect(() => harness.core.webhooks.resource.get(admin, webhook)).toThrow(/Not found/);
  });
});

describe('moves between organizations', () => {
  test('are a deletion for the old one, a creation for the new one, a change for the project', () => {
    const [from, to] = [addOrganization('from'), addOrganization('to')];
    const project = addProject(inOrganization(from));
    addTask(project);
    const [old, young] = [ofOrganization(from), ofOrganization(to)];
    const own = ofProject(project);
    harness.core.projects.update(admin, project, { organization_id: to });
    const log = recorded();
    const heard = (webhook: number) => log.filter((one) => one.webhook === webhook).map(({ event }) => event);
    expect(heard(old)).toEqual(['delete:task', 'delete:project']);
    expect(heard(young)).toEqual(['create:task', 'create:project']);
    expect(heard(own)).toEqual(['update:task', 'update:project']);
    const moved = log.find(({ webhook, event }) => webhook === own && event === 'update:project');
    expect(moved?.payload.changes?.['organization_id']).toEqual({ from, to });
    const created = log.find(({ webhook, event }) => webhook === young && event === 'create:project');
    expect(created?.payload).not.toHaveProperty('before_update');
    expect(created?.payload['project']).toMatchObject({ organization: to });
  });

  test('remove assignees without access there: a change of the job', async () => {
    const [from, to] = [addOrganization('from'), addOrganization('to')];
    const project = addProject(inOrganization(from));
    const task = addTask(project);
    const [job = 0] = await addJobs(task);
    harness.core.jobs.update(admin, job, { assignee: harness.annotator.userId });
    ofProject(project, ['update:job']);
    harness.core.projects.update(admin, project, { organization_id: to });
    expect(recorded().map(({ payload }) => payload)).toMatchObject([
      {
        event: 'update:job',
        job: { id: job, assignee: null },
        before_update: { assignee_id: harness.annotator.userId },
      },
    ]);
    const alone = addTask(null);
    const [jobAlone = 0] = await addJobs(alone);
    harness.core.jobs.update(admin, jobAlone, { assignee: harness.annotator.userId });
    const young = ofOrganization(to, ['update:job', 'create:task']);
    harness.core.tasks.update(admin, alone, { organization_id: to });
    expect(recorded().map((one) => [one.webhook, one.event])).toEqual([
      [young, 'create:task'],
      [young, 'update:job'],
    ]);
  });

  test('out of the sandbox are only a creation', () => {
    const to = addOrganization('to');
    const project = addProject();
    const webhook = ofOrganization(to);
    harness.core.projects.update(admin, project, { organization_id: to });
    expect(recorded().map((one) => [one.webhook, one.event])).toEqual([[webhook, 'create:project']]);
  });
});

describe('the end of a background request', () => {
  function end(type: string, taskId: number, resultId: number | null): void {
    const { database, folder, core } = harness;
    const { requestRows: requests } = createEvents({
      repositories: createRepositories(database),
      database,
      dataDirectory: folder,
      workers: sharedWorkers,
      clock: createClock(),
      log: createSilentLogger(),
      events: core.webhooks.events,
      baseUrl: undefined,
    });
    const id = `action=${type}&target=task&id=${taskId}`;
    requests.put({
      id,
      type,
      target: 'task',
      subresource: '',
      project_id: null,
      task_id: taskId,
      job_id: null,
      organization_id: null,
      format: null,
      owner_id: admin.userId,
      origin: '',
      parameters: '{}',
      created_date: createClock()(),
    });
    requests.end(id, {
      status: 'finished',
      message: '',
      report: null,
      result_file: null,
      result_name: null,
      result_id: resultId,
      finished_date: createClock()(),
      expiry_date: createClock()(),
    });
  }

  test.each([
    ['a quality report, with its id', 'calculate:quality', 7],
    ['a merge of replicas', 'merge:task', null],
    ['a merge of the replicas of a job', 'merge:job', null],
  ])('%s', (_, type, resultId) => {
    const project = addProject();
    const task = addTask(project);
    const webhook = ofProject(project);
    end(type, task, resultId);
    expect(recorded()).toMatchObject([
      {
        webhook,
        event: `completed:request[${type}]`,
        payload: {
          request: {
            status: 'finished',
            message: '',
            operation: { type, task_id: task },
            result_id: resultId,
            result_url: null,
          },
        },
      },
    ]);
  });

  test('an import sends no event', () => {
    const project = addProject();
    ofProject(project);
    const task = addTask(project);
    recorded();
    end('import:annotations', task, null);
    expect(events()).toEqual([]);
  });
});
