import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RemoteConflict, RemoteJob, RemotePullWrite } from '../../../preload/contract/schema/remotes.ts';
import { signIn, type TestClient } from '../../support/client.ts';
import { startCuttingProxy } from '../../support/cutting-proxy.ts';
import {
  box,
  checkOut,
  comparable,
  connectServer,
  newToken,
  pullJob,
  pushJob,
  taskThere,
} from '../../support/remote-pair.ts';
import { useServer } from '../../support/use-server.ts';

const [hereServer, thereServer] = await Promise.all([useServer(), useServer()]);
let here: TestClient;
let there: TestClient;
beforeAll(async () => {
  [here, there] = [await signIn(hereServer), await signIn(thereServer)];
});

interface Pair {
  readonly server: number;
  readonly link: RemoteJob;
  readonly job: number;
  readonly remote: number;
  /** Ids of the labels of both ends. */
  readonly car: { readonly here: number; readonly there: number };
}

const carOf = async (client: TestClient, task: number): Promise<number> =>
  (await client.labels(task)).find(({ name }) => name === 'car')?.id ?? 0;

async function pairOf(draw: (car: number, job: number) => Promise<unknown> = async () => undefined): Promise<Pair> {
  const { task, jobs } = await taskThere(there);
  const [remote = 0] = jobs;
  const car = await carOf(there, task);
  await draw(car, remote);
  const server = await connectServer(here, there);
  const [link] = await checkOut(here, server, 'job', remote);
  if (!link || link.job_id === null) throw new Error('The job was not checked out.');
  return { server, link, job: link.job_id, remote, car: { here: await carOf(here, link.task_id), there: car } };
}

const compare = ({ link }: Pair) => here.perform('compareRemoteJob', { params: { id: link.id } });
const push = ({ link }: Pair, isDry = false) => pushJob(here, link.id, isDry);
const pull = ({ link }: Pair, decisions: RemotePullWrite['decisions'] = []) => pullJob(here, link.id, decisions);
/** The first conflict, as a decision names it. */
const asked = ([conflict]: readonly RemoteConflict[]) => ({ uid: conflict!.uid, version: conflict!.version });
const drawHere = ({ job, car }: Pair, x: number, frame = 0) =>
  here.changeAnnotations('jobs', job, 'create', { shapes: [box(car.here, frame, x)] });
const drawThere = ({ remote, car }: Pair, x: number, frame = 0) =>
  there.changeAnnotations('jobs', remote, 'create', { shapes: [box(car.there, frame, x)] });
const firstShape = async (client: TestClient, job: number) => {
  const [shape] = (await client.annotations('jobs', job)).shapes;
  if (!shape) throw new Error('The job has no shape.');
  return shape;
};
const moved = async (client: TestClient, job: number, x: number) => {
  const shape = await firstShape(client, job);
  await client.changeAnnotations('jobs', job, 'update', { shapes: [{ ...shape, points: [x, 2, x + 10.25, 20] }] });
};
const refusalOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    (error: unknown) => String(error),
  );
async function expectEqual(pair: Pair): Promise<void> {
  expect(await comparable(here, pair.job)).toEqual(await comparable(there, pair.remote));
}

