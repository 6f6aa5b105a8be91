import { setTimeout as sleep } from 'node:timers/promises';
import { series } from './series.ts';
import { untilAtRest } from './service-process.ts';
import { boxAt, createTask, exportOf, importBoxes, makeBoxes, type TaskWorld } from './worlds.ts';

const frames = 10_000;
const shapes = 100_000;

interface Jobs extends TaskWorld {
  readonly shared: string;
}

export const jobSeries = series<Jobs>({
  name: 'Jobs of a task with 10,000 frames',
  unit: 'jobs',
  short: [1, 100, 1000, 5000],
  long: [10],
  prepare: async (service, jobs, shared) => ({ ...(await createTask(service, shared, { frames, jobs })), shared }),
  operations: [
    { name: 'import 100,000 shapes', run: (world, service) => importBoxes(service, world.shared, world, shapes) },
    {
      name: 'create a shape in a job',
      run: (world, { client }) =>
        client.changeAnnotations('jobs', world.jobId, 'create', { shapes: makeBoxes(1, { ...world, frames: 1 }) }),
      times: 20,
    },
    {
      name: 'create a shape in the task',
      run: (world, { client }) =>
        client.changeAnnotations('tasks', world.taskId, 'create', { shapes: makeBoxes(1, world) }),
      times: 10,
    },
    {
      name: 'read one frame of the task',
      run: ({ taskId }, { client }) => client.bytes(`/api/tasks/${taskId}/annotations/?frame=5000`),
      times: 10,
    },
    {
      name: 'create a track in the task',
      run: ({ taskId, labelId }, { client }) =>
        client.changeAnnotations('tasks', taskId, 'create', {
          tracks: [{ frame: 0, label_id: labelId, shapes: [{ type: 'rectangle', frame: 0, points: boxAt(0) }] }],
        }),
      times: 3,
    },
    { name: 'export COCO of the task', run: exportOf('COCO 1.0') },
    {
      name: 'list of the jobs',
      run: ({ taskId }, { client }) => client.good('GET', `/api/jobs?task_id=${taskId}&page_size=50`),
      times: 10,
    },
  ],
});

const removedFrames = 1000;
/** The service waits a second before it removes shapes. */
const removalStartsMs = 1500;
const restWindows = 12;

const removalOf = (name: string, removed: number, others: number) =>
  series<TaskWorld>({
    name,
    unit: 'jobs',
    short: [50, 200, 800],
    long: [],
    async prepare(service, jobs, shared) {
      if (others > 0)
        await importBoxes(service, shared, await createTask(service, shared, { frames: removedFrames }), others);
      const world = await createTask(service, shared, { frames: removedFrames, jobs });
      await importBoxes(service, shared, world, removed);
      return world;
    },
    operations: [
      {
        name: 'delete the task, until its shapes are removed',
        isMostlyWaiting: true,
        async run({ taskId }, { client, server }) {
          await client.good('DELETE', `/api/tasks/${taskId}`);
          await sleep(removalStartsMs);
          await untilAtRest(server.pid, restWindows);
        },
      },
    ],
  });

export const removalSeries = removalOf('Deletion of a task with 20,000 shapes beside 300,000 others', 20_000, 300_000);
export const largeRemovalSeries = removalOf('Deletion of a task with 300,000 shapes', 300_000, 0);
