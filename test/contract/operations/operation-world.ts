import type { Organization } from '../../../preload/contract/schema/people.ts';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import { startBucketServer, type BucketServer } from '../../support/bucket-server.ts';
import { makeImages, type NamedImage } from '../../support/images.ts';
import { startFakeDashboard } from '../functions/fake-dashboard.ts';
import { startPeopleHarness, type Caller, type PeopleHarness } from '../people/people-harness.ts';

export type OperationWorld = Awaited<ReturnType<typeof createOperationWorld>>;

export const nowhere = 'http://127.0.0.1:9/hook';
export const groundTruth = (task_id: number, frames = [0]) =>
  ({ type: 'ground_truth', task_id, frame_selection_method: 'manual', frames }) as const;
export const functionConfiguration = (name: string) =>
  JSON.stringify({ metadata: { name, annotations: { name, type: 'detector', spec: '[{"id":0,"name":"car"}]' } } });

/** A service with one object of each kind, and factories for requests that use objects up. */
export async function createOperationWorld() {
  // A path without a socket, so that these tests never use an Engine of this computer.
  const engine = { env: { DOCKER_HOST: 'unix:///nowhere/docker.sock' }, platform: process.platform };
  const harness = await startPeopleHarness({ functions: { engine }, hasShare: true });
  const { admin } = harness;
  const boss = harness.addUser('the-boss');
  const images = await makeImages(4, { width: 48, height: 32 });
  const dashboard = await startFakeDashboard([
    {
      name: 'detector',
      annotations: { type: 'detector', spec: '[{"id":0,"name":"car"}]' },
      run: () => [{ label: 'car', type: 'rectangle', points: [1, 2, 5, 6], confidence: '0.5' }],
    },
  ]);
  const bucket = await startBucketServer();
  await admin.good('addDashboard', { body: { url: dashboard.url, invoke: 'dashboard' } });
  const organization = await boss.good('createOrganization', { body: { slug: 'team' } });
  const numbered = counter();
  const shared = await makeSharedWork(boss, images);
  const makers = createMakers({ harness, admin, boss, organization, images, bucket, numbered, ...shared });
  const { value } = await boss.good('createAccessToken', { body: { name: 'a program', read_only: false } });
  return {
    harness,
    admin,
    boss,
    person: await makers.newPerson(),
    leaver: await makers.newPerson(),
    invited: harness.addUser('invited'),
    decliner: harness.addUser('decliner'),
    program: harness.withAuthorization(boss, `Bearer ${value}`),
    organization,
    dashboard,
    bucket,
    ...shared,
    ...makers,
    async stop() {
      await dashboard.stop();
      await bucket.stop();
      await harness.stop();
    },
  };
}

function counter(): () => number {
  let last = 0;
  return () => (last += 1);
}

/** Creates a project with a label, and a task in it with two jobs of two frames each. */
async function makeSharedWork(boss: Caller, images: readonly NamedImage[]) {
  const project = await boss.good('createProject', { body: { name: 'a project', labels: [{ name: 'car' }] } });
  const task = await boss.rest.taskWithImages({ project_id: project.id, segment_size: 2 }, images);
  const jobs = await boss.rest.jobs(task.id);
  const [label] = await boss.rest.labels(task.id);
  return { project, task, jobs, labelId: label!.id };
}

interface Making extends Awaited<ReturnType<typeof makeSharedWork>> {
  readonly harness: PeopleHarness;
  readonly admin: Caller;
  readonly boss: Caller;
  readonly organization: Organization;
  readonly images: readonly NamedImage[];
  readonly bucket: BucketServer;
  readonly numbered: () => number;
}

