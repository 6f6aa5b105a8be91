import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, expect, test } from 'vitest';
import { makeImages } from '../../support/images.ts';
import { raw, startWorkbench } from './support.ts';

let workbench = await startWorkbench();
afterAll(() => workbench.stop());
const task = await workbench.owner.taskWithImages(
  { name: 'news', labels: [{ name: 'car' }] },
  await makeImages(3, { text: 'n' }),
);
const [job = 0] = (await workbench.owner.jobs(task.id)).map(({ id }) => id);
const [label = 0] = (await workbench.owner.labels(task.id)).map(({ id }) => id);

const open = new Set<IncomingMessage>();
afterEach(() => {
  for (const answer of open) answer.destroy();
  open.clear();
});

interface Told {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: Record<string, unknown>;
}

async function listen(query = '', headers: Record<string, string> = { Authorization: workbench.authorization }) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const path = `/api/limner/jobs/${job}/changes${query}`;
    httpRequest({ host: '127.0.0.1', port: workbench.port, path, headers }, resolve).on('error', reject).end();
  });
  open.add(answer);
  const told: Told[] = [];
  let wake = (): void => undefined;
  let text = '';
  answer.setEncoding('utf8').on('data', (part: string) => {
    const messages = (text + part).split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const fields = Object.fromEntries(message.split('\n').map((line) => line.split(/: (.*)/s)));
      told.push({ event: fields.event, id: fields.id, data: JSON.parse(fields.data) as Told['data'] });
    }
    wake();
  });
  const ended = new Promise<void>((resolve) => answer.once('close', resolve));
  async function next(): Promise<Told> {
    while (told.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return told.shift()!;
  }
  return { status: answer.statusCode, type: answer.headers['content-type'], next, ended };
}

const box = (frame: number, at = 1) => ({
  type: 'rectangle' as const,
  frame,
  label_id: label,
  points: [at, 1, at + 5, 6],
});
const save = (action: string, shapes: object[], headers: Record<string, string> = {}) =>
  workbench.owner.call('PATCH', `/api/jobs/${job}/annotations/?action=${action}`, { json: { shapes }, headers });
const created = async (headers: Record<string, string> = {}): Promise<{ id: number }> => {
  const { body } = await save('create', [box(1)], headers);
  return (body as { shapes: { id: number }[] }).shapes[0]!;
};

test('a save notifies listeners: job, version, frames, and user', async () => {
  const listener = await listen();
  expect(listener).toMatchObject({ status: 200, type: 'text/event-stream; charset=utf-8' });
  const hello = await listener.next();
  expect(hello).toMatchObject({ event: 'hello', data: { complete: false } });
  await created();
  const change = await listener.next();
  expect(change).toMatchObject({
    event: 'change',
    data: { job, frames: [1], tracks: false, user: { username: expect.any(String) } },
  });
  expect(change.id).toBe(change.data['version']);
  expect(change.id).not.toBe(hello.data['version']);
  await workbench.owner.clearAnnotations('jobs', job);
  expect(await listener.next()).toMatchObject({ data: { frames: null, tracks: true } });
});

test('a change of one keyframe notifies the other windows, and conflicts with an older version of the track', async () => {
  const geometry = { type: 'rectangle' as const, points: [1, 1, 6, 6] };
  const shapes = [0, 1].map((frame) => ({ ...geometry, frame }));
  const created = await workbench.owner.changeAnnotations('jobs', job, 'create', {
    tracks: [{ frame: 0, label_id: label, shapes }],
  });
  const [track] = created.tracks;
  const listener = await listen();
  const hello = await listener.next();
  const path = `/api/limner/jobs/${job}/tracks/${track!.id}/keyframes/1`;
  const mine = { 'X-Limner-Window': 'mine' };
  await workbench.owner.good('PUT', path, { json: { ...geometry, occluded: true }, headers: mine });
  expect(await listener.next()).toMatchObject({ event: 'change', data: { job, tracks: true } });
  const seen = { 'X-Limner-Window': 'theirs', 'X-Limner-Seen': hello.id ?? String(hello.data['version']) };
  expect((await workbench.owner.call('DELETE', path, { headers: seen })).status).toBe(409);
  expect((await workbench.owner.call('DELETE', path, { headers: { ...seen, ...mine } })).status).toBe(204);
});

