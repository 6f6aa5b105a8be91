import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { ClientEvents } from '../../../preload/contract/schema/activity.ts';
import type { AnalyticsReport, AnalyticsState } from '../../../preload/contract/schema/analytics.ts';
import type { TestClient } from '../../support/client.ts';
import { pictures, useWork } from './work-harness.ts';

const work = await useWork();
const worker = await work.workbench.addUser('somebody');

const folder = join(work.workbench.dataDir, 'events');
const switchTo = (enabled: boolean, client = work.owner) =>
  client.call('PATCH', '/api/limner/analytics', { json: { enabled, delete_events: !enabled } });
/** Each test begins with an empty events volume. */
beforeEach(async () => {
  await switchTo(false);
  await switchTo(true);
});

const event = (scope: string, fields: object = {}) => ({ scope, timestamp: new Date().toISOString(), ...fields });
const send = (client: TestClient, events: object[], more: object = {}) =>
  client.call('POST', '/api/events', { json: { events, timestamp: new Date().toISOString(), ...more } });
const report = (client: TestClient, query: Record<string, string | number> = {}) =>
  client.good<AnalyticsReport>('GET', '/api/limner/analytics/report', { query });
const state = (client: TestClient) => client.good<AnalyticsState>('GET', '/api/limner/analytics');

async function exported(client: TestClient, query: Record<string, string | number> = {}): Promise<string[]> {
  const { rq_id: rqId } = await client.good<{ rq_id: string }>('POST', '/api/events/export', { query });
  const request = await client.finished(rqId);
  expect(request.operation).toMatchObject({ type: 'export:events', target: 'events' });
  return (await client.bytes(request.result_url ?? '')).toString().trim().split('\r\n');
}

test('stores events with the name of the user who sent them', async () => {
  const sent = await send(work.owner, [
    event('draw:object', { job_id: 3, duration: 1200, payload: '{"a": 1}', user_id: 999, user_name: 'somebody else' }),
    event('zoom:image'),
  ]);
  expect(sent.status).toBe(201);
  expect((sent.body as ClientEvents).events).toMatchObject([
    { scope: 'draw:object', job_id: 3, duration: 1200, user_id: 1, source: 'client', payload: '{"a":1}' },
    { scope: 'zoom:image', duration: 0, user_id: 1 },
  ]);
  const lines = await exported(work.owner);
  expect(lines.filter((line) => line.startsWith('draw:object,'))).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith('zoom:image,'))).toHaveLength(1);
});

test('corrects the times of a client with a wrong clock', async () => {
  const wrong = new Date(Date.now() - 5 * 365 * 24 * 3600 * 1000).toISOString();
  const { body } = await send(work.owner, [{ scope: 'zoom:image', timestamp: wrong }], { timestamp: wrong });
  const [logged] = (body as ClientEvents).events;
  expect(Math.abs(Date.parse(logged?.timestamp ?? '') - Date.now())).toBeLessThan(60_000);
});

test('exports a table with the requested filter', async () => {
  // The same moment for both, because a gap would be recorded as an event for working time.
  const timestamp = new Date().toISOString();
  await send(worker, [
    event('draw:object', { timestamp, task_id: 7, obj_val: 'a "quoted", text' }),
    event('draw:object', { timestamp, task_id: 7, obj_name: '=HYPERLINK("x")' }),
  ]);
  await send(work.owner, [event('draw:object', { timestamp, job_id: 3 }), event('zoom:image', { timestamp })]);
  const all = await exported(work.owner);
  expect(all[0]).toBe(
    'scope,obj_name,obj_id,obj_val,source,timestamp,count,duration,project_id,task_id,job_id,user_id,user_name,user_email,org_id,org_slug,payload',
  );
  expect(all).toHaveLength(5);
  const ofTask = await exported(work.owner, { task_id: 7 });
  expect(ofTask).toHaveLength(3);
  expect(ofTask[1]).toContain('"a ""quoted"", text"');
  expect(ofTask[2]).toContain(`"'=HYPERLINK`);
  expect(await exported(work.owner, { user_id: 1, job_id: 3 })).toHaveLength(2);
  expect(await exported(work.owner, { from: '2000-01-01', to: '2000-01-02' })).toHaveLength(1);
});

