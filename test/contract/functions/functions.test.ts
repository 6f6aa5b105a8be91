import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { skeletonSvg, startLambdaWorld, useLambdaWorld } from './lambda-world.ts';

const world = await useLambdaWorld();
const user = world.addUser('annotator');
const stranger = world.addUser('stranger');
const task = await world.task(user, 3);
const labels = await user.rest.labels(task.id);
afterEach(() => {
  world.dashboard.only(null);
  world.dashboard.answerWith(null);
  world.dashboard.calls.length = 0;
});

const idOf = (name: string): number => labels.find((label) => label.name === name)?.id ?? 0;
const badRequest = (body: unknown) => ({ status: 400, body });
const call = (id: string, body: object, caller = user) =>
  caller.call('callLambdaFunction', { params: { id }, raw: body });
const ask = (id: string, more: object = {}) => call(id, { task: task.id, frame: 0, ...more });
const detect = async (
  items: unknown,
  more: object = {},
  id = 'shapes',
): Promise<LabeledData & { readonly problems?: readonly string[] }> => {
  world.dashboard.answerWith(() => ({ status: 200, body: typeof items === 'string' ? items : JSON.stringify(items) }));
  const answer = await ask(id, more);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as LabeledData;
};

describe('the list of functions', () => {
  test('contains the valid functions with the keys of their kinds, for every user', async () => {
    for (const caller of [world.admin, user, stranger]) {
      const list = await caller.good('listLambdaFunctions');
      expect(list.map(({ id, kind }) => [id, kind])).toEqual([
        ['detector', 'detector'],
        ['shapes', 'detector'],
        ['reid', 'reid'],
        ['reid-none', 'reid'],
        ['interactor', 'interactor'],
        ['old-tracker', 'tracker'],
        ['tracker', 'tracker'],
      ]);
    }
  });

  test('is empty if there are no functions', async () => {
    world.dashboard.only([]);
    expect(await user.good('listLambdaFunctions')).toEqual([]);
  });

  test('is 503 if the only source is a dashboard that does not answer', async () => {
    const other = await startLambdaWorld();
    await other.dashboard.stop();
    expect((await other.admin.call('listLambdaFunctions')).status).toBe(503);
    await other.stop().catch(() => undefined);
  });
});

describe('one function', () => {
  const get = (id: string, caller = user) => caller.call('getLambdaFunction', { params: { id } });

  test('returns the labels of a detector', async () => {
    expect((await get('detector')).body).toEqual({
      id: 'detector',
      kind: 'detector',
      name: 'A detector',
      description: 'Finds cars',
      version: 1,
      labels_v2: [
        { name: 'car', type: 'rectangle', attributes: [] },
        { name: 'person', type: 'any', attributes: [] },
        {
          name: 'road',
          type: 'mask',
          attributes: [{ name: 'wet', input_type: 'checkbox', values: ['true', 'false'] }],
        },
        { name: 'plant', type: 'rectangle', attributes: [] },
      ],
    });
    const { body } = await get('shapes');
    expect((body as { labels_v2: unknown[] }).labels_v2[3]).toEqual({
      name: 'body',
      type: 'skeleton',
      attributes: [],
      svg: skeletonSvg,
      sublabels: [
        { name: 'nose', type: 'points', attributes: [] },
        { name: 'tail', type: 'points', attributes: [] },
      ],
    });
  });

  test('returns the prompts of an interactor, without loading anything from the network', async () => {
    expect((await get('interactor')).body).toEqual({
      id: 'interactor',
      kind: 'interactor',
      name: 'interactor',
      description: '',
      version: 2,
      labels_v2: [],
      min_pos_points: 1,
      min_neg_points: 0,
      startswith_box: true,
      startswith_box_optional: false,
      help_message: 'Click inside',
      animated_gif: '',
    });
  });

  test('returns the shape types of a tracker', async () => {
    expect((await get('tracker')).body).toMatchObject({ supported_shape_types: ['rectangle', 'polygon'] });
    expect((await get('old-tracker')).body).toMatchObject({ supported_shape_types: ['rectangle'] });
  });

  test.each<[string, (id: string) => Promise<{ readonly status: number }>]>([
    ['is asked for', get],
    ['is called', ask],
    ['is to annotate a task', (id) => user.call('createLambdaRequest', { raw: { function: id, task: task.id } })],
  ])('is 404 if it is missing, and 500 if it is not a model or not ready, when it %s', async (_what, of) => {
    expect((await of('nothing')).status).toBe(404);
    for (const id of ['no-type', 'wrong-type', 'unknown-type', 'twice', 'empty-shapes', 'building', 'failed']) {
      expect([id, (await of(id)).status]).toEqual([id, 500]);
    }
  });
});

