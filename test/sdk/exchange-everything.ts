import type { LabelWrite } from '../../preload/contract/schema/labels.ts';
import type { TestClient } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { checkOut, connectServer, pullJob, pushJob } from '../support/remote-pair.ts';

const labels: LabelWrite[] = [
  {
    name: 'car',
    attributes: [{ name: 'parked', input_type: 'checkbox', default_value: 'false', mutable: true, values: [] }],
  },
  { name: 'figure', type: 'skeleton', sublabels: ['head', 'foot'].map((name) => ({ name, type: 'points' as const })) },
];

/** Ids of a job on the server and of the local one that follows it. */
export interface Followed {
  readonly remote: number;
  readonly local: number;
}

/** Objects of each kind on three frames from `first` on. */
async function objects(client: TestClient, task: number, first: number) {
  const all = await client.labels(task);
  const [car, figure] = ['car', 'figure'].map((name) => all.find((label) => label.name === name)!);
  const common = { frame: first, label_id: car!.id };
  const attributes = [{ spec_id: car!.attributes[0]!.id, value: 'true' }];
  const keyframe = { frame: first, type: 'rectangle' as const, points: [3, 4, 20, 20], outside: false, attributes };
  return {
    tags: [{ ...common, attributes: [] }],
    shapes: [
      { ...common, type: 'rectangle' as const, points: [1, 2, 11.25, 20], attributes },
      { ...common, type: 'polygon' as const, points: [1, 1, 9.25, 1, 9, 9], occluded: true, z_order: 2 },
      { ...common, type: 'mask' as const, points: [1, 2, 1, 0, 0, 1, 1] },
      { ...common, type: 'ellipse' as const, points: [15, 15, 19, 12], rotation: 30 },
      {
        frame: first + 1,
        label_id: figure!.id,
        type: 'skeleton' as const,
        points: [],
        elements: figure!.sublabels!.map(({ id }, index) => ({
          frame: first + 1,
          label_id: id!,
          type: 'points' as const,
          points: [10.5 + index, 20],
        })),
      },
    ],
    tracks: [
      { ...common, attributes: [], shapes: [keyframe, { ...keyframe, frame: first + 2, points: [9, 4, 26, 20] }] },
    ],
  };
}

async function organize(there: TestClient, slug: string) {
  await there.good('POST', '/api/organizations', { json: { slug, name: 'Crossings' } });
  const project = await there.createProject('Crossings', labels);
  await there.perform('createGuide', { body: { project_id: project.id, markdown: '# How to draw' } });
  const images = await makeImages(6, { width: 64, height: 48 });
  const task = await there.taskWithImages({ name: 'North gate', project_id: project.id, segment_size: 3 }, images);
  const jobs = (await there.jobs(task.id)).map(({ id }) => id);
  for (const [index, job] of jobs.entries())
    await there.changeAnnotations('jobs', job, 'create', await objects(there, task.id, 3 * index));
  await there.good('PATCH', `/api/jobs/${jobs[1]}/data/meta`, { json: { deleted_frames: [5] } });
  return { project: project.id, task: task.id, jobs: jobs.toSorted((a, b) => a - b) };
}

async function browse(here: TestClient, id: number, { project, task }: { project: number; task: number }, org: string) {
  const items = (query: Parameters<typeof here.perform<'browseRemoteServer'>>[1]['query']) =>
    here.perform('browseRemoteServer', { params: { id }, query });
  await here.perform('checkRemoteServer', { params: { id } });
  await items({ kind: 'organization', search: 'cross' });
  await items({ kind: 'project', organization: org, sort: '-updated_date' });
  const filter = JSON.stringify({ and: [{ '==': [{ var: 'name' }, 'North gate'] }] });
  await items({ kind: 'task', project_id: String(project), filter, organization: '' });
  await items({ kind: 'job', task_id: String(task), search: 'North', page: '1', page_size: '10' });
  await items({ kind: 'job', project_id: String(project) });
}

