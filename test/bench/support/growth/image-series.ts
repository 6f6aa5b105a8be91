import { ApiError } from '../../../support/client.ts';
import { series } from './series.ts';
import { createTask, makeBoxes, type TaskWorld } from './worlds.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

interface Images {
  readonly inPlace: TaskWorld;
  readonly copied: TaskWorld;
  readonly shared: string;
}

const meta = ({ client }: ServiceUnderTest, { jobId }: TaskWorld) => client.bytes(`/api/jobs/${jobId}/data/meta`);

let turn = 0;
/** Deletes or restores one frame. Versions without an operation for one frame replace the set of deleted frames. */
async function toggleFrame({ client }: ServiceUnderTest, { jobId, frames }: TaskWorld): Promise<void> {
  turn += 1;
  const deleted = turn % 2 === 1;
  const frame = Math.floor(frames / 2);
  const answer = await client.call('PATCH', `/api/limner/jobs/${jobId}/frames/${frame}`, { json: { deleted } });
  if (answer.status < 300) return;
  if (answer.status !== 404) throw new ApiError(answer.status, answer.body);
  await client.good('GET', `/api/jobs/${jobId}/data/meta`);
  await client.good('PATCH', `/api/jobs/${jobId}/data/meta`, { json: { deleted_frames: deleted ? [frame] : [] } });
}

export const imageSeries = series<Images>({
  name: 'Images of a task',
  unit: 'images',
  short: [1000, 8000, 64_000],
  long: [4000, 16_000, 100_000],
  prepare: async (service, frames, shared) => ({
    inPlace: await createTask(service, shared, { frames }),
    copied: await createTask(service, shared, { frames, isCopied: true }),
    shared,
  }),
  operations: [
    {
      name: 'create a task, in place',
      run: ({ inPlace, shared }, service) => createTask(service, shared, { frames: inPlace.frames }),
    },
    { name: 'open the job, copied', run: ({ copied }, service) => meta(service, copied), times: 5 },
    { name: 'open the job, in place', run: ({ inPlace }, service) => meta(service, inPlace), times: 5 },
    { name: 'delete one frame, copied', run: ({ copied }, service) => toggleFrame(service, copied), times: 10 },
    { name: 'delete one frame, in place', run: ({ inPlace }, service) => toggleFrame(service, inPlace), times: 10 },
    {
      name: 'create a shape on the last frame',
      run: ({ inPlace }, { client }) =>
        client.changeAnnotations('jobs', inPlace.jobId, 'create', {
          shapes: makeBoxes(1, inPlace, inPlace.frames - 1),
        }),
      times: 20,
    },
    {
      name: 'list of tasks',
      run: (_, { client }) => client.good('GET', '/api/tasks?page_size=50'),
      times: 20,
    },
    {
      name: 'delete the task',
      run: async ({ inPlace }, { client }) => client.good('DELETE', `/api/tasks/${inPlace.taskId}`),
    },
  ],
});

export const uploadSeries = series<{ readonly taskId: number; readonly count: number }>({
  name: 'Resumable uploads of a task',
  unit: 'uploads',
  short: [250, 1000, 4000],
  long: [16_000],
  async prepare({ client }, count) {
    const { id: taskId } = await client.createTask({ name: 'uploads', labels: [{ name: 'thing' }] });
    await client.good('POST', `/api/tasks/${taskId}/data/`, { headers: { 'Upload-Start': '' } });
    return { taskId, count };
  },
  operations: [
    {
      name: 'begin all uploads',
      async run({ taskId, count }, { client }) {
        for (let index = 0; index < count; index += 1) {
          const headers = {
            'Tus-Resumable': '1.0.0',
            'Upload-Length': '1000',
            'Upload-Metadata': `filename ${Buffer.from(`${index}.jpg`).toString('base64')}`,
          };
          await client.good('POST', `/api/tasks/${taskId}/data/`, { headers });
        }
      },
    },
  ],
});
