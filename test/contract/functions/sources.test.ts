import { afterAll, expect, test } from 'vitest';
import { startChatServer } from '../../support/chat-server.ts';
import { startPeopleHarness } from '../people/people-harness.ts';
import { startFakeDashboard } from './fake-dashboard.ts';

const harness = await startPeopleHarness();
const { admin } = harness;
const chat = await startChatServer(['seer-7b.gguf'], 'open-sesame');
const dashboard = await startFakeDashboard([
  { name: 'far', annotations: { name: 'Far', type: 'detector', spec: '[{"id":0,"name":"car"}]' } },
]);
afterAll(async () => {
  await dashboard.stop();
  await harness.stop();
});

test('dashboards and chat endpoints are one list, with state, latency and the reason if they are gone', async () => {
  const { id } = await admin.good('addDashboard', { body: { url: dashboard.url, project: '' } });
  const { name } = await admin.good('addChatModel', { body: { url: chat.url, api_key: 'open-sesame' } });
  const sources = await admin.good('listModelSources', {});
  expect(sources).toMatchObject([
    { id: `nuclio-${id}`, kind: 'nuclio', state: 'unknown', latency_ms: null },
    { kind: 'chat', address: chat.url, models: [name], state: 'unknown' },
  ]);
  const tested = (source: string) => admin.good('testModelSource', { body: { id: source } });
  expect(await tested(`nuclio-${id}`)).toMatchObject({ state: 'connected', models: ['far'], message: '' });
  const answering = await tested(chat.url);
  expect(answering).toMatchObject({ state: 'connected', message: '' });
  expect(answering.latency_ms).toBeGreaterThan(0);
  await chat[Symbol.asyncDispose]();
  expect(await tested(chat.url)).toMatchObject({
    state: 'failed',
    latency_ms: null,
    message: expect.stringContaining('Nothing responds'),
  });
  expect((await admin.good('listModelSources', {})).map(({ state }) => state)).toEqual(['connected', 'failed']);
});
