import { setTimeout as sleep } from 'node:timers/promises';
import { series } from './series.ts';
import type { ServiceUnderTest } from './service-under-test.ts';
import { createTask, makeBoxes, request, type TaskWorld } from './worlds.ts';

const frames = 500;
const perRequest = 20_000;

async function fill({ client }: ServiceUnderTest, jobId: number, world: TaskWorld, count: number): Promise<void> {
  for (let at = 0; at < count; at += perRequest) {
    const shapes = makeBoxes(Math.min(perRequest, count - at), world, at);
    await client.changeAnnotations('jobs', jobId, 'create', { shapes });
  }
}

interface Review extends TaskWorld {
  readonly predictions: number;
}

export const qualitySeries = series<Review>({
  name: 'Quality and evaluation on 500 frames',
  unit: 'shapes',
  short: [5000, 10_000, 20_000],
  long: [100_000],
  async prepare(service, count, shared) {
    const { client } = service;
    const world = await createTask(service, shared, { frames });
    await fill(service, world.jobId, world, count);
    const json = {
      type: 'ground_truth',
      task_id: world.taskId,
      frame_selection_method: 'manual',
      frames: Array.from({ length: frames }, (_, frame) => frame),
    };
    const truth = await client.good<{ id: number }>('POST', '/api/jobs', { json });
    await fill(service, truth.id, world, count);
    await client.good('PATCH', `/api/jobs/${truth.id}`, { json: { stage: 'acceptance', state: 'completed' } });
    const predictionsPath = `/api/limner/tasks/${world.taskId}/predictions`;
    const set = await client.good<{ id: number }>('POST', predictionsPath, { json: { name: 'a model' } });
    for (let at = 0; at < count; at += perRequest) {
      const shapes = makeBoxes(Math.min(perRequest, count - at), world, at).map((shape) => ({ ...shape, score: 0.5 }));
      await client.good('POST', `/api/limner/predictions/${set.id}/objects`, { json: { shapes } });
    }
    await client.good('PATCH', `/api/limner/predictions/${set.id}`, { json: { state: 'ready' } });
    return { ...world, predictions: set.id };
  },
  operations: [
    {
      name: 'quality report',
      run: ({ taskId }, service) => request(service, '/api/quality/reports', { task_id: taskId }),
    },
    {
      name: 'evaluation',
      run: ({ taskId, predictions }, service) =>
        request(service, '/api/limner/evaluations', {
          name: 'a model',
          task_id: taskId,
          kind: 'bbox',
          predictions: [predictions],
        }),
    },
  ],
});

const replicas = 2;

export const consensusSeries = series<TaskWorld>({
  name: 'Consensus of two replicas on 500 frames',
  unit: 'shapes',
  short: [5000, 10_000, 20_000],
  long: [100_000],
  async prepare(service, count, shared) {
    const world = await createTask(service, shared, { frames }, { consensus_replicas: replicas });
    const jobs = await service.client.jobs(world.taskId);
    for (const { id, type } of jobs) {
      if (type === 'consensus_replica') await fill(service, id, world, count);
    }
    const parent = jobs.find(({ type }) => type === 'annotation');
    return { ...world, jobId: parent?.id ?? 0 };
  },
  operations: [
    {
      name: 'agreement of the annotators',
      run: ({ taskId }, { client }) => client.good('GET', `/api/limner/tasks/${taskId}/agreement`),
    },
    {
      name: 'consensus merge',
      run: ({ taskId }, service) => request(service, '/api/consensus/merges', { task_id: taskId }),
    },
  ],
});

const eventsPerRequest = 1000;

export const analyticsSeries = series<null>({
  name: 'Analytics',
  unit: 'events',
  short: [10_000, 40_000, 160_000],
  long: [1_000_000],
  async prepare({ client }, count) {
    await client.good('PATCH', '/api/limner/analytics', { json: { enabled: true } });
    for (let at = 0; at < count; at += eventsPerRequest) {
      const now = Date.now();
      const events = Array.from({ length: Math.min(eventsPerRequest, count - at) }, (_, index) => ({
        scope: 'change:frame',
        source: 'client',
        timestamp: new Date(now - index * 1000).toISOString(),
        duration: 200,
        count: 1,
      }));
      await client.good('POST', '/api/events', { json: { events, timestamp: new Date(now).toISOString() } });
    }
    return null;
  },
  operations: [
    {
      name: 'analytics report',
      run: (_, { client }) => client.good('GET', '/api/limner/analytics/report', { query: periodOf() }),
    },
    {
      name: 'export of events',
      run: (_, service) => request(service, '/api/events/export'),
    },
  ],
});

const dayMs = 86_400_000;
function periodOf() {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { from: day(Date.now() - 30 * dayMs), to: day(Date.now() + dayMs), time_zone: 'Europe/Berlin' };
}

const agent = { agent_id: 'an agent' };

export const nativeSeries = series<TaskWorld & { readonly functionId: number }>({
  name: 'Native function on all frames of a task',
  unit: 'frames',
  short: [250, 1000, 4000],
  long: [16_000],
  async prepare(service, count, shared) {
    const world = await createTask(service, shared, { frames: count });
    const json = {
      provider: 'native',
      name: 'finds things',
      visibility: 'public',
      kind: 'detector',
      labels_v2: [{ name: 'thing', type: 'rectangle', attributes: [] }],
    };
    const { id: functionId } = await service.client.good<{ id: number }>('POST', '/api/functions', { json });
    return { ...world, functionId };
  },
  operations: [
    {
      name: 'run a native function',
      async run({ taskId, labelId, functionId, frames: count }, { client }) {
        const json = { function: `native:${functionId}`, task: taskId };
        await client.good('POST', '/api/lambda/requests', { json });
        const queue = `/api/functions/queues/function:${functionId}/requests`;
        for (let answered = 0; answered < count;) {
          const { ar_assignment: taken } = await client.good<{
            ar_assignment: { ar_id: string; ar_params: { frame: number } } | null;
          }>('POST', `${queue}/acquire`, { json: { ...agent, request_category: 'batch' } });
          if (taken === null) await sleep(5);
          else {
            const shapes = makeBoxes(10, { frames: 1, labelId }).map((shape) => ({
              ...shape,
              frame: taken.ar_params.frame,
            }));
            await client.good('POST', `${queue}/${taken.ar_id}/complete`, {
              json: { ...agent, annotations: { tags: [], shapes } },
            });
            answered += 1;
          }
        }
      },
    },
  ],
});