test('shows users who are not admins only their own events, unless analytics is granted', async () => {
  await send(work.owner, [event('draw:object', { duration: 500 })]);
  await send(worker, [event('draw:object', { duration: 700 })]);
  const own = await exported(worker, { user_id: 1 });
  expect(own.slice(1).every((line) => line.includes('somebody'))).toBe(true);
  expect((await report(worker, { user_id: 1 })).totals.drawing_ms).toBe(700);
  expect((await report(worker)).progress).toBeNull();
  expect(await state(worker)).toMatchObject({ can_change: false, can_see_all: false });
  const { id } = await worker.good<{ id: number }>('GET', '/api/users/self');
  await work.owner.good('PATCH', `/api/users/${id}`, { json: { has_analytics_access: true } });
  expect((await report(worker)).totals.drawing_ms).toBe(1200);
  await work.owner.good('PATCH', `/api/users/${id}`, { json: { has_analytics_access: false } });
});

test('refuses invalid events', async () => {
  const timestamp = new Date().toISOString();
  const wrong: object[] = [
    { events: [{ scope: 'draw:object' }], timestamp },
    { events: [event('')], timestamp },
    { events: [event('create:shapes')], timestamp },
    { events: [event('draw:object', { payload: '{' })], timestamp },
    { events: [event('draw:object', { duration: 'long' })], timestamp },
    { events: [event('draw:object')], timestamp: 'yesterday' },
    { events: {} },
  ];
  for (const json of wrong) expect((await work.owner.call('POST', '/api/events', { json })).status).toBe(400);
  expect((await work.workbench.anonymous.call('POST', '/api/events', { json: {} })).status).toBe(401);
  for (const query of [{ from: 'x' }, { from: '2020-01-02', to: '2020-01-01' }, { location: 'cloud_storage' }]) {
    expect((await work.owner.call('POST', '/api/events/export', { query })).status).toBe(400);
  }
});

test('stores nothing while switched off, deletes stored events, and answers clients as before', async () => {
  await send(work.owner, [event('draw:object')]);
  expect((await state(work.owner)).events).toBeGreaterThan(0);
  expect((await switchTo(false, worker)).status).toBe(403);
  expect((await switchTo(false)).body).toMatchObject({ enabled: false, events: 0, size_bytes: 0 });
  expect(existsSync(folder)).toBe(false);
  expect((await send(work.owner, [event('draw:object')])).status).toBe(201);
  await work.owner.good('POST', '/api/projects', { json: { name: 'unheard' } });
  expect(existsSync(folder)).toBe(false);
  expect(await work.owner.good('GET', '/api/server/plugins')).toMatchObject({ ANALYTICS: false });
  for (const [method, path] of [
    ['POST', '/api/events/export'],
    ['GET', '/api/limner/analytics/report'],
  ] as const) {
    const refused = await work.owner.call(method, path);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('Analytics is disabled');
  }
  await switchTo(true);
  expect(await work.owner.good('GET', '/api/server/plugins')).toMatchObject({ ANALYTICS: true });
  expect((await exported(work.owner)).filter((line) => /draw:object|unheard/.test(line))).toEqual([]);
});

test('working time is the sum of the pauses below 100 s, each counted for the event before it', async () => {
  const startMs = Date.now() - 3_600_000;
  const at = (seconds: number, fields: object = {}) => ({
    scope: 'zoom:image',
    timestamp: new Date(startMs + seconds * 1000).toISOString(),
    ...fields,
  });
  const [one, two] = [
    { job_id: 1, project_id: 4 },
    { job_id: 2, project_id: 5 },
  ];
  const events = [
    at(10, one),
    at(40, one),
    // Sent as one event, it lasts until 65.
    at(45, { ...two, scope: 'change:frame', duration: 20_000 }),
    at(60, two),
    at(165, two),
    at(170, two),
  ];
  await send(work.owner, events, { previous_event: at(5, one) });
  const ms = Object.fromEntries(
    (await report(work.owner)).working_time.by_project.map((project) => [project.id, project.ms]),
  );
  // 5 to 45 in the first. The frame change from 45 to 65 counts for the preceding frame, like in CVAT.
  expect(ms).toEqual({ 4: 60_000, 5: 5000 });
});

