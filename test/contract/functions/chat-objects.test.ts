import sharp from 'sharp';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { startChatServer } from '../../support/chat-server.ts';
import { startPeopleHarness } from '../people/people-harness.ts';

const harness = await startPeopleHarness();
const { admin } = harness;
const server = await startChatServer();
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await harness.stop();
});

const attribute = (name: string, input_type: 'select' | 'checkbox' | 'number' | 'text', values: string[]) => ({
  name,
  input_type,
  values,
  mutable: false,
  default_value: values[0] ?? '',
});
const attributes = [
  attribute('color', 'select', ['blue', 'red']),
  attribute('parked', 'checkbox', ['false']),
  attribute('doors', 'number', ['2', '5', '1']),
  attribute('plate', 'text', []),
];
const halves = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#0000ff' } })
  .composite([
    { input: { create: { width: 1000, height: 1000, channels: 3, background: '#ff0000' } }, left: 0, top: 0 },
  ])
  .png()
  .toBuffer();
const task = await admin.rest.taskWithImages(
  {
    labels: [
      { name: 'car', type: 'rectangle', attributes },
      { name: 'tree', type: 'rectangle' },
    ],
  },
  [
    { name: 'a.png', bytes: halves },
    { name: 'b.png', bytes: halves },
  ],
);
const labels = await admin.rest.labels(task.id);
const car = labels.find(({ name }) => name === 'car')!;
const tree = labels.find(({ name }) => name === 'tree')!;
const box = (label: number, points: number[], frame = 0) => ({
  type: 'rectangle' as const,
  frame,
  label_id: label,
  points,
});
const left = [100, 100, 900, 900];
const right = [1200, 100, 1300, 300];
await admin.good('changeTaskAnnotations', {
  params: { id: task.id },
  query: { action: 'create' },
  body: { shapes: [box(car.id, left), box(car.id, right), box(tree.id, right), box(car.id, left, 1)] },
});
const { name: model } = await admin.good('addChatModel', { body: { url: server.url } });

const red = { color: 'red', parked: true, doors: 4, plate: 'B 12' };
beforeEach(() => {
  server.state.questions.length = 0;
  server.state.reply = () => ({ content: JSON.stringify(red) });
});

const ask = (body: object = {}) =>
  admin.call('callLambdaFunction', {
    params: { id: model },
    raw: { task: task.id, frame: 0, fill: 'objects', ...body },
  });
type Answer = LabeledData & { readonly problems?: readonly string[] };
const answered = async (): Promise<Answer> => {
  const answer = await ask();
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as Answer;
};
const valuesOf = ({ attributes: own }: LabeledData['shapes'][number]) =>
  Object.fromEntries(
    own.map(({ spec_id: id, value }) => [car.attributes.find((one) => one.id === id)?.name, value] as const),
  );

test('a vision model is asked about each object whose label has attributes, with its part of the image', async () => {
  await answered();
  const [first, second] = server.state.questions;
  expect(server.state.questions).toHaveLength(2);
  expect(first?.schema).toEqual({
    type: 'object',
    properties: {
      color: { type: 'string', enum: ['blue', 'red'] },
      parked: { type: 'boolean' },
      doors: { type: 'integer', minimum: 2, maximum: 5 },
      plate: { type: 'string' },
    },
    required: ['color', 'parked', 'doors', 'plate'],
    additionalProperties: false,
  });
  expect(first?.text).toContain('one object of the label "car"');
  expect(first?.image.width).toBe(768);
  expect(first?.image.mean[0]).toBeGreaterThan(220);
  expect(second?.image.width).toBe(122);
  expect(second?.image.mean.map(Math.round).slice(0, 3)).toEqual([0, 0, 255]);
});

test('suggests only values that differ from those of the object, and changes nothing', async () => {
  server.state.reply = () => ({ content: JSON.stringify({ ...red, color: 'blue', parked: false }) });
  const { shapes, tags } = await answered();
  expect(tags).toEqual([]);
  expect(shapes.map(({ points, label_id: label }) => [label, points])).toEqual([
    [car.id, left],
    [car.id, right],
  ]);
  expect(shapes.map(valuesOf)).toEqual([
    { doors: '4', plate: 'B 12' },
    { doors: '4', plate: 'B 12' },
  ]);
  const stored = await admin.good('getTaskAnnotations', { params: { id: task.id }, query: {} });
  expect((stored as LabeledData).shapes.map(valuesOf)[0]).toMatchObject({ color: 'blue', doors: '2', plate: '' });
});

test('values outside of the schema are dropped, counted and named with their object', async () => {
  server.state.reply = () => ({ content: JSON.stringify({ color: 'green', parked: 'perhaps', doors: 9, plate: 'X' }) });
  const { shapes, problems } = await answered();
  expect(shapes.map(valuesOf)).toEqual([{ plate: 'X' }, { plate: 'X' }]);
  expect(problems).toHaveLength(6);
  expect(problems?.[0]).toMatch(/^Object \d+ \("car"\): a value was dropped: "green" is not a value of "color"\.$/);
  expect(problems?.[5]).toBe('1 more were dropped.');
});