describe('connecting a CVAT server', () => {
  it('keeps the token, and shows the version and the user', async () => {
    const body = { name: 'team', address: `${there.baseUrl}/`, token: await newToken(there) };
    const server = await here.perform('createRemoteServer', { body });
    expect(server).toMatchObject({
      name: 'team',
      address: there.baseUrl,
      version: '2.73.0',
      username: thereServer.user,
    });
    expect(JSON.stringify(server)).not.toContain(body.token);
    expect(await refusalOf(here.perform('createRemoteServer', { body }))).toContain('already have a server named');
  });

  it('refuses a wrong token, a wrong certificate and an address without a server', async () => {
    const create = (more: object) =>
      refusalOf(
        here.perform('createRemoteServer', { body: { name: 'other', address: there.baseUrl, token: 'x.y', ...more } }),
      );
    expect(await create({})).toContain('does not accept the access token');
    expect(await create({ certificate: 'no certificate' })).toContain('not a certificate');
    expect(await create({ address: 'http://127.0.0.1:9' })).toContain('No connection to 127.0.0.1:9');
    expect(await create({ address: 'http://169.254.169.254' })).toContain('metadata');
    expect(await create({ address: 'cvat.example.org' })).toContain('is not the address of a server');
  });

  it('lists projects, tasks and jobs with search, paging and their local job', async () => {
    const pair = await pairOf();
    const browse = (query: object) =>
      here.perform('browseRemoteServer', { params: { id: pair.server }, query: query as { kind: 'job' } });
    const tasks = await browse({ kind: 'task', search: 'North gate', page_size: '1' });
    expect(tasks.results).toHaveLength(1);
    expect(tasks.count).toBeGreaterThanOrEqual(1);
    const jobs = await browse({ kind: 'job', task_id: String(pair.link.remote_task_id) });
    expect(jobs.results).toMatchObject([{ id: pair.remote, frame_count: 4, remote_job_id: pair.link.id }]);
    expect((await browse({ kind: 'organization' })).count).toBe(0);
    expect((await browse({ kind: 'project', org: '' })).results).toEqual([]);
  });
});

describe('checking a job out', () => {
  it('brings frames, labels, annotations, issues, the guide and the stage', async () => {
    const pair = await pairOf(async (car, job) => {
      const keyframe = { type: 'rectangle' as const, outside: false, points: [1, 2, 30, 40] };
      await there.changeAnnotations('jobs', job, 'create', {
        tags: [{ frame: 1, label_id: car }],
        shapes: [box(car, 0, 5), { ...box(car, 1, 9), type: 'polygon', points: [1, 1, 9.5, 1, 9, 9.25] }],
        tracks: [
          {
            frame: 0,
            label_id: car,
            shapes: [
              { ...keyframe, frame: 0 },
              { ...keyframe, frame: 3, outside: true },
            ],
          },
        ],
      });
      await there.perform('createIssue', { body: { job, frame: 2, position: [1, 2], message: 'Is this one parked?' } });
      await there.perform('updateJob', { params: { id: job }, body: { stage: 'validation' } });
      const { task_id } = await there.perform('getJob', { params: { id: job } });
      await there.perform('createGuide', { body: { task_id, markdown: 'Draw tightly.' } });
    });
    await expectEqual(pair);
    const { results: issues } = await here.perform('listIssues', { query: { job_id: String(pair.job) } });
    expect(issues).toMatchObject([{ frame: 2, position: [1, 2], resolved: false, comments: { count: 1 } }]);
    const { results: comments } = await here.perform('listComments', { query: { job_id: String(pair.job) } });
    expect(comments.map(({ message }) => message)).toEqual([`${thereServer.user}: Is this one parked?`]);
    const job = await here.perform('getJob', { params: { id: pair.job } });
    expect(job).toMatchObject({ stage: 'validation', frame_count: 4 });
    expect(await here.perform('getGuide', { params: { id: job.guide_id ?? 0 } })).toMatchObject({
      markdown: 'Draw tightly.',
    });
    const frame = (client: TestClient, id: number) =>
      client.bytes(`/api/jobs/${id}/data?type=frame&quality=original&number=3`);
    expect((await frame(here, pair.job)).equals(await frame(there, pair.remote))).toBe(true);
    expect(await compare(pair)).toMatchObject({ state: 'out', conflicts: [] });
  });

  it('continues through cut connections, and loads no frame twice', async () => {
    const { jobs } = await taskThere(there, 12);
    let served = 0;
    const proxy = await startCuttingProxy(there.baseUrl, () =>
      (served += 1) % 4 === 0 ? { down: 30_000 } : { down: 3000 },
    );
    onTestFinished(() => proxy.stop());
    const server = await connectServer(here, there);
    await here.perform('updateRemoteServer', {
      params: { id: server },
      body: { address: proxy.url, token: await newToken(there) },
    });
    const body = { kind: 'job' as const, id: jobs[0] ?? 0, budget_bytes: 1e9 };
    for (let attempt = 0; ; attempt += 1) {
      const started = await here.perform('checkOutRemote', { params: { id: server }, body });
      const { status } = await here.ended(started.rq_id);
      if (status === 'finished') break;
      expect(attempt).toBeLessThan(30);
    }
    expect(proxy.cuts()).toBeGreaterThan(2);
    const { results } = await here.perform('listRemoteJobs', { query: { server_id: String(server) } });
    expect(results).toMatchObject([{ state: 'out', stored_frame_count: 12 }]);
  });

  it('stops at the disk budget, and continues with a larger one', async () => {
    const { jobs } = await taskThere(there, 6);
    const server = await connectServer(here, there);
    const { frame_bytes: used } = (await here.perform('listRemoteServers', {})).results[0]!;
    const checkOutWithin = async (budget_bytes: number) => {
      const body = { kind: 'job' as const, id: jobs[0] ?? 0, budget_bytes };
      return here.ended((await here.perform('checkOutRemote', { params: { id: server }, body })).rq_id);
    };
    const stopped = await checkOutWithin(used + 1);
    expect(stopped).toMatchObject({ status: 'failed' });
    expect(stopped.message).toContain('with a larger budget');
    const listed = async () =>
      (await here.perform('listRemoteJobs', { query: { server_id: String(server) } })).results[0]!;
    const early = await listed();
    expect(early).toMatchObject({ state: 'checking_out', job_id: null });
    expect(early.stored_frame_count).toBeGreaterThan(0);
    expect(await checkOutWithin(1e9)).toMatchObject({ status: 'finished' });
    expect(await listed()).toMatchObject({ state: 'out', id: early.id });
  });

  it('puts the jobs of a project into one local project', async () => {
    const project = await there.createProject('City crossings', [{ name: 'car' }]);
    const { task } = await taskThere(there, 5, { project_id: project.id, labels: [], segment_size: 3 });
    const server = await connectServer(here, there);
    const links = await checkOut(here, server, 'project', project.id);
    expect(links).toMatchObject([
      { remote_task_id: task, frame_count: 3 },
      { remote_task_id: task, frame_count: 2 },
    ]);
    const tasks = await Promise.all(links.map(({ task_id }) => here.task(task_id)));
    expect(new Set(tasks.map(({ project_id }) => project_id)).size).toBe(1);
    expect(tasks[0]?.project_name).toBe('City crossings');
    const second = { link: links[1]!, job: links[1]!.job_id! };
    const label = (await here.labels(second.link.task_id))[0]!.id;
    await here.changeAnnotations('jobs', second.job, 'create', { shapes: [box(label, 0, 5)] });
    await pushJob(here, second.link.id);
    expect((await there.annotations('jobs', second.link.remote_job_id)).shapes).toMatchObject([{ frame: 3 }]);
  });
});