/** Changes of each kind on one end: deleted, changed and new objects, an issue with comments, and a stage. */
async function change(client: TestClient, job: number, task: number, first: number, text: string): Promise<void> {
  const before = await client.annotations('jobs', job);
  const [tag, ellipse] = [before.tags[0]!, before.shapes.find(({ type }) => type === 'ellipse')!];
  await client.changeAnnotations('jobs', job, 'delete', { tags: [tag], shapes: [ellipse] });
  const box = before.shapes.find(({ type }) => type === 'rectangle')!;
  await client.changeAnnotations('jobs', job, 'update', { shapes: [{ ...box, points: [2, 3, 30.5, 40] }] });
  const made = await objects(client, task, first);
  await client.changeAnnotations('jobs', job, 'create', { ...made, shapes: made.shapes.slice(1, 3) });
  const message = `${text}: check this.`;
  const issue = await client.perform('createIssue', { body: { job, frame: first, position: [3, 4], message } });
  await client.perform('createComment', { body: { issue: issue.id, message: `${text}: and this.` } });
  await client.perform('updateJob', { params: { id: job }, body: { state: 'in progress' } });
}

/** Changes and deletes the first issue of a job, and its last comment. */
async function discuss(client: TestClient, job: number): Promise<void> {
  const query = { job_id: String(job), sort: 'id' };
  const issues = (await client.perform('listIssues', { query })).results;
  const comments = (await client.perform('listComments', { query })).results;
  await client.perform('updateIssue', { params: { id: issues[0]!.id }, body: { resolved: true } });
  const [first, last] = [comments[0]!, comments.at(-1)!];
  await client.perform('updateComment', { params: { id: first.id }, body: { message: 'Checked.' } });
  await client.perform('deleteComment', { params: { id: last.id } });
  if (issues.length > 1) await client.perform('deleteIssue', { params: { id: issues.at(-1)!.id } });
}

async function publish(here: TestClient, there: TestClient, server: number, org: string): Promise<void> {
  const params = { id: server };
  const images = await makeImages(3, { width: 64, height: 48 });
  const names = images.map(({ name }) => name);
  const send = async (kind: 'task' | 'project', id: number) =>
    here.ended((await here.perform('publishToRemote', { params, body: { kind, id, org } })).rq_id);
  const single = await here.taskWithImages({ name: 'Published', labels }, images);
  const [job] = await here.jobs(single.id);
  await here.changeAnnotations('jobs', job!.id, 'create', await objects(here, single.id, 0));
  await here.good('PATCH', `/api/jobs/${job!.id}/data/meta`, { json: { deleted_frames: [2] } });
  await send('task', single.id);
  const { results } = await here.perform('listRemoteJobs', { query: { server_id: String(server) } });
  const followed = results.find(({ task_id: task }) => task === single.id)!;
  await there.perform('deleteTask', { params: { id: followed.remote_task_id } });
  await here.perform('deleteRemoteJob', { params: { id: followed.id } });
  await send('task', single.id);
  const project = await here.createProject('Published', labels);
  await here.taskWithImages({ name: 'In a project', project_id: project.id }, images);
  await send('project', project.id);
  // The server divides it into equal jobs, so its task is deleted again.
  const job_file_mapping = [names.slice(0, 1), names.slice(1)];
  const uneven = await here.taskWithImages({ name: 'Uneven', labels }, images, { job_file_mapping });
  await send('task', uneven.id);
}

/** Sends each HTTP request that a workbench sends to a server, and returns all jobs that follow one there. */
export async function exchangeEverything(here: TestClient, there: TestClient, address: string): Promise<Followed[]> {
  const org = `crossings-${new URL(address).port}`;
  const made = await organize(there, org);
  const server = await connectServer(here, there, address);
  await browse(here, server, made, org);
  for (const [kind, id] of [
    ['job', made.jobs[1]!],
    ['task', made.task],
    ['project', made.project],
  ] as const)
    await checkOut(here, server, kind, id);
  const followed = async () => (await here.perform('listRemoteJobs', { query: { server_id: String(server) } })).results;
  for (const [index, remote] of made.jobs.entries()) {
    const link = (await followed()).find(({ remote_job_id: id }) => id === remote)!;
    await change(here, link.job_id!, link.task_id, 0, 'Here');
    if (index === 0) await change(there, remote, made.task, 0, 'There');
    const { conflicts } = await pullJob(here, link.id);
    const decide = ({ uid, version }: (typeof conflicts)[number]) => ({ uid, version, decision: 'mine' as const });
    if (conflicts.length > 0) await pullJob(here, link.id, conflicts.map(decide));
    await pushJob(here, link.id);
    await discuss(here, link.job_id!);
    await pushJob(here, link.id);
  }
  await publish(here, there, server, org);
  return (await followed()).map(({ remote_job_id: remote, job_id: local }) => ({ remote, local: local! }));
}
