import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { startChatServer, type ChatQuestion } from '../../support/chat-server.ts';
import { startPeopleHarness } from '../people/people-harness.ts';

const harness = await startPeopleHarness();
const { admin } = harness;
const server = await startChatServer(['seer-7b.gguf', 'small'], 'open-sesame');
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await harness.stop();
});

const select = {
  name: 'weather',
  mutable: false,
  input_type: 'select' as const,
  default_value: 'sun',
  values: ['sun', 'rain'],
};
const people = {
  name: 'people',
  mutable: false,
  input_type: 'number' as const,
  default_value: '0',
  values: ['0', '9', '1'],
};
const busy = {
  name: 'busy',
  mutable: false,
  input_type: 'checkbox' as const,
  default_value: 'false',
  values: ['false'],
};
const caption = { name: 'caption', mutable: false, input_type: 'text' as const, default_value: '', values: [] };
const images = await Promise.all(
  ['#ff0000', '#0000ff'].map(async (background, index) => ({
    name: `${index}.webp`,
    bytes: await sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .webp()
      .toBuffer(),
  })),
);
const task = await admin.rest.taskWithImages(
  {
    labels: [
      { name: 'scene', type: 'tag', attributes: [select, people, busy, caption] },
      { name: 'night', type: 'tag' },
      { name: 'car', type: 'rectangle' },
    ],
  },
  images,
);
const labels = await admin.rest.labels(task.id);
const scene = labels.find(({ name }) => name === 'scene')!;

const chat = { url: server.url, api_key: 'open-sesame', model: 'seer-7b.gguf' };
const added = await admin.good('addChatModel', { body: { ...chat, instructions: 'It is summer.' } });

interface Values {
  readonly [name: string]: string | number | boolean;
}
const content = (attributes: Values, night = false): string =>
  JSON.stringify({ scene: { applies: true, attributes }, night: { applies: night, attributes: {} } });
const sunny = { weather: 'sun', people: 3, busy: true, caption: 'A red area.' };

beforeEach(() => {
  server.state.questions.length = 0;
  server.state.isLoading = false;
  server.state.reply = () => ({ content: content(sunny) });
});

const ask = (body: object = {}) =>
  admin.call('callLambdaFunction', { params: { id: added.name }, raw: { task: task.id, frame: 0, ...body } });
