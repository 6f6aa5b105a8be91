import { ApiError } from '../../../support/client.ts';
import { series } from './series.ts';
import type { ServiceUnderTest } from './service-under-test.ts';
import { boxAt, createTask, createTracks, exportOf, type TaskWorld } from './worlds.ts';

const limner = (part: string) => (world: TaskWorld, service: ServiceUnderTest) =>
  service.client.bytes(`/api/limner/jobs/${world.jobId}/${part}`);
const search = ({ jobId }: TaskWorld, { client }: ServiceUnderTest) =>
  client.good('POST', `/api/limner/jobs/${jobId}/frames/search`, {
    json: { filter: { '==': [{ var: 'label' }, 'thing'] } },
  });
const readWindow = ({ jobId }: TaskWorld, { client }: ServiceUnderTest) =>
  client.bytes(`/api/jobs/${jobId}/annotations/?frame=500&to_frame=510`);

interface Keyframes extends TaskWorld {
  readonly trackId: number;
}

/** Moves one keyframe. Versions without an operation for one keyframe send the complete track. */
async function moveKeyframe({ jobId, trackId, frames }: Keyframes, { client }: ServiceUnderTest): Promise<void> {
  const frame = Math.floor(frames / 2);
  const path = `/api/limner/jobs/${jobId}/tracks/${trackId}/keyframes/${frame}`;
  const answer = await client.call('PUT', path, { json: { type: 'rectangle', points: boxAt(frame) } });
  if (answer.status < 300) return;
  if (answer.status !== 404) throw new ApiError(answer.status, answer.body);
  const { tracks } = await client.annotations('jobs', jobId);
  await client.changeAnnotations('jobs', jobId, 'update', { tracks });
}

export const keyframeSeries = series<Keyframes>({
  name: 'Keyframes of one track',
  unit: 'keyframes',
  short: [1000, 10_000, 100_000],
  long: [],
  async prepare(service, frames, shared) {
    const world = await createTask(service, shared, { frames });
    await createTracks(service, world, { tracks: 1, every: 1 });
    const { tracks } = await service.client.annotations('jobs', world.jobId, 0);
    return { ...world, trackId: tracks[0]?.id ?? 0 };
  },
  operations: [
    { name: 'move one keyframe', run: moveKeyframe, times: 3 },
    { name: 'progress, one track', run: limner('progress') },
    { name: 'statistics, one track', run: limner('statistics') },
    { name: 'search, one track', run: search },
    { name: 'read 11 frames with the track', run: readWindow },
    { name: 'export CVAT video, one track', run: exportOf('CVAT for video 1.1') },
  ],
});

const frames = 10_000;
const every = 100;

export const trackSeries = series<TaskWorld>({
  name: 'Tracks over 10,000 frames, a keyframe every 100',
  unit: 'tracks',
  short: [10, 100, 1000],
  long: [300],
  async prepare(service, tracks, shared) {
    const world = await createTask(service, shared, { frames });
    await createTracks(service, world, { tracks, every });
    return world;
  },
  operations: [
    {
      name: 'read one frame without tracks',
      run: ({ jobId }, { client }) => client.bytes(`/api/jobs/${jobId}/annotations/?frame=500&without=tracks`),
      times: 20,
    },
    { name: 'progress', run: limner('progress') },
    { name: 'statistics', run: limner('statistics') },
    { name: 'search', run: search },
    { name: 'read 11 frames with tracks', run: readWindow },
    { name: 'export CVAT video', run: exportOf('CVAT for video 1.1'), shortUpTo: 100 },
    { name: 'export COCO of tracks', run: exportOf('COCO 1.0'), shortUpTo: 10 },
    { name: 'export MOT', run: exportOf('MOT 1.1'), shortUpTo: 10 },
  ],
});

export const trackJobsSeries = series<TaskWorld & { readonly jobs: number; readonly shared: string }>({
  name: 'Jobs of a task with 100 tracks over 10,000 frames',
  unit: 'jobs',
  short: [1, 50, 500],
  long: [5000],
  prepare: async (service, jobs, shared) => ({
    ...(await createTask(service, shared, { frames, jobs })),
    jobs,
    shared,
  }),
  operations: [
    { name: 'create 100 tracks', run: (world, service) => createTracks(service, world, { tracks: 100, every }) },
    {
      name: 'statistics of the task',
      run: ({ taskId }, { client }) => client.good('GET', `/api/limner/tasks/${taskId}/statistics`),
    },
    { name: 'read all tracks', run: ({ taskId }, { client }) => client.bytes(`/api/tasks/${taskId}/annotations/`) },
    { name: 'export CVAT video of the task', run: exportOf('CVAT for video 1.1') },
  ],
});