describe('a detector on a frame', () => {
  test('answers annotations with labels of the task, their score, and the source auto', async () => {
    const { status, body } = await ask('detector', { frame: 1, cleanup: true, type: 'annotate_frame' });
    expect(status).toBe(200);
    const shape = {
      type: 'rectangle',
      frame: 1,
      group: 0,
      source: 'auto',
      occluded: false,
      outside: false,
      z_order: 0,
      rotation: 0,
      attributes: [],
      score: 0.75,
      elements: [],
    };
    expect(body).toEqual({
      version: 0,
      tags: [],
      shapes: [
        { ...shape, label_id: idOf('car'), points: [1, 2, 5, 6] },
        { ...shape, label_id: idOf('person'), points: [3, 3, 9, 9] },
      ],
      tracks: [],
      intervals: [],
    });
  });

  test('gets the unchanged file of the frame, and a threshold other than 0', async () => {
    await ask('detector', { frame: 2, threshold: 0.4 });
    await ask('detector', { frame: 2, threshold: 0 });
    const [first, second] = world.dashboard.calls;
    expect(first?.payload['threshold']).toBe(0.4);
    expect(Object.keys(second?.payload ?? {})).toEqual(['image']);
    expect(first?.headers['content-type']).toBe('application/json');
    expect(first?.headers).toMatchObject({ 'x-nuclio-path': '/', 'x-nuclio-function-namespace': 'nuclio' });
    const image = String(first?.payload['image']);
    expect(image).not.toMatch(/\s/);
    const sent = Buffer.from(image, 'base64');
    const original = await user.rest.bytes(`/api/tasks/${task.id}/data/?type=frame&quality=original&number=2`);
    expect(sent.equals(original)).toBe(true);
  });

  test.each([
    ['none', undefined],
    ['an empty one', {}],
  ])('matches labels of the same name with %s as mapping', async (_what, mapping) => {
    const { body } = await ask('detector', mapping === undefined ? {} : { mapping });
    expect((body as LabeledData).shapes.map(({ label_id: id }) => id)).toEqual([idOf('car'), idOf('person')]);
  });

  test('maps the named labels and drops the others', async () => {
    const mapping = { plant: { name: 'car' } };
    const { body } = await ask('detector', { mapping });
    expect((body as LabeledData).shapes).toMatchObject([{ label_id: idOf('car') }]);
    const unknown = { label: 'other', type: 'rectangle', points: [0, 0, 1, 1] };
    expect((await detect([unknown], {}, 'detector')).shapes).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['an unknown label of the model', { other: { name: 'car' } }, 'Invalid mapping. Unknown model label "other"'],
    ['an unknown label of the task', { car: { name: 'other' } }, 'Invalid mapping. Unknown db label "other"'],
    [
      'labels that do not fit',
      { car: { name: 'road' } },
      'Invalid mapping. Model label "car" and task label "road" are not compatible',
    ],
    [
      'an unknown attribute of the model',
      { road: { name: 'road', attributes: { dry: 'wet' } } },
      'Invalid mapping. Unknown model attribute "dry"',
    ],
    [
      'an unknown attribute of the task',
      { road: { name: 'road', attributes: { wet: 'dry' } } },
      'Invalid mapping. Unknown db attribute "dry"',
    ],
  ])('answers 400 to a mapping with %s', async (_what, mapping, message) => {
    expect(await ask('detector', { mapping })).toMatchObject(badRequest(message));
    expect(world.dashboard.calls).toEqual([]);
  });

  test('answers 400 to a skeleton without its points in the mapping', async () => {
    const answer = await ask('shapes', { mapping: { body: { name: 'body' } } });
    expect(answer).toMatchObject(badRequest('Mapping for elements was not specified in skeleton "body"'));
  });
});