function createMakers({ harness, admin, boss, organization, images, bucket, numbered, project, task, jobs }: Making) {
  const newIssue = async () =>
    (await boss.good('createIssue', { body: { job: jobs[0]!.id, frame: 0, position: [1, 2], message: 'look' } })).id;
  const newTask = () => boss.rest.taskWithImages({ labels: [{ name: 'car' }] }, images.slice(0, 2));
  const newGuide = async () => (await boss.good('createGuide', { body: { task_id: (await newTask()).id } })).id;
  const newWebhook = async () =>
    (
      await boss.good('createWebhook', {
        body: { target_url: nowhere, type: 'project', project_id: project.id, events: ['update:project'] },
      })
    ).id;
  const invite = (email: string) =>
    boss.good('createInvitation', { query: { org: organization.slug }, body: { role: 'worker', email } });
  const newQualityReport = async () => {
    const { id: taskId } = await newTask();
    const truth = await boss.good('createJob', { body: groundTruth(taskId) });
    await boss.good('updateJob', { params: { id: truth.id }, body: { stage: 'acceptance', state: 'completed' } });
    const [label] = await boss.rest.labels(taskId);
    await boss.rest.changeAnnotations('tasks', taskId, 'create', { tags: [{ frame: 0, label_id: label!.id }] });
    const { rq_id: request } = await boss.good('createQualityReport', { body: { task_id: taskId } });
    const { result_id: id } = await boss.rest.finished(request);
    return { id: id ?? 0, taskId };
  };
  const newReplicas = async () => {
    const { id: taskId } = await boss.rest.taskWithImages(
      { labels: [{ name: 'car' }], consensus_replicas: 2 },
      images.slice(0, 2),
    );
    const [label] = await boss.rest.labels(taskId);
    for (const { id, type } of await boss.rest.jobs(taskId)) {
      const tags = [{ frame: 0, label_id: label!.id }];
      if (type === 'consensus_replica') await boss.rest.changeAnnotations('jobs', id, 'create', { tags });
    }
    return { taskId };
  };
  return {
    newQualityReport,
    newReplicas,
    newTask,
    newIssue,
    newWebhook,
    newProject: () =>
      boss.good('createProject', { body: { name: `project ${numbered()}`, labels: [{ name: 'car' }] } }),
    jobOf: async (of: Task) => (await boss.rest.jobs(of.id))[0]!,
    newComment: async () =>
      (await boss.good('createComment', { body: { issue: await newIssue(), message: 'again' } })).id,
    newGuide,
    newCloudStorage: async () => (await boss.good('createCloudStorage', { body: bucket.storage })).id,
    async newMember() {
      const member = harness.addUser(`member-${numbered()}`);
      await invite(member.username);
      const query = { org: organization.slug, user: member.username };
      return (await boss.good('listMemberships', { query })).results[0]!.id;
    },
    /** Users with an account become members at once. Only those without one can answer an invitation. */
    async newInvitationOf({ id, username }: Caller) {
      await admin.good('updateUser', { params: { id }, body: { is_active: false } });
      const { key } = await invite(`${username}@example.org`);
      await admin.good('updateUser', { params: { id }, body: { is_active: true } });
      return key;
    },
    newInvitation: async () => (await invite(`person-${numbered()}@example.org`)).key,
    /** A delivery of a new webhook to an address where nothing listens. */
    async newDelivery() {
      const id = await newWebhook();
      return { id, delivery_id: (await boss.good('pingWebhook', { params: { id } })).id };
    },
    async newMessage() {
      const id = await newWebhook();
      await boss.good('updateProject', { params: { id: project.id }, body: { name: `renamed ${numbered()}` } });
      const { results } = await boss.good('listWebhookQueue', { params: { id } });
      return { id, message: results[0]!.id };
    },
    async newToken() {
      const { id, value } = await boss.good('createAccessToken', { body: { name: `token ${numbered()}` } });
      return { id, value };
    },
    async newPerson() {
      const username = `person-${numbered()}`;
      const { password } = harness;
      await harness.anonymous.good('register', { body: { username, password1: password, password2: password } });
      const { results } = await admin.good('listUsers', { query: { username } });
      return harness.as(results[0]!.id, username, 'user');
    },
    async newRequest() {
      const name = await boss.rest.startExport('tasks', task.id, 'COCO 1.0');
      await boss.rest.finished(name);
      return name;
    },
    async newAsset() {
      const form = new FormData();
      form.set('guide_id', String(await newGuide()));
      form.set('file', new Blob([new Uint8Array(images[0]!.bytes)], { type: 'image/jpeg' }), 'picture.jpg');
      return (await boss.rest.good<{ uuid: string }>('POST', '/api/assets', { body: form })).uuid;
    },
    async newRun() {
      const { id } = await boss.good('createLambdaRequest', {
        raw: { function: 'detector', task: (await newTask()).id },
      });
      return id;
    },
    sample: async () => (await admin.good('listModelSamples'))[0]!.id,
    async newEndpoint() {
      const name = `endpoint-${numbered()}`;
      await admin.good('addEndpoint', { body: { configuration: functionConfiguration(name), url: nowhere } });
      return name;
    },
  };
}