test('a window gets no notification of its saves, and no one gets refused or repeated ones', async () => {
  const listener = await listen('?window=mine');
  await listener.next();
  await created({ 'X-Limner-Window': 'mine' });
  expect((await save('create', [box(77)])).status).toBe(400);
  await created({ 'X-Limner-Window': 'other', 'Idempotency-Key': 'once' });
  const first = await listener.next();
  await created({ 'X-Limner-Window': 'other', 'Idempotency-Key': 'once' });
  await save('create', [box(2)], { 'X-Limner-Window': 'other' });
  expect(first.data['frames']).toEqual([1]);
  expect((await listener.next()).data['frames']).toEqual([2]);
});

test('a returning listener gets missed changes, or a notice after too long', async () => {
  const first = await listen();
  await first.next();
  await created();
  const { id = '' } = await first.next();
  await save('create', [box(0)]);
  const again = await listen('', { Authorization: workbench.authorization, 'Last-Event-ID': id });
  expect(await again.next()).toMatchObject({ data: { complete: true } });
  expect(await again.next()).toMatchObject({ event: 'change', data: { frames: [0] } });
  const stranger = await listen('?after=00000000-3');
  expect(await stranger.next()).toMatchObject({ data: { complete: false } });
});

test('a save without knowledge of a change is refused for the same object, not for another one', async () => {
  const listener = await listen();
  const { version } = (await listener.next()).data as { version: string };
  const mine = await created();
  const other = await created();
  const change = (id: number, seen: string, window: string) =>
    save('update', [{ ...box(1, 9), id }], { 'X-Limner-Seen': seen, 'X-Limner-Window': window });
  await listener.next();
  const { data } = await listener.next();
  const seen = String(data['version']);
  expect((await change(mine.id, version, 'b')).status).toBe(409);
  expect((await change(mine.id, seen, 'a')).status).toBe(200);
  expect((await change(mine.id, seen, 'a')).status).toBe(200);
  expect((await change(other.id, seen, 'b')).status).toBe(200);
  expect(await change(mine.id, seen, 'b')).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('changed elsewhere') },
  });
  expect((await change(mine.id, '00000000-1', 'b')).status).toBe(409);
  // Ordinary clients send no precondition.
  expect((await save('update', [{ ...box(1, 30), id: mine.id }])).status).toBe(200);
});

test('only users who may see the job are notified, from its own pages or by its own credentials', async () => {
  expect((await listen('', {})).status).toBe(401);
  const stranger = await workbench.addUser('stranger');
  expect((await stranger.call('GET', `/api/limner/jobs/${job}/changes`)).status).toBe(403);
  const foreign = { Authorization: workbench.authorization, Origin: 'http://evil.example' };
  expect((await listen('', foreign)).status).toBe(403);
  expect((await listen('', { Authorization: workbench.authorization, Host: 'evil.example' })).status).toBe(403);
  expect((await listen('?window=%0a')).status).toBe(400);
  const missing = await raw(workbench.port, 'GET', '/api/limner/jobs/999999/changes', {
    Authorization: workbench.authorization,
  });
  expect(missing.status).toBe(404);
});

test('the number of listeners is limited, and one that leaves makes space', async () => {
  const all = [];
  for (let count = 0; count < 64; count += 1) all.push(await listen());
  expect(all.every(({ status }) => status === 200)).toBe(true);
  expect((await listen()).status).toBe(503);
  for (const answer of open) answer.destroy();
  open.clear();
  await expect.poll(async () => (await listen()).status).toBe(200);
});

test('the service stops without waiting for listeners, and a new one says that it has no history', async () => {
  const listener = await listen();
  const { version } = (await listener.next()).data as { version: string };
  workbench = await workbench.restart();
  await listener.ended;
  const again = await listen(`?after=${version}`);
  expect(await again.next()).toMatchObject({ event: 'hello', data: { complete: false } });
});