describe('results of a detector', () => {
  test('converts masks to run lengths', async () => {
    const mask = [255, 255, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 0, 0, 2, 3];
    const { shapes } = await detect([
      { label: 'road', type: 'mask', mask, points: [0, 0, 2, 0, 2, 3], confidence: null },
    ]);
    expect(shapes).toMatchObject([{ type: 'mask', points: [0, 2, 2, 2, 2, 2, 2, 0, 0, 2, 3], score: 1 }]);
  });

  test('converts masks to polygons on request, or if the label accepts nothing else', async () => {
    const mask = [255, 255, 255, 255, 10, 10, 11, 11];
    const points = [10, 10, 12, 10, 12, 12];
    const road = { label: 'road', type: 'mask', mask, points };
    const wanted = await detect([road], { conv_mask_to_poly: true, mapping: { road: { name: 'car' } } });
    expect(wanted.shapes).toMatchObject([{ type: 'polygon', points, label_id: idOf('car') }]);
    const masksOnly = await detect([road], { conv_mask_to_poly: true });
    expect(masksOnly.shapes).toMatchObject([{ type: 'mask', label_id: idOf('road') }]);
    const mapped = await detect([{ label: 'road', type: 'mask', mask }], { mapping: { road: { name: 'outline' } } });
    expect(mapped.shapes).toMatchObject([{ type: 'polygon', label_id: idOf('outline') }]);
    expect(mapped.shapes[0]?.points.length).toBeGreaterThanOrEqual(6);
  });

  test('converts polygons to masks if the label accepts nothing else, and skips shapes that its label cannot have', async () => {
    const ring = { label: 'road', type: 'polygon', points: [10, 10, 14, 10, 14, 13, 10, 13] };
    const box = { label: 'road', type: 'rectangle', points: [1, 1, 5, 5] };
    const { shapes } = await detect([ring, box, { label: 'road', type: 'tag' }]);
    expect(shapes).toMatchObject([{ type: 'mask', points: [0, 12, 10, 10, 13, 12], label_id: idOf('road') }]);
  });

  test('completes skeletons: missing points are outside, at the centre', async () => {
    const element = (label: string, x: number, y: number, outside = 0) => ({
      label,
      type: 'points',
      points: [x, y],
      outside,
      confidence: '0.5',
    });
    const { shapes } = await detect([
      { label: 'body', type: 'skeleton', elements: [element('nose', 10, 20)] },
      { label: 'body', type: 'skeleton', elements: [element('nose', 10, 20, 1), element('tail', 1, 1, 1)] },
      { label: 'body', type: 'skeleton', elements: [] },
    ]);
    expect(shapes).toHaveLength(1);
    expect(shapes[0]).toMatchObject({ type: 'skeleton', points: [] });
    expect(shapes[0]?.elements).toMatchObject([
      { type: 'points', points: [10, 20], outside: false, score: 0.5 },
      { type: 'points', points: [10, 20], outside: true },
    ]);
  });

  test('imports tags, groups, rotation and other shapes', async () => {
    const { tags, shapes } = await detect([
      { label: 'scene', type: 'tag', confidence: '0.9' },
      { label: 'car', type: 'polygon', points: [0, 0, 4, 0, 4, 4], group_id: 7 },
      {
        label: 'car',
        type: 'rectangle',
        points: [
          [0, 0],
          [4, 4],
        ],
        rotation: -30,
      },
      { label: 'car', type: 'ellipse', points: [5, 5, 8, 2], outside: true },
    ]);
    expect(tags).toMatchObject([{ label_id: idOf('scene'), source: 'auto', frame: 0 }]);
    expect(shapes).toMatchObject([
      { type: 'polygon', group: 7 },
      { type: 'rectangle', points: [0, 0, 4, 4], rotation: 330 },
      { type: 'ellipse', outside: true },
    ]);
  });

  test('drops invalid values of attributes', async () => {
    const mapping = { number: { name: 'number', attributes: { age: 'age', kind: 'kind' } } };
    const number = labels.find(({ name }) => name === 'number');
    const [age, kind] = number?.attributes ?? [];
    const values = async (given: Record<string, string>) => {
      const attributes = Object.entries(given).map(([name, value]) => ({ name, value }));
      const item = { label: 'number', type: 'rectangle', points: [0, 0, 1, 1], attributes };
      return (await detect([item], { mapping })).shapes[0]?.attributes;
    };
    expect(await values({ age: '4', kind: 'b' })).toEqual([
      { spec_id: age?.id, value: '4' },
      { spec_id: kind?.id, value: 'b' },
    ]);
    for (const value of ['5', '12', '-2', 'old', '4.5']) expect(await values({ age: value })).toEqual([]);
    expect(await values({ kind: 'c', other: 'b' })).toEqual([]);
  });

  test('stores confidence in any form as score', async () => {
    const scores = async (text: string) => (await detect(text)).shapes.map(({ score }) => score);
    const item = (confidence: string) =>
      `{"label":"car","type":"rectangle","points":[0,0,1,1],"confidence":${confidence}}`;
    expect(await scores(`[${['"0.25"', '0.5', 'null', '1.0000001'].map(item).join(',')}]`)).toEqual([0.25, 0.5, 1, 1]);
  });

  test('skips a result whose confidence is not a number from 0 to 1', async () => {
    const wrong = ['NaN', 'Infinity', '-0.5', '7', '"x"', '"nan"', '[0.5]', 'true'];
    const items = ['0.5', ...wrong].map(
      (confidence) => `{"label":"car","type":"rectangle","points":[0,0,1,1],"confidence":${confidence}}`,
    );
    expect((await detect(`[${items.join(',')}]`)).shapes).toMatchObject([{ score: 0.5 }]);
  });

  test('clips shapes at the image, sorts corners, and skips shapes outside', async () => {
    const car = (type: string, points: readonly number[], more: object = {}) => ({
      label: 'car',
      type,
      points,
      ...more,
    });
    const { shapes } = await detect([
      car('rectangle', [-3, 5, 30, 50.5]),
      car('rectangle', [30, 20, 10, 8]),
      car('rectangle', [70, 5, 90, 20]),
      car('polygon', [60, 10, 70, 10, 70, 20, 60, 20]),
      car('polygon', [0, 50, 10, 50, 10, 60]),
      { label: 'road', type: 'mask', mask: [1, 1, 1, 1, 63, 47, 64, 48] },
      {
        label: 'body',
        type: 'skeleton',
        elements: [
          { label: 'nose', type: 'points', points: [10, 10] },
          { label: 'tail', type: 'points', points: [90, 10] },
        ],
      },
    ]);
    expect(shapes.map(({ type, points }) => [type, ...points])).toEqual([
      ['rectangle', 0, 5, 30, 48],
      ['rectangle', 10, 8, 30, 20],
      ['polygon', 60, 10, 64, 10, 64, 20, 60, 20],
      ['mask', 0, 1, 63, 47, 63, 47],
      ['skeleton'],
    ]);
    expect(shapes.at(-1)?.elements.map(({ points, outside }) => [...points, outside])).toEqual([
      [10, 10, false],
      [64, 10, true],
    ]);
  });

  test('skips invalid results and keeps the valid ones', async () => {
    const { shapes, problems } = await detect(
      `[{"label":"car","type":"rectangle","points":[0,0,NaN,1]}, {"label":"car","type":"blob","points":[0,0]}, 7, null,
        {"label":"car","type":"rectangle"}, {"label":"road","type":"mask","mask":[1,2,3]}, {"label":"road","type":"mask","mask":[0,0,0,1,0]},
        {"label":"car","type":"rectangle","points":[-500,0,99999,1]}]`,
    );
    expect(shapes).toMatchObject([{ points: [0, 0, 64, 1] }]);
    expect(problems?.join(' ')).toMatch(/blob/);
    expect(await detect('[]')).not.toHaveProperty('problems');
  });
});