describe('exchanging changes', () => {
  const withOne = () =>
    pairOf((car, job) => there.changeAnnotations('jobs', job, 'create', { shapes: [box(car, 0, 5)] }));

  it('pushes new, changed and deleted objects, and leaves others and their ids unchanged', async () => {
    const pair = await pairOf((car, job) =>
      there.changeAnnotations('jobs', job, 'create', { shapes: [box(car, 0, 5), box(car, 1, 6), box(car, 2, 7)] }),
    );
    const [changed, deleted] = (await here.annotations('jobs', pair.job)).shapes;
    const before = (await there.annotations('jobs', pair.remote)).shapes;
    await here.changeAnnotations('jobs', pair.job, 'update', { shapes: [{ ...changed!, occluded: true }] });
    await here.changeAnnotations('jobs', pair.job, 'delete', { shapes: [deleted!] });
    await drawHere(pair, 30, 3);
    expect(await compare(pair)).toMatchObject({ state: 'changed_here', here: { added: 1, changed: 1, removed: 1 } });
    expect(await push(pair, true)).toMatchObject({ changed: { added: 1, changed: 1, removed: 1 } });
    expect((await there.annotations('jobs', pair.remote)).shapes).toEqual(before);
    expect(await push(pair)).toMatchObject({ changed: { added: 1, changed: 1, removed: 1 }, conflicts: [] });
    await expectEqual(pair);
    const after = (await there.annotations('jobs', pair.remote)).shapes.map(({ id }) => id);
    expect(after).toContain(before[2]?.id);
    expect(await push(pair)).toMatchObject({ changed: { added: 0, changed: 0, removed: 0 } });
    expect(await compare(pair)).toMatchObject({ state: 'out' });
  });

  it('pulls changes of others, also after CVAT gave an object a new id', async () => {
    const pair = await withOne();
    const local = await firstShape(here, pair.job);
    const { id: _id, ...shape } = await firstShape(there, pair.remote);
    await there.replaceAnnotations('jobs', pair.remote, { shapes: [{ ...shape, points: [6, 3, 17, 21] }] });
    await drawThere(pair, 40, 1);
    expect(await compare(pair)).toMatchObject({ state: 'changed_there', there: { added: 1, changed: 1, removed: 0 } });
    expect(await pull(pair)).toMatchObject({ changed: { added: 1, changed: 1, removed: 0 } });
    await expectEqual(pair);
    expect((await firstShape(here, pair.job)).id).toBe(local.id);
    expect(await compare(pair)).toMatchObject({ state: 'out' });
  });

  it('does not overwrite what others changed: a push with a conflict sends nothing', async () => {
    const pair = await withOne();
    await moved(here, pair.job, 20);
    await drawHere(pair, 35, 2);
    await moved(there, pair.remote, 30);
    const before = await there.annotations('jobs', pair.remote);
    const pushed = await push(pair);
    expect(pushed.conflicts).toMatchObject([
      {
        kind: 'shape',
        frame: 0,
        label: 'car',
        mine: { points: [20, 2, 30.25, 20] },
        theirs: { points: [30, 2, 40.25, 20] },
      },
    ]);
    expect(await there.annotations('jobs', pair.remote)).toEqual(before);
    expect(await compare(pair)).toMatchObject({ state: 'both' });
  });

  it.each([
    ['mine', [[20, 2, 30.25, 20]]],
    ['theirs', [[30, 2, 40.25, 20]]],
    [
      'both',
      [
        [20, 2, 30.25, 20],
        [30, 2, 40.25, 20],
      ],
    ],
  ] as const)('resolves a conflict with "%s" on both ends', async (decision, points) => {
    const pair = await withOne();
    await moved(here, pair.job, 20);
    await moved(there, pair.remote, 30);
    const { conflicts } = await pull(pair);
    expect(conflicts).toHaveLength(1);
    expect((await pull(pair, [{ ...asked(conflicts), decision }])).conflicts).toEqual([]);
    expect((await push(pair)).conflicts).toEqual([]);
    await expectEqual(pair);
    const shapes = (await there.annotations('jobs', pair.remote)).shapes.map((shape) => shape.points);
    expect(shapes.toSorted((a, b) => a[0]! - b[0]!)).toEqual(points);
    expect(await compare(pair)).toMatchObject({ state: 'out' });
  });

  it('asks again if the server changed the object between the question and the decision', async () => {
    const pair = await withOne();
    await moved(here, pair.job, 20);
    await moved(there, pair.remote, 30);
    const { conflicts } = await pull(pair);
    await moved(there, pair.remote, 40);
    const again = await pull(pair, [{ ...asked(conflicts), decision: 'mine' }]);
    expect(again.conflicts).toMatchObject([{ uid: conflicts[0]!.uid, theirs: { points: [40, 2, 50.25, 20] } }]);
    expect((await pull(pair, [{ ...asked(again.conflicts), decision: 'mine' }])).conflicts).toEqual([]);
    await push(pair);
    await expectEqual(pair);
  });

  it.each(['mine', 'theirs'] as const)('resolves an object deleted on one end with "%s"', async (decision) => {
    const pair = await withOne();
    await moved(here, pair.job, 20);
    await there.clearAnnotations('jobs', pair.remote);
    const { conflicts } = await pull(pair);
    expect(conflicts).toMatchObject([{ theirs: null }]);
    await pull(pair, [{ ...asked(conflicts), decision }]);
    await push(pair);
    await expectEqual(pair);
    expect((await there.annotations('jobs', pair.remote)).shapes).toHaveLength(decision === 'mine' ? 1 : 0);
  });

  it('exchanges issues, comments, stages and states in both directions', async () => {
    const pair = await pairOf((_car, job) =>
      there.perform('createIssue', { body: { job, frame: 1, position: [1, 2], message: 'Please check.' } }),
    );
    const issuesOf = async (client: TestClient, job: number) =>
      (await client.perform('listIssues', { query: { job_id: String(job), sort: 'id' } })).results;
    const commentsOf = async (client: TestClient, job: number) =>
      (await client.perform('listComments', { query: { job_id: String(job), sort: 'id' } })).results.map(
        ({ message }) => message,
      );
    const [local] = await issuesOf(here, pair.job);
    await here.perform('createComment', { body: { issue: local!.id, message: 'Done.' } });
    await here.perform('updateIssue', { params: { id: local!.id }, body: { resolved: true } });
    await here.perform('createIssue', { body: { job: pair.job, frame: 3, position: [5, 6], message: 'Another one.' } });
    await here.perform('updateJob', { params: { id: pair.job }, body: { state: 'completed' } });
    expect(await push(pair)).toMatchObject({ changed: { issues: 4, stage: 'annotation, completed' }, conflicts: [] });
    expect(await issuesOf(there, pair.remote)).toMatchObject([{ resolved: true }, { frame: 3, position: [5, 6] }]);
    expect(await commentsOf(there, pair.remote)).toEqual(['Please check.', 'Another one.', 'Done.']);
    expect(await there.perform('getJob', { params: { id: pair.remote } })).toMatchObject({ state: 'completed' });
    expect(await compare(pair)).toMatchObject({ state: 'out' });

    const [remote, second] = await issuesOf(there, pair.remote);
    await there.perform('createComment', { body: { issue: remote!.id, message: 'Thanks.' } });
    await there.perform('deleteIssue', { params: { id: second!.id } });
    await there.perform('updateJob', { params: { id: pair.remote }, body: { stage: 'acceptance' } });
    await pull(pair);
    expect(await issuesOf(here, pair.job)).toHaveLength(1);
    expect(await commentsOf(here, pair.job)).toEqual([
      `${thereServer.user}: Please check.`,
      'Done.',
      `${thereServer.user}: Thanks.`,
    ]);
    expect(await here.perform('getJob', { params: { id: pair.job } })).toMatchObject({ stage: 'acceptance' });
    expect(await compare(pair)).toMatchObject({ state: 'out' });
  });

  it('asks when one end comments on an issue that the other end deleted', async () => {
    const pair = await pairOf((_car, job) =>
      there.perform('createIssue', { body: { job, frame: 1, position: [1, 2], message: 'Please check.' } }),
    );
    const [local] = (await here.perform('listIssues', { query: { job_id: String(pair.job) } })).results;
    await here.perform('createComment', { body: { issue: local!.id, message: 'Still wrong.' } });
    const [remote] = (await there.perform('listIssues', { query: { job_id: String(pair.remote) } })).results;
    await there.perform('deleteIssue', { params: { id: remote!.id } });
    const { conflicts } = await pull(pair);
    expect(conflicts).toMatchObject([{ kind: 'issue', theirs: null }]);
    await pull(pair, [{ ...asked(conflicts), decision: 'mine' }]);
    await push(pair);
    const { results } = await there.perform('listComments', { query: { job_id: String(pair.remote) } });
    expect(results.map(({ message }) => message)).toContain('Still wrong.');
    expect(await compare(pair)).toMatchObject({ state: 'out' });
  });

  it('adds labels that the server got since, and refuses to push labels that it lacks', async () => {
    const pair = await pairOf();
    const remoteTask = pair.link.remote_task_id;
    await there.perform('updateTask', { params: { id: remoteTask }, body: { labels: [{ name: 'bus' }] } });
    const bus = (await there.labels(remoteTask)).find(({ name }) => name === 'bus')!.id;
    await there.changeAnnotations('jobs', pair.remote, 'create', { shapes: [box(bus, 0, 5)] });
    await pull(pair);
    await expectEqual(pair);
    await here.perform('updateTask', { params: { id: pair.link.task_id }, body: { labels: [{ name: 'tram' }] } });
    const tram = (await here.labels(pair.link.task_id)).find(({ name }) => name === 'tram')!.id;
    await here.changeAnnotations('jobs', pair.job, 'create', { shapes: [box(tram, 0, 5)] });
    expect(await refusalOf(push(pair))).toContain('tram');
  });
});

