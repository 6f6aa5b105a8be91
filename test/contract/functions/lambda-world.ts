import sharp from 'sharp';
import { afterAll } from 'vitest';
import type { Job, Task } from '../../../preload/contract/schema/resources.ts';
import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import type { LambdaRequest } from '../../../preload/contract/schema/functions.ts';
import { startPeopleHarness, type Caller } from '../people/people-harness.ts';
import { startFakeDashboard, type FakeDefinition } from './fake-dashboard.ts';

const box = (label: string, points = [1, 2, 5, 6], more: object = {}) => ({
  label,
  type: 'rectangle',
  points,
  confidence: '0.75',
  ...more,
});
const spec = (labels: readonly object[]) => JSON.stringify(labels);

export const skeletonSvg =
  '<circle r="1" cx="10" cy="10" data-type="element node" data-element-id="1" data-node-id="1" data-label-name="nose"></circle>';

const definitions: readonly FakeDefinition[] = [
  {
    name: 'detector',
    description: 'Finds cars',
    annotations: {
      name: 'A detector',
      type: 'detector',
      framework: 'onnx',
      spec: spec([
        { id: 0, name: 'car', type: 'rectangle' },
        { id: 1, name: 'person' },
        {
          id: 2,
          name: 'road',
          type: 'mask',
          attributes: [{ name: 'wet', input_type: 'checkbox', values: ['true', 'false'] }],
        },
        { id: 3, name: 'plant', type: 'rectangle' },
      ]),
    },
    run: () => [box('car'), box('person', [3, 3, 9, 9]), box('plant')],
  },
  {
    name: 'shapes',
    annotations: {
      type: 'detector',
      spec: spec([
        { name: 'car', type: 'any' },
        { name: 'road', type: 'mask' },
        { name: 'scene', type: 'tag' },
        {
          name: 'body',
          type: 'skeleton',
          svg: skeletonSvg,
          sublabels: [
            { id: 1, name: 'nose', type: 'points' },
            { id: 2, name: 'tail', type: 'points' },
          ],
        },
        {
          name: 'number',
          type: 'rectangle',
          attributes: [
            { name: 'age', input_type: 'number', values: ['0', '10', '2'] },
            { name: 'kind', input_type: 'select', values: ['a', 'b'] },
          ],
        },
      ]),
    },
  },
  {
    name: 'reid',
    annotations: { type: 'reid', spec: '' },
    run: ({ boxes0 }) => (boxes0 as unknown[]).map((_box, index) => index),
  },
  {
    name: 'reid-none',
    annotations: { type: 'reid', spec: 'null' },
    run: ({ boxes0 }) => (boxes0 as unknown[]).map(() => -1),
  },
  {
    name: 'interactor',
    annotations: {
      type: 'interactor',
      version: '2',
      min_pos_points: '1',
      min_neg_points: '0',
      startswith_box: 'true',
      startswith_box_optional: 'false',
      help_message: 'Click inside',
      animated_gif: 'https://example.com/a.gif',
    },
    run: () => ({
      shapes: [{ type: 'polygon', points: [0, 0, 4, 0, 4, 4] }],
      mask: [
        [0, 255],
        [255, 255],
      ],
    }),
  },
  {
    name: 'old-tracker',
    annotations: { type: 'tracker' },
    run: ({ shapes, states }) => ({
      shapes: (states as unknown[]).length > 0 ? [[1, 1, 6, 6]] : shapes,
      states: [{ step: (states as { step: number }[])[0]?.step ?? 0 }],
    }),
  },
  {
    name: 'tracker',
    annotations: { type: 'tracker', supported_shape_types: 'rectangle, polygon' },
    run: ({ shapes }) => ({ shapes, states: ['opaque'] }),
  },
  { name: 'building', annotations: { type: 'detector' }, state: 'building' },
  { name: 'failed', annotations: { type: 'detector' }, state: 'error' },
  { name: 'no-type', annotations: { name: 'x' } },
  { name: 'wrong-type', annotations: { type: 'car' } },
  { name: 'unknown-type', annotations: { type: 'unknown' } },
  { name: 'twice', annotations: { type: 'detector', spec: spec([{ name: 'car' }, { name: 'car' }]) } },
  { name: 'empty-shapes', annotations: { type: 'tracker', supported_shape_types: '' } },
];

const taskLabels: readonly LabelWrite[] = [
  { name: 'car', type: 'any' },
  { name: 'person', type: 'rectangle' },
  {
    name: 'road',
    type: 'mask',
    attributes: [{ name: 'wet', mutable: false, input_type: 'checkbox', default_value: 'false', values: [] }],
  },
  { name: 'scene', type: 'tag' },
  { name: 'outline', type: 'polygon' },
  {
    name: 'body',
    type: 'skeleton',
    svg: skeletonSvg,
    sublabels: [
      { name: 'nose', type: 'points' },
      { name: 'tail', type: 'points' },
    ],
  },
  {
    name: 'number',
    type: 'any',
    attributes: [
      { name: 'age', mutable: true, input_type: 'number', default_value: '0', values: ['0', '10', '2'] },
      { name: 'kind', mutable: false, input_type: 'select', default_value: 'a', values: ['a', 'b'] },
      { name: 'note', mutable: false, input_type: 'text', default_value: '', values: [] },
    ],
  },
];

export async function startLambdaWorld() {
  const harness = await startPeopleHarness();
  const dashboard = await startFakeDashboard(definitions);
  harness.core.functions.dashboards.add(
    {
      userId: harness.admin.id,
      username: 'admin',
      group: 'admin',
      organization: { kind: 'all' },
      readOnly: false,
      baseUrl: '',
    },
    { url: dashboard.url, namespace: 'nuclio', project: 'cvat', invoke: 'dashboard' },
  );
  return {
    ...harness,
    dashboard,
    async task(owner: Caller, frames: number, more: object = {}, data: object = {}): Promise<Task> {
      const images = await Promise.all(
        Array.from({ length: frames }, async (_, index) => ({
          name: `frame_${String(index).padStart(3, '0')}.png`,
          bytes: await sharp({ create: { width: 64, height: 48, channels: 3, background: { r: index, g: 90, b: 30 } } })
            .png()
            .toBuffer(),
        })),
      );
      return owner.rest.taskWithImages({ labels: taskLabels, ...more }, images, data);
    },
    jobs: (task: Task): Promise<Job[]> => harness.admin.rest.jobs(task.id),
    async annotate(caller: Caller, body: object): Promise<LambdaRequest> {
      const { id } = await caller.good('createLambdaRequest', { raw: body });
      for (;;) {
        const request = await harness.admin.good('getLambdaRequest', { params: { id } });
        if (request.status === 'finished' || request.status === 'failed') return request;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async stop() {
      await harness.stop();
      await dashboard.stop();
    },
  };
}

/** A world for all tests of a file. */
export async function useLambdaWorld(): Promise<Awaited<ReturnType<typeof startLambdaWorld>>> {
  const world = await startLambdaWorld();
  afterAll(() => world.stop());
  return world;
}