describe('a region of the image', () => {
  const roi = [11, 13, 31, 43];

  test('sends only the region to a detector, and moves its results back', async () => {
    const { body } = await ask('detector', { roi });
    expect((body as LabeledData).shapes.map(({ points }) => points)).toEqual([
      [12, 15, 16, 19],
      [14, 16, 20, 22],
    ]);
    const image = Buffer.from(String(world.dashboard.calls[0]?.payload['image']), 'base64');
    expect(await sharp(image).metadata()).toMatchObject({ width: 20, height: 30, format: 'png' });
  });

  test('moves only the box of masks, and the points of skeletons', async () => {
    const { shapes } = await detect(
      [
        { label: 'road', type: 'mask', mask: [255, 255, 0, 0, 1, 0] },
        { label: 'body', type: 'skeleton', elements: [{ label: 'nose', type: 'points', points: [1, 1] }] },
      ],
      { roi },
    );
    expect(shapes[0]?.points).toEqual([0, 2, 11, 13, 12, 13]);
    expect(shapes[1]?.elements[0]?.points).toEqual([12, 14]);
  });

  test('sends an interactor its points within the region, and moves its answer back', async () => {
    const { body } = await ask('interactor', {
      roi,
      pos_points: [[12, 14]],
      neg_points: [[20, 20]],
      obj_bbox: [
        [11, 13],
        [21, 23],
      ],
      text_prompts: ['a car'],
    });
    expect(world.dashboard.calls[0]?.payload).toMatchObject({
      pos_points: [[1, 1]],
      neg_points: [[9, 7]],
      obj_bbox: [
        [0, 0],
        [10, 10],
      ],
      text_prompts: ['a car'],
    });
    const answer = body as { shapes: { points: number[] }[]; mask: number[][] };
    expect(answer.shapes[0]?.points).toEqual([11, 13, 15, 13, 15, 17]);
    expect([answer.mask.length, answer.mask[0]?.length]).toEqual([48, 64]);
    expect([answer.mask[13]?.[11], answer.mask[13]?.[12], answer.mask[14]?.[11], answer.mask[0]?.[0]]).toEqual([
      0, 255, 255, 0,
    ]);
  });

  test.each<[string, unknown, RegExp]>([
    ['three numbers', [1, 2, 3], /must contain four integer coordinates/],
    ['a text', '1,2,3,4', /must contain four integer coordinates/],
    ['fractions', [0.5, 0, 4, 4], /must contain four integer coordinates/],
    ['a negative corner', [-1, 0, 4, 4], /must be non-negative/],
    ['no size', [4, 4, 4, 9], /size must be positive/],
    ['more than the image', [0, 0, 65, 48], /outside the image/],
  ])(
    'answers 400 to %s for one frame and for the whole task, without calling the function',
    async (_what, wrong, message) => {
      const refusal = badRequest(expect.stringMatching(message));
      expect(await ask('detector', { roi: wrong })).toMatchObject(refusal);
      const raw = { function: 'detector', task: task.id, roi: wrong };
      expect(await user.call('createLambdaRequest', { raw })).toMatchObject(refusal);
      expect(world.dashboard.calls).toEqual([]);
    },
  );

  test('is refused for other kinds', async () => {
    const answer = await ask('tracker', { shapes: [], roi });
    expect(answer).toMatchObject(badRequest('ROI is not supported for tracker functions'));
  });
});