type Answer = LabeledData & { readonly problems?: readonly string[] };
const answered = async (body: object = {}): Promise<Answer> => {
  const answer = await ask(body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as Answer;
};
const valuesOf = (answer: Answer) =>
  Object.fromEntries(
    (answer.tags[0]?.attributes ?? []).map(({ spec_id: id, value }) => [
      scene.attributes.find((one) => one.id === id)?.name,
      value,
    ]),
  );

test('a chat endpoint becomes a function with the name of its model, and its key is not shown or stored in the clear', async () => {
  expect(added).toMatchObject({
    name: 'seer-7b',
    title: 'seer-7b.gguf',
    kind: 'detector',
    address: server.url,
    fills_attributes: true,
  });
  const shown = JSON.stringify([await admin.good('getModel', { params: { name: added.name } }), added]);
  expect(shown).not.toContain('open-sesame');
  const store = readFileSync(join(harness.folder, 'db', 'limner.sqlite'));
  expect(store.includes('open-sesame')).toBe(false);
});

test('the answer of a vision model becomes tags with attributes of the labels of the task', async () => {
  const answer = await answered();
  expect(answer.tags.map(({ label_id: id, source }) => [id, source])).toEqual([[scene.id, 'auto']]);
  expect(valuesOf(answer)).toEqual({ weather: 'sun', people: '3', busy: 'true', caption: 'A red area.' });
  expect(answer.problems).toBeUndefined();
});

test('the question contains the image and a schema made from the attributes', async () => {
  await answered();
  const question: ChatQuestion = server.state.questions[0]!;
  expect(question.image).toMatchObject({ format: 'png', width: 40 });
  expect(question.image.mean[0]).toBeGreaterThan(240);
  expect(question.text).toContain('It is summer.');
  const attributes = {
    type: 'object',
    properties: {
      weather: { type: 'string', enum: ['sun', 'rain'] },
      people: { type: 'integer', minimum: 0, maximum: 9 },
      busy: { type: 'boolean' },
      caption: { type: 'string' },
    },
    required: ['weather', 'people', 'busy', 'caption'],
    additionalProperties: false,
  };
  expect(question.schema).toMatchObject({
    required: ['scene', 'night'],
    properties: { scene: { properties: { applies: { type: 'boolean' }, attributes } } },
  });
});

test('a mapping limits the question to its labels', async () => {
  server.state.reply = () => ({ content: '{"night":{"applies":true,"attributes":{}}}' });
  const answer = await answered({ mapping: { night: { name: 'night' } } });
  expect(server.state.questions[0]?.schema).toMatchObject({ required: ['night'] });
  expect(answer.tags).toHaveLength(1);
});

test('values outside of an enumeration are left out, counted and named', async () => {
  server.state.reply = () => ({ content: content({ ...sunny, weather: 'fog', people: 12 }) });
  const answer = await answered();
  expect(valuesOf(answer)).toEqual({ busy: 'true', caption: 'A red area.' });
  expect(answer.problems).toEqual([
    'A value was dropped: "fog" is not a value of "weather".',
    'A value was dropped: "12" is not a value of "people".',
  ]);
});

test.each([
  ['prose', { content: 'It is a red area.' }, 'did not answer in JSON: “It is a red area.”'],
  ['nothing', { content: '' }, 'did not answer in JSON: nothing'],
  ['a list', { content: '[1]' }, 'did not answer with an object: “[1]”'],
  ['another object', { content: '{"scene":true}' }, 'left out "scene" or did not say whether it applies'],
  ['half of it', { content: '{"sce', finish_reason: 'length' }, 'the limit of tokens was reached'],
  ['a refusal', { content: '', refusal: 'I cannot help.' }, 'refused to answer: “I cannot help.”'],
  ['a page', { body: '<html>hello</html>' }, 'did not answer as a chat endpoint: “<html>hello</html>”'],
  ['no choice', { body: '{"choices":[]}' }, 'returned no message'],
  ['an error', { status: 500, content: 'out of memory' }, 'returned 500: out of memory'],
])('an answer that is %s is refused in words', async (_name, reply, message) => {
  server.state.reply = () => reply;
  const answer = await ask();
  expect(answer.status).toBe(500);
  expect(answer.body).toContain(message);
});

test('JSON in a block of code is read', async () => {
  server.state.reply = () => ({ content: `\`\`\`json\n${content(sunny)}\n\`\`\`` });
  expect(valuesOf(await answered())).toMatchObject({ weather: 'sun' });
});

test('a task without a label for tags is refused in words', async () => {
  const boxes = await admin.rest.taskWithImages({ labels: [{ name: 'car', type: 'rectangle' }] }, images.slice(0, 1));
  const answer = await ask({ task: boxes.id });
  expect(answer).toMatchObject({ status: 400 });
  expect(answer.body).toContain('no label takes tags');
});

test('a batch stores tags, and reports frames whose answer cannot be used', async () => {
  server.state.reply = ({ image }) =>
    (image.mean[0] ?? 0) > 200 ? { content: content(sunny) } : { content: 'Blue, I think.' };
  const { id } = await admin.good('createBatch', { body: { function: added.name, targets: [{ task: task.id }] } });
  const batch = await expect
    .poll(() => admin.good('getBatch', { params: { id } }), { timeout: 20_000 })
    .toMatchObject({ state: 'finished', object_count: 1, failed_count: 1 })
    .then(() => admin.good('getBatch', { params: { id } }));
  expect(batch.problems[0]).toMatchObject({ file: '1.webp', reason: expect.stringContaining('Blue, I think.') });
});

test('without labels, as on the page of the model, it describes the image', async () => {
  server.state.reply = () => ({ content: '{"caption":"A red area."}' });
  const image = images[0]!.bytes.toString('base64');
  const request = { method: 'POST', path: '/', headers: {}, timeoutMs: 10_000 };
  const body = [Buffer.from(JSON.stringify({ image }))];
  const png = await sharp(images[0]!.bytes).png().toBuffer();
  const usable = [Buffer.from(JSON.stringify({ image: png.toString('base64') }))];
  const { catalog } = harness.core.functions;
  expect(JSON.parse((await catalog.invoke(added.name, { ...request, body: usable })).body.toString())).toEqual([
    { type: 'tag', label: 'caption', attributes: [{ name: 'caption', value: 'A red area.' }] },
  ]);
  expect((await catalog.invoke(added.name, { ...request, body })).status).toBe(400);
});

test('an endpoint that does not answer in time is refused in words', async () => {
  server.state.reply = () => ({ isSilent: true });
  const png = await sharp(images[0]!.bytes).png().toBuffer();
  const body = [Buffer.from(JSON.stringify({ image: png.toString('base64') }))];
  const request = { method: 'POST', path: '/', headers: {}, body, timeoutMs: 1000 };
  await expect(harness.core.functions.catalog.invoke(added.name, request)).rejects.toThrow('did not answer within 1 s');
});

test('an endpoint that needs a key, lacks the model, loads one or is no endpoint is not added', async () => {
  const refused = async (body: object) => admin.call('addChatModel', { body: { ...chat, name: 'other', ...body } });
  expect(await refused({ api_key: '' })).toMatchObject({
    status: 400,
    body: { api_key: [expect.stringContaining('refuses access (401). Enter its API key.')] },
  });
  expect(await refused({ model: 'huge' })).toMatchObject({
    status: 400,
    body: { model: [expect.stringContaining('It offers: seer-7b.gguf, small.')] },
  });
  expect(await refused({ model: '' })).toMatchObject({
    status: 400,
    body: { model: [expect.stringContaining('offers 2 models. Choose one of: seer-7b.gguf, small.')] },
  });
  expect(await refused({ url: server.url.replace('/v1', '/v2') })).toMatchObject({
    status: 400,
    body: { url: [expect.stringContaining('is no chat endpoint')] },
  });
  server.state.isLoading = true;
  expect(await refused({})).toMatchObject({ status: 503, body: { detail: expect.stringContaining('Loading model') } });
});

const addresses = (body: object) => admin.good('updateWebhookSettings', { body });
const checked = (name: string) => admin.good('checkModelAddress', { params: { name } });

test('addresses of functions and dashboards follow the address settings when they are added and asked', async () => {
  const configuration = JSON.stringify({
    metadata: { name: 'far', annotations: { name: 'far', type: 'detector', spec: '[]' } },
    spec: { description: '', handler: 'main:handler', runtime: 'python' },
  });
  const far = { body: { configuration, url: 'http://10.99.98.97/far' } };
  const hidden = { body: { url: 'http://169.254.169.254' } };
  const refused = {
    status: 400,
    body: { url: [expect.stringContaining('is in a private network. Nothing was sent.')] },
  };
  expect(await admin.call('addEndpoint', far)).toMatchObject(refused);
  expect(await admin.call('addDashboard', { body: { url: 'http://10.99.98.97:8070' } })).toMatchObject(refused);
  expect(await admin.call('addDashboard', hidden)).toMatchObject({ status: 400 });
  await addresses({ allow_private_networks: true });
  await admin.good('addEndpoint', far);
  const body = { url: 'http://10.99.98.97:8070' };
  const { id } = await admin.good('addDashboard', { body });
  await addresses({ allow_private_networks: false });
  const reason = expect.stringContaining(
    'Allow private networks in the webhook settings if the model server is there.',
  );
  expect(await admin.good('checkModelAddress', { params: { name: 'far' } })).toMatchObject({
    is_reachable: false,
    reason,
  });
  await admin.good('deleteModel', { params: { name: 'far' } });
  const source = { id: `nuclio-${id}` };
  expect(await admin.good('testModelSource', { body: source })).toMatchObject({ state: 'failed', message: reason });
  await admin.good('deleteDashboard', { params: { id } });
});

test('addresses of chat endpoints follow the address settings, when they are added and when they are asked', async () => {
  const refused = async (url: string) => admin.call('addChatModel', { body: { ...chat, name: 'other', url } });
  expect(await refused('http://10.99.98.97/v1')).toMatchObject({
    status: 400,
    body: expect.stringContaining('Allow private networks in the webhook settings if the model server is there.'),
  });
  expect(await refused('http://169.254.169.254/v1')).toMatchObject({
    status: 400,
    body: expect.stringContaining('to which Limner never connects'),
  });
  await addresses({ allow_loopback: false });
  try {
    const answer = await ask();
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('is this computer') });
    expect(server.state.questions).toEqual([]);
    expect(await refused(server.url.replace('127.0.0.1', 'localhost'))).toMatchObject({ status: 400 });
    expect(await checked(added.name)).toMatchObject({ is_reachable: false });
  } finally {
    await addresses({ allow_loopback: true });
  }
  await answered();
});

