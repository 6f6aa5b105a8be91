import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { signIn, type TestClient } from '../../support/client.ts';
import { startHoldingProxy, type HoldingProxy } from '../../support/holding-proxy.ts';
import {
  box,
  checkOut,
  comparable,
  connectServer,
  newToken,
  pullJob,
  pushJob,
  resultOf,
  taskThere,
} from '../../support/remote-pair.ts';
import { startServer, type RunningServer } from '../../support/server.ts';

let hereServer: RunningServer;
let thereServer: RunningServer;
let here: TestClient;
let there: TestClient;
beforeAll(async () => {
  [hereServer, thereServer] = await Promise.all([startServer(), startServer()]);
  [here, there] = [await signIn(hereServer), await signIn(thereServer)];
});
afterAll(async () => {
  await hereServer?.stop();
  await thereServer?.stop();
});

const isRead = ({ method, url }: IncomingMessage): boolean =>
  method === 'GET' && /^\/api\/jobs\/\d+\/annotations/.test(url ?? '');
const isChange = ({ method, url }: IncomingMessage): boolean =>
  method === 'PATCH' && /^\/api\/jobs\/\d+\/annotations/.test(url ?? '');

async function holding(isHeld: (request: IncomingMessage) => boolean): Promise<HoldingProxy> {
  const proxy = await startHoldingProxy(there.baseUrl, isHeld);
  onTestFinished(async () => {
    proxy.release();
    await proxy.stop();
  });
  return proxy;
}

/** A checked-out job with a new object on each end, behind a proxy that holds some answers. */
async function heldPair(isHeld: (request: IncomingMessage) => boolean) {
  const { task, jobs } = await taskThere(there);
  const remote = jobs[0]!;
  const server = await connectServer(here, there);
  const [link] = await checkOut(here, server, 'job', remote);
  const { id, job_id: job, task_id: local } = link!;
  const carOf = async (client: TestClient, of: number) => (await client.labels(of))[0]!.id;
  await here.changeAnnotations('jobs', job!, 'create', { shapes: [box(await carOf(here, local), 0, 5)] });
  await there.changeAnnotations('jobs', remote, 'create', { shapes: [box(await carOf(there, task), 1, 9)] });
  const proxy = await holding(isHeld);
  const body = { address: proxy.url, token: await newToken(there) };
  await here.perform('updateRemoteServer', { params: { id: server }, body });
  const frames = async (client: TestClient, of: number) =>
    (await client.annotations('jobs', of)).shapes.map(({ frame }) => frame);
  return {
    proxy,
    server,
    link: id,
    pull: () => here.perform('pullRemoteJob', { params: { id }, body: {} }),
    push: () => here.perform('pushRemoteJob', { params: { id }, body: {} }),
    framesHere: () => frames(here, job!),
    framesThere: () => frames(there, remote),
    ends: async () => [await comparable(here, job!), await comparable(there, remote)] as const,
    isInterrupted: async () =>
      (await here.perform('listRemoteJobs', {})).results.find((one) => one.id === id)?.is_push_interrupted,
  };
}

const cancelled = { status: 'failed', message: 'Cancelled. Nothing was changed.' };

it('cancels a pull while it reads the server, changes nothing, and pulls with the next request', async () => {
  const pair = await heldPair(isRead);
  const { rq_id: id } = await pair.pull();
  await pair.proxy.held;
  const running = await here.request(id);
  expect(running).toMatchObject({ status: 'started', operation: { type: 'pull:remote' } });
  expect(running.message).toContain('reading the annotations from');
  await here.perform('cancelRequest', { params: { id } });
  expect(await here.request(id)).toMatchObject(cancelled);
  expect(await pair.framesHere()).toEqual([0]);
  pair.proxy.release();
  expect(await pullJob(here, pair.link)).toMatchObject({ action: 'pull', changed: { added: 1 }, conflicts: [] });
  expect(await pair.framesHere()).toEqual([0, 1]);
});

it('cancels a push while it reads the server, and sends nothing', async () => {
  const pair = await heldPair(isRead);
  const { rq_id: id } = await pair.push();
  await pair.proxy.held;
  await here.perform('cancelRequest', { params: { id } });
  expect(await here.request(id)).toMatchObject(cancelled);
  expect(await pair.framesThere()).toEqual([1]);
  expect(await pair.isInterrupted()).toBe(false);
  pair.proxy.release();
  expect(await pushJob(here, pair.link)).toMatchObject({ action: 'push', changed: { added: 1 }, kept: { added: 1 } });
  expect(await pair.framesThere()).toEqual([0, 1]);
});

it('completes a push that is cancelled after the first change was sent', async () => {
  const pair = await heldPair(isChange);
  const started = await pair.push();
  await pair.proxy.held;
  expect((await here.request(started.rq_id)).message).toContain('sending new objects to');
  const cancelling = here.perform('cancelRequest', { params: { id: started.rq_id } });
  await expect
    .poll(async () => (await here.request(started.rq_id)).message, { timeout: 4000 })
    .toContain('completing the cancelled push');
  pair.proxy.release();
  await cancelling;
  expect((await here.request(started.rq_id)).status).toBe('finished');
  expect(await resultOf(here, started)).toMatchObject({ changed: { added: 1 }, conflicts: [] });
  expect(await pair.isInterrupted()).toBe(false);
  await pullJob(here, pair.link);
  const [mine, theirs] = await pair.ends();
  expect(mine).toEqual(theirs);
});