describe('an interactor', () => {
  test('gets the prompts, and its answer is returned unchanged', async () => {
    const prompts = { pos_points: [[1, 2]], neg_points: [], obj_bbox: null };
    const { status, body } = await ask('interactor', prompts);
    expect(status).toBe(200);
    expect(body).toEqual({
      shapes: [{ type: 'polygon', points: [0, 0, 4, 0, 4, 4] }],
      mask: [
        [0, 255],
        [255, 255],
      ],
    });
    const { image: _image, ...fields } = world.dashboard.calls[0]?.payload ?? {};
    expect(fields).toEqual(prompts);
  });

  test.each(['pos_points', 'neg_points', 'frame'])('answers 400 without %s', async (name) => {
    const body = { task: task.id, frame: 0, pos_points: [], neg_points: [], [name]: undefined };
    const message = `\`interactor\` lambda function was called without mandatory argument: ${name}`;
    expect(await call('interactor', body)).toMatchObject(badRequest(message));
  });
});

describe('a tracker', () => {
  const track = async (id: string, body: object) =>
    (await ask(id, body)).body as { shapes: unknown[]; states: string[] };

  test('gets shapes with their types in the newer protocol, then the states of its previous answer', async () => {
    const shapes = [{ type: 'polygon', points: [0, 0, 4, 0, 4, 4] }];
    const first = await track('tracker', { shapes });
    expect(first.shapes).toEqual(shapes);
    expect(world.dashboard.calls[0]?.payload).toMatchObject({ shapes, states: [] });
    await track('tracker', { frame: 1, states: first.states });
    expect(world.dashboard.calls[1]?.payload).toMatchObject({ shapes: [null], states: ['opaque'] });
  });

  test('gets bare points in the older protocol, and its answer gets a type', async () => {
    const first = await track('old-tracker', { shapes: [{ type: 'rectangle', points: [0, 0, 4, 4] }] });
    expect(world.dashboard.calls[0]?.payload).toMatchObject({ shapes: [[0, 0, 4, 4]], states: [] });
    expect(first.shapes).toEqual([{ type: 'rectangle', points: [0, 0, 4, 4] }]);
    const next = await track('old-tracker', { frame: 1, states: first.states });
    expect(next.shapes).toEqual([{ type: 'rectangle', points: [1, 1, 6, 6] }]);
  });

  test('answers 400 to states of another function, changed states and old states', async () => {
    const { states } = await track('tracker', { shapes: [{ type: 'rectangle', points: [0, 0, 4, 4] }] });
    const [state = ''] = states;
    for (const [id, wrong] of [
      ['old-tracker', state],
      ['tracker', `${state}x`],
      ['tracker', 'nonsense'],
      ['tracker', state.replace(/^\d+/, '1')],
    ] as const) {
      const answer = await ask(id, { frame: 1, states: [wrong] });
      expect(answer).toMatchObject(badRequest('Invalid or expired tracker state'));
    }
  });

  test('answers 400 to unknown shapes', async () => {
    const answer = await ask('tracker', { shapes: [{ type: 'points', points: [1, 1] }] });
    expect(answer).toMatchObject(badRequest("This function does not support shapes of type 'points'"));
  });
});