describe('an interrupted push', () => {
  it.each([
    ['before the server got it', { up: 500 }],
    ['before its answer arrived', { down: 200 }],
  ] as const)('is completed by the next one, without doubles: %s', async (_name, limit) => {
    const pair = await pairOf((car, job) =>
      there.changeAnnotations('jobs', job, 'create', { shapes: [box(car, 0, 5), box(car, 1, 6)] }),
    );
    const [changed, deleted] = (await here.annotations('jobs', pair.job)).shapes;
    await here.changeAnnotations('jobs', pair.job, 'update', { shapes: [{ ...changed!, occluded: true }] });
    await here.changeAnnotations('jobs', pair.job, 'delete', { shapes: [deleted!] });
    for (const x of [30, 31, 32]) await drawHere(pair, x, 3);
    await here.perform('createIssue', { body: { job: pair.job, frame: 3, position: [5, 6], message: 'Look.' } });
    let cutting = true;
    let asked = 0;
    // Later connections break later, so that each step of the push is interrupted once.
    const proxy = await startCuttingProxy(there.baseUrl, () => {
      asked += 1;
      if (!cutting) return null;
      return 'up' in limit ? { up: limit.up * (1 + (asked % 9)) } : { down: limit.down * (1 + (asked % 60)) };
    });
    onTestFinished(() => proxy.stop());
    const move = async (address: string) =>
      here.perform('updateRemoteServer', {
        params: { id: pair.server },
        body: { address, token: await newToken(there) },
      });
    cutting = false;
    await move(proxy.url);
    cutting = true;
    for (let attempt = 0; attempt < 12; attempt += 1) await refusalOf(push(pair));
    expect(proxy.cuts()).toBeGreaterThan(0);
    cutting = false;
    await push(pair);
    await expectEqual(pair);
    const { results } = await there.perform('listIssues', { query: { job_id: String(pair.remote) } });
    expect(results).toHaveLength(1);
    expect(await compare(pair)).toMatchObject({ state: 'out' });
  });
});