test("records the service's own events: work, annotations, review, requests, failures", async () => {
  const { id: project } = await work.owner.good<{ id: number }>('POST', '/api/projects', {
    json: { name: 'streets', labels: [{ name: 'car' }] },
  });
  await work.owner.good('PATCH', `/api/projects/${project}`, { json: { name: 'roads' } });
  await work.owner.good('DELETE', `/api/projects/${project}`);
  const lines = await exported(work.owner);
  const scopes = lines.map((line) => line.split(',').slice(0, 4).join(','));
  expect(scopes).toContain(`create:project,streets,${project},`);
  expect(scopes).toContain('update:project,name,,roads');
  expect(scopes).toContain(`delete:project,roads,${project},`);
  expect((await report(work.owner)).requests).toContainEqual({ type: 'export:events', finished: 1, failed: 0 });
});

test('names the HTTP request that caused an event of the service, also in background work', async () => {
  const made = await work.owner.call('POST', '/api/projects', { json: { name: 'caused', labels: [{ name: 'car' }] } });
  const { id } = made.body as { id: number };
  const task = await work.owner.taskWithImages({ project_id: id }, await pictures(2));
  const [car] = await work.owner.labels(task.id);
  const [job] = await work.owner.jobs(task.id);
  const shape = { type: 'rectangle', frame: 0, label_id: car?.id, points: [1, 1, 9, 9] };
  const saved = await work.owner.call('PATCH', `/api/jobs/${job?.id}/annotations`, {
    query: { action: 'create' },
    json: { shapes: [shape] },
  });
  const deleted = await work.owner.call('DELETE', `/api/projects/${id}`);
  const lines = (await exported(work.owner, { project_id: id })).slice(1);
  const requestOf = (scope: string) => {
    const line = lines.find((one) => one.startsWith(`${scope},`)) ?? '';
    return /""request"":\{""id"":""([\da-f-]{36})""\}/.exec(line)?.[1] ?? `none: ${line}`;
  };
  expect(requestOf('create:project')).toBe(made.headers.get('X-Request-Id'));
  expect(requestOf('create:shapes')).toBe(saved.headers.get('X-Request-Id'));
  for (const scope of ['delete:project', 'delete:task', 'delete:job']) {
    expect(requestOf(scope), scope).toBe(deleted.headers.get('X-Request-Id'));
  }
  expect(lines.filter((line) => !line.includes('""request""'))).toEqual([]);
  expect(requestOf('create:job')).not.toContain('none');
});

test('access tokens cause events', async () => {
  const { id } = await work.owner.good<{ id: number }>('POST', '/api/auth/access_tokens', { json: { name: 'told' } });
  await work.owner.good('DELETE', `/api/auth/access_tokens/${id}`);
  const scopes = (await exported(work.owner)).map((line) => line.split(',').slice(0, 3).join(','));
  expect(scopes).toContain(`create:accesstoken,told,${id}`);
  expect(scopes).toContain(`delete:accesstoken,told,${id}`);
});

test('clients of the earlier export poll for the same events by GET', async () => {
  await send(work.owner, [event('draw:object', { job_id: 3 }), event('zoom:image')]);
  const ask = (query: Record<string, string | number>) => work.owner.call('GET', '/api/events', { query });
  const started = await ask({ query_id: '', job_id: 3 });
  expect(started.status).toBe(202);
  const { query_id: id } = started.body as { query_id: string };
  await work.owner.finished(id);
  expect(await ask({ query_id: id, job_id: 3 })).toMatchObject({ status: 201 });
  const file = await ask({ query_id: id, action: 'download' });
  expect(file.status).toBe(200);
  expect(
    String(file.body)
      .split('\r\n')
      .filter((line) => line.startsWith('draw:object,')),
  ).toHaveLength(1);
  expect(String(file.body)).not.toContain('zoom:image');
});

test('switching off without confirmation keeps the events', async () => {
  await send(work.owner, [event('draw:object')]);
  const refused = await work.owner.call('PATCH', '/api/limner/analytics', { json: { enabled: false } });
  expect(refused).toMatchObject({
    status: 400,
    body: { delete_events: [expect.stringContaining('deletes all 1 events')] },
  });
  expect(await state(work.owner)).toMatchObject({ enabled: true, events: 1 });
});