test('a check tells whether a chat endpoint answers, and why not, without asking the model', async () => {
  expect(await checked(added.name)).toEqual({ is_reachable: true, duration_ms: expect.any(Number), reason: '' });
  server.state.isLoading = true;
  expect(await checked(added.name)).toEqual({
    is_reachable: false,
    duration_ms: null,
    reason: expect.stringContaining('Loading model'),
  });
  expect(server.state.questions).toEqual([]);
});

test('a check of an endpoint that is gone or lost its model says so', async () => {
  const gone = await startChatServer(['lost']);
  const { name } = await admin.good('addChatModel', { body: { url: gone.url, name: 'lost' } });
  gone.state.models = ['another'];
  expect(await checked(name)).toMatchObject({ reason: expect.stringContaining('no longer offers "lost"') });
  await gone[Symbol.asyncDispose]();
  expect(await checked(name)).toMatchObject({ is_reachable: false, reason: expect.stringContaining('ECONNREFUSED') });
});

test('a check of a function at a URL opens a connection without running it', async () => {
  let requests = 0;
  const own = createServer((_request, response) => {
    requests += 1;
    response.end('[]');
  });
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(own.address() as AddressInfo).port}`;
  const configuration = JSON.stringify({
    metadata: { name: 'plain', annotations: { type: 'detector', spec: '[]' } },
    spec: { handler: 'main:handler', runtime: 'python' },
  });
  await admin.good('addEndpoint', { body: { configuration, url } });
  expect(await checked('plain')).toMatchObject({ is_reachable: true, reason: '' });
  await new Promise((resolve) => own.close(resolve));
  expect(requests).toBe(0);
  expect(await checked('plain')).toMatchObject({
    is_reachable: false,
    reason: expect.stringContaining('ECONNREFUSED'),
  });
});