describe('publishing', () => {
  it('creates the task on the server and follows its jobs', async () => {
    const { task, jobs } = await taskThere(here, 5, { segment_size: 3 });
    const car = await carOf(here, task);
    await here.changeAnnotations('jobs', jobs[1]!, 'create', { shapes: [box(car, 4, 5)] });
    await here.perform('updateJob', { params: { id: jobs[0]! }, body: { stage: 'validation' } });
    const server = await connectServer(here, there);
    const publish = async () =>
      here.finished(
        (await here.perform('publishToRemote', { params: { id: server }, body: { kind: 'task', id: task } })).rq_id,
      );
    await publish();
    await publish();
    const { results: links } = await here.perform('listRemoteJobs', { query: { server_id: String(server) } });
    expect(links.map(({ job_id }) => job_id).toSorted()).toEqual(jobs.toSorted());
    for (const link of links) {
      expect(await comparable(here, link.job_id!)).toEqual(await comparable(there, link.remote_job_id));
      expect(await here.perform('compareRemoteJob', { params: { id: link.id } })).toMatchObject({ state: 'out' });
    }
    const first = links.find(({ job_id }) => job_id === jobs[0])!;
    expect(await there.perform('getJob', { params: { id: first.remote_job_id } })).toMatchObject({
      stage: 'validation',
    });
  });

  it('publishes the tasks of a project into a project', async () => {
    const project = await here.createProject('Depot', [{ name: 'car' }]);
    await taskThere(here, 2, { project_id: project.id, labels: [] });
    const server = await connectServer(here, there);
    const body = { kind: 'project' as const, id: project.id };
    await here.finished((await here.perform('publishToRemote', { params: { id: server }, body })).rq_id);
    const { results } = await there.perform('listProjects', { query: { search: 'Depot' } });
    expect(results).toMatchObject([{ name: 'Depot', tasks: { count: 1 } }]);
  });
});