it('says after a cancelled push without an answer that the server may have a part, and completes it later', async () => {
  const pair = await heldPair(isChange);
  const { rq_id: id } = await pair.push();
  await pair.proxy.held;
  await here.perform('cancelRequest', { params: { id } });
  const { status, message } = await here.request(id);
  expect(status).toBe('failed');
  expect(message).toContain('the server may have a part of them. Push again');
  expect(await pair.isInterrupted()).toBe(true);
  pair.proxy.release();
  await pushJob(here, pair.link);
  expect(await pair.framesThere()).toEqual([0, 1]);
  expect(await pair.isInterrupted()).toBe(false);
});

it('joins a running push that does the same', async () => {
  const pair = await heldPair(isRead);
  const first = await pair.push();
  await pair.proxy.held;
  expect(await pair.push()).toEqual(first);
  pair.proxy.release();
  await here.finished(first.rq_id);
  expect(await pair.framesThere()).toEqual([0, 1]);
});

const disconnect = (id: number) => here.perform('deleteRemoteServer', { params: { id } });
const release = (id: number) => here.perform('deleteRemoteJob', { params: { id } });

it.each(['pull', 'push'] as const)(
  'refuses to stop following a job and to disconnect its server during a %s, which then completes',
  async (action) => {
    const pair = await heldPair(action === 'pull' ? isRead : isChange);
    const { rq_id: id } = await pair[action]();
    await pair.proxy.held;
    const running = `a ${action} is running. Wait for it, or cancel it under Requests.`;
    await expect(release(pair.link)).rejects.toThrow('Cannot stop following');
    await expect(release(pair.link)).rejects.toThrow(running);
    await expect(disconnect(pair.server)).rejects.toThrow('Cannot disconnect');
    await expect(disconnect(pair.server)).rejects.toThrow(running);
    pair.proxy.release();
    await here.finished(id);
    expect(await (action === 'pull' ? pair.framesHere() : pair.framesThere())).toEqual([0, 1]);
    await release(pair.link);
    await disconnect(pair.server);
  },
);

it('disconnects a server during a dry run, which then fails in words', async () => {
  const pair = await heldPair(isRead);
  const { rq_id: id } = await here.perform('pushRemoteJob', { params: { id: pair.link }, body: { dry_run: true } });
  await pair.proxy.held;
  await disconnect(pair.server);
  pair.proxy.release();
  const { status, message } = await here.ended(id);
  expect({ status, message }).toEqual({
    status: 'failed',
    message: 'The local job no longer follows a job of a server.',
  });
  expect(await pair.framesThere()).toEqual([1]);
});

it('continues a push after a kill, and sends no object twice', async () => {
  const pair = await heldPair(isChange);
  const started = await pair.push();
  await pair.proxy.held;
  await hereServer.kill9();
  pair.proxy.release();
  hereServer = await hereServer.restart();
  here = await signIn(hereServer);
  await here.finished(started.rq_id);
  expect(await pair.framesThere()).toEqual([0, 1]);
  expect(await pair.isInterrupted()).toBe(false);
});

it('cancels a checkout while it loads a frame, keeps loaded frames, and continues with the next request', async () => {
  const { jobs } = await taskThere(there);
  const proxy = await holding(({ url }) => /\/data\?.*number=[123]/.test(url ?? ''));
  const params = { id: await connectServer(here, there, proxy.url) };
  const body = { kind: 'job' as const, id: jobs[0]!, budget_bytes: 1e9 };
  const { rq_id: id } = await here.perform('checkOutRemote', { params, body });
  const links = async () => (await here.perform('listRemoteJobs', { query: { server_id: String(params.id) } })).results;
  await proxy.held;
  await expect.poll(links).toMatchObject([{ stored_frame_count: 1 }]);
  await expect(disconnect(params.id)).rejects.toThrow('a checkout is running');
  await expect(release((await links())[0]!.id)).rejects.toThrow('a checkout is running');
  await here.perform('cancelRequest', { params: { id } });
  const message = 'Cancelled. Loaded frames stay. Check out again to continue.';
  expect(await here.request(id)).toMatchObject({ status: 'failed', message });
  expect(await links()).toMatchObject([{ state: 'checking_out', stored_frame_count: 1 }]);
  proxy.release();
  await here.finished((await here.perform('checkOutRemote', { params, body })).rq_id);
  expect(await links()).toMatchObject([{ state: 'out', frame_count: 4 }]);
});

it('cancels a publication, deletes the incomplete task there, and publishes with the next request', async () => {
  const { task } = await taskThere(here);
  const name = 'Cancelled publication';
  await here.perform('updateTask', { params: { id: task }, body: { name } });
  const proxy = await holding(({ headers }) => headers['upload-finish'] !== undefined);
  const params = { id: await connectServer(here, there, proxy.url) };
  const body = { kind: 'task' as const, id: task };
  const { rq_id: id } = await here.perform('publishToRemote', { params, body });
  await proxy.held;
  const published = async () => (await there.perform('listTasks', { query: { name } })).results;
  expect(await published()).toHaveLength(1);
  await expect(disconnect(params.id)).rejects.toThrow('a publication is running');
  await here.perform('cancelRequest', { params: { id } });
  const message = 'Cancelled. 0 of 1 tasks are published. Publish again to continue.';
  expect(await here.request(id)).toMatchObject({ status: 'failed', message });
  expect(await published()).toEqual([]);
  proxy.release();
  await here.finished((await here.perform('publishToRemote', { params, body })).rq_id);
  expect(await published()).toMatchObject([{ size: 4 }]);
});
