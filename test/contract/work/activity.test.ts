import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ClientEvents } from '../../../preload/contract/schema/activity.ts';
import type { TestClient } from '../../support/client.ts';
import { startWork } from './work-harness.ts';

const work = await startWork();
const worker = await work.workbench.addUser('somebody');
afterAll(() => work.stop());

const event = (scope: string, fields: object = {}) => ({ scope, timestamp: new Date().toISOString(), ...fields });
const send = (client: TestClient, events: object[], timestamp = new Date().toISOString()) =>
  client.call('POST', '/api/events', { json: { events, timestamp } });

async function exported(client: TestClient, query: Record<string, string | number> = {}): Promise<string[]> {
  const { rq_id: rqId } = await client.good<{ rq_id: string }>('POST', '/api/events/export', { query });
  const request = await client.finished(rqId);
  expect(request.operation).toMatchObject({ type: 'export:events', target: 'events' });
  return (await client.bytes(request.result_url ?? '')).toString().trim().split('\r\n');
}

test('events are kept as lines of JSON in the file of their day, under the name of whoever sent them', async () => {
  const sent = await send(work.owner, [
    event('draw:object', { job_id: 3, duration: 1200, payload: '{"a": 1}', user_id: 999, user_name: 'somebody else' }),
    event('zoom:image'),
  ]);
  expect(sent.status).toBe(201);
  expect((sent.body as ClientEvents).events.map(({ scope, user_name }) => [scope, user_name])).toEqual([
    ['draw:object', expect.any(String)],
    ['zoom:image', expect.any(String)],
  ]);
  const folder = join(work.workbench.dataDir, 'events');
  const [name = ''] = readdirSync(folder);
  expect(name).toMatch(/^\d{4}-\d{2}-\d{2}\.jsonl$/);
  const lines = readFileSync(join(folder, name), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { scope: 'draw:object', job_id: 3, duration: 1200, user_id: 1 },
    { scope: 'zoom:image', duration: 0, user_id: 1 },
  ]);
});

test('a client whose clock is wrong does not shift the log', async () => {
  const wrong = new Date(Date.now() - 5 * 365 * 24 * 3600 * 1000).toISOString();
  const { body } = await send(work.owner, [{ scope: 'late:clock', timestamp: wrong }], wrong);
  const [logged] = (body as ClientEvents).events;
  expect(Math.abs(Date.parse(logged?.timestamp ?? '') - Date.now())).toBeLessThan(60_000);
});

test('an export is a table, narrowed as it was asked for', async () => {
  await send(worker, [
    event('draw:object', { task_id: 7, obj_val: 'a "quoted", text' }),
    event('=HYPERLINK("x")', { task_id: 7 }),
  ]);
  const all = await exported(work.owner);
  expect(all[0]).toBe(
    'scope,obj_name,obj_id,obj_val,source,timestamp,count,duration,project_id,task_id,job_id,user_id,user_name,user_email,org_id,org_slug,payload',
  );
  expect(all.length).toBe(6);
  const ofTask = await exported(work.owner, { task_id: 7 });
  expect(ofTask).toHaveLength(3);
  expect(ofTask[1]).toContain('"a ""quoted"", text"');
  expect(ofTask[2]).toMatch(/^"'=HYPERLINK/);
  expect(await exported(work.owner, { user_id: 1, job_id: 3 })).toHaveLength(2);
  expect(await exported(work.owner, { from: '2000-01-01', to: '2000-01-02' })).toHaveLength(1);
});

test('people who are no admins see their own events only', async () => {
  const own = await exported(worker, { user_id: 1 });
  expect(own).toHaveLength(3);
  expect(own.slice(1).every((line) => line.includes('somebody'))).toBe(true);
});

test('what is no event is refused', async () => {
  const wrong: object[] = [
    { events: [{ scope: 'x' }], timestamp: new Date().toISOString() },
    { events: [event('')], timestamp: new Date().toISOString() },
    { events: [event('x', { duration: 'long' })], timestamp: new Date().toISOString() },
    { events: [event('x')], timestamp: 'yesterday' },
    { events: {} },
  ];
  for (const json of wrong) expect((await work.owner.call('POST', '/api/events', { json })).status).toBe(400);
  expect((await work.workbench.anonymous.call('POST', '/api/events', { json: {} })).status).toBe(401);
  for (const query of [{ from: 'x' }, { from: '2020-01-02', to: '2020-01-01' }, { location: 'cloud_storage' }]) {
    expect((await work.owner.call('POST', '/api/events/export', { query })).status).toBe(400);
  }
});