test('an object whose answer cannot be used is reported, and the others are kept', async () => {
  server.state.reply = ({ image }) => ({ content: (image.mean[0] ?? 0) > 200 ? 'Red, I think.' : JSON.stringify(red) });
  const { shapes, problems } = await answered();
  expect(shapes.map(({ points }) => points)).toEqual([right]);
  expect(problems).toEqual([
    expect.stringMatching(/^Object \d+ \("car"\): .*did not answer in JSON: “Red, I think\.”/),
  ]);
});

test('a call is refused in words if all objects fail or no label has attributes', async () => {
  server.state.reply = () => ({ content: '{"shade":"red"}' });
  expect(await ask()).toMatchObject({
    status: 500,
    body: expect.stringContaining('left out all attributes of "car": “{"shade":"red"}”'),
  });
  expect(await ask({ mapping: { tree: { name: 'tree' } } })).toMatchObject({
    status: 400,
    body: expect.stringContaining('Add an attribute to a label of the task.'),
  });
});

test('an endpoint that became unreachable is asked about one object only', async () => {
  server.state.isLoading = true;
  try {
    expect(await ask()).toMatchObject({ status: 503 });
  } finally {
    server.state.isLoading = false;
  }
});

test('a batch suggests attributes, which annotators then decide on', async () => {
  const body = { function: model, targets: [{ task: task.id }], fill: 'objects' as const };
  const refused = await admin.call('createBatch', { body });
  expect(refused).toMatchObject({ status: 400, body: { results: [expect.stringContaining('only be suggested')] } });
  const { id } = await admin.good('createBatch', { body: { ...body, results: 'suggestions' } });
  await expect
    .poll(() => admin.good('getBatch', { params: { id } }), { timeout: 20_000 })
    .toMatchObject({ state: 'finished', object_count: 3, failed_count: 0 });
  const { results: jobs } = await admin.good('listJobs', { query: { task_id: String(task.id) } });
  const job = { params: { id: jobs[0]!.id } };
  const { results, frames } = await admin.good('listSuggestions', { ...job, query: { frame: 1 } });
  expect(frames).toEqual([
    { frame: 0, count: 2 },
    { frame: 1, count: 1 },
  ]);
  expect(results).toMatchObject([{ kind: 'attributes', shapes: [{ points: left, label_id: car.id }] }]);
  expect(results[0]?.shapes.map(valuesOf)).toEqual([{ color: 'red', parked: 'true', doors: '4', plate: 'B 12' }]);
  const shown = (await admin.good('getTaskAnnotations', { params: { id: task.id }, query: {} })) as LabeledData;
  const [changed, deleted] = shown.shapes.filter(({ frame, label_id: label }) => frame === 0 && label === car.id);
  const edit = (action: 'update' | 'delete', shapes: LabeledData['shapes']) =>
    admin.good('changeTaskAnnotations', { params: { id: task.id }, query: { action }, body: { shapes } });
  const onFirst = async () => {
    const found = await admin.good('listSuggestions', { ...job, query: { frame: 0 } });
    const count = found.frames.find(({ frame }) => frame === 0)?.count ?? 0;
    expect(found.results.flatMap(({ shapes }) => shapes)).toHaveLength(count);
    return count;
  };
  expect(await onFirst()).toBe(2);
  await edit('update', [{ ...changed!, points: [100, 100, 800, 900] }]);
  expect(await onFirst()).toBe(1);
  await edit('update', [changed!]);
  expect(await onFirst()).toBe(2);
  await edit('delete', [deleted!]);
  expect(await onFirst()).toBe(1);
  await admin.good('undoBatch', { params: { id } });
  expect(await admin.good('listSuggestions', { ...job, query: { frame: 1 } })).toEqual({ results: [], frames: [] });
});

test('a model is asked about the first 100 objects of a frame, and the others are named', async () => {
  const full = await admin.rest.taskWithImages({ labels: [{ name: 'car', type: 'rectangle', attributes }] }, [
    { name: 'a.png', bytes: await sharp(halves).resize(200).png().toBuffer() },
  ]);
  const [own] = await admin.rest.labels(full.id);
  await admin.good('changeTaskAnnotations', {
    params: { id: full.id },
    query: { action: 'create' },
    body: { shapes: Array.from({ length: 102 }, (_, at) => box(own!.id, [at, 10, at + 20, 40])) },
  });
  const { shapes, problems } = (
    await admin.call('callLambdaFunction', {
      params: { id: model },
      raw: { task: full.id, frame: 0, fill: 'objects' },
    })
  ).body as Answer;
  expect(server.state.questions).toHaveLength(100);
  expect(shapes).toHaveLength(100);
  expect(problems).toEqual([
    'The frame has 102 objects to fill in. The model was asked about the first 100. Choose fewer labels.',
  ]);
});

test('a batch of a model without attributes is refused for objects', async () => {
  const configuration = JSON.stringify({
    metadata: { name: 'plain', annotations: { type: 'detector', spec: '[{"name":"car","type":"rectangle"}]' } },
    spec: { handler: 'main:handler', runtime: 'python' },
  });
  await admin.good('addEndpoint', { body: { configuration, url: 'http://127.0.0.1:9' } });
  const body = {
    function: 'plain',
    targets: [{ task: task.id }],
    fill: 'objects' as const,
    results: 'suggestions' as const,
  };
  expect(await admin.call('createBatch', { body })).toMatchObject({
    status: 400,
    body: { mapping: [expect.stringContaining('cannot fill in attributes')] },
  });
});