describe('a function that matches boxes', () => {
  const boxes = [{ type: 'rectangle', points: [0, 0, 1, 1], label_id: 1 }];

  test('gets two frames, and its answer is returned unchanged', async () => {
    const body = { task: task.id, frame0: 0, frame1: 1, boxes0: boxes, boxes1: boxes, max_distance: 50 };
    expect(await call('reid', body)).toMatchObject({ status: 200, body: [0] });
    expect(await call('reid-none', body)).toMatchObject({ status: 200, body: [-1] });
    const { payload } = world.dashboard.calls[0] ?? { payload: {} };
    expect(Object.keys(payload)).toEqual(['image0', 'image1', 'boxes0', 'boxes1', 'max_distance']);
  });

  test('answers 400 without boxes', async () => {
    expect((await call('reid', { task: task.id, frame0: 0, frame1: 1, boxes0: [] })).status).toBe(400);
  });
});

describe('invalid calls', () => {
  test('answers 400 to an empty body, a missing task and an unknown task', async () => {
    for (const body of [
      {},
      { frame: 0 },
      { task: 99_999, frame: 0 },
      { task: 'x', frame: 0 },
      { job: 99_999, frame: 0 },
    ]) {
      const answer = await call('detector', body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatch(/^`detector` lambda function was run with wrong arguments \(/);
    }
  });

  test('answers 400 to a missing or unknown frame', async () => {
    const message = '`detector` lambda function was called without mandatory argument: frame';
    expect(await call('detector', { task: task.id })).toMatchObject(badRequest(message));
    for (const frame of [3, -1, 'x', 1.5]) expect((await call('detector', { task: task.id, frame })).status).toBe(400);
  });

  test("returns the function's own failure with its status and message", async () => {
    for (const status of [400, 404, 408, 413, 500, 503]) {
      world.dashboard.answerWith(() => ({ status, body: 'the tensor is missing' }));
      const answer = await ask('detector');
      expect(answer.status).toBe(status);
      expect(answer.body).toContain('the tensor is missing');
    }
  });

  test("answers 500 if the function's answer is not a JSON list, and 503 if the connection breaks", async () => {
    for (const body of ['garbage', '{"a":1}', '"text"', '']) {
      world.dashboard.answerWith(() => ({ status: 200, body }));
      expect([body, (await ask('detector')).status]).toEqual([body, 500]);
    }
    world.dashboard.answerWith(() => 'reset');
    expect((await ask('detector')).status).toBe(503);
  });
});

test("counts frames of a job like its task does, and accepts only the job's frames", async () => {
  const whole = await world.task(user, 6, { segment_size: 3 });
  const [, second] = await world.jobs(whole);
  expect((await call('detector', { job: second?.id, frame: 3 })).status).toBe(200);
  expect((await call('detector', { task: whole.id, job: second?.id, frame: 5 })).status).toBe(200);
  const outside = badRequest('The frame is outside the job range');
  expect(await call('detector', { job: second?.id, frame: 2 })).toMatchObject(outside);
  const elsewhere = badRequest('Job task ID does not match task ID');
  expect(await call('detector', { task: task.id, job: second?.id, frame: 3 })).toMatchObject(elsewhere);
});
