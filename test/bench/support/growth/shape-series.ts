import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { series } from './series.ts';
import type { ServiceUnderTest } from './service-under-test.ts';
import { createTask, exportOf, importBoxes, makeBoxes, request, type TaskWorld } from './worlds.ts';

interface Shapes extends TaskWorld {
  readonly count: number;
  readonly shared: string;
}

const frames = 1000;
const limner = (part: string) => (world: TaskWorld, service: ServiceUnderTest) =>
  service.client.bytes(`/api/limner/jobs/${world.jobId}/${part}`);

/** Sends the answer of a read unchanged, as text, because parsing it here would delay only the bench. */
async function put({ jobId, shared }: Shapes, { client }: ServiceUnderTest): Promise<void> {
  const body = readFileSync(join(shared, 'put.json'), 'utf8');
  const headers = { 'Content-Type': 'application/json' };
  await client.good('PUT', `/api/jobs/${jobId}/annotations/`, { body, headers });
}

async function deleteAll({ jobId }: Shapes, { client }: ServiceUnderTest): Promise<void> {
  await client.good('DELETE', `/api/jobs/${jobId}/annotations/`);
}

async function undo({ jobId }: Shapes, { client }: ServiceUnderTest): Promise<void> {
  const { results } = await client.good<{ results: { id: number }[] }>(
    'GET',
    `/api/limner/annotation-changes?job_id=${jobId}`,
  );
  await client.good('POST', `/api/limner/annotation-changes/${results[0]?.id}/undo`);
}

export const shapeSeries = series<Shapes>({
  name: 'Shapes on 1,000 frames',
  unit: 'shapes',
  short: [10_000, 40_000, 160_000],
  long: [640_000, 1_000_000],
  async prepare(service, count, shared) {
    return { ...(await createTask(service, shared, { frames })), count, shared };
  },
  operations: [
    { name: 'import COCO', run: (world, service) => importBoxes(service, world.shared, world, world.count) },
    { name: 'export COCO', run: exportOf('COCO 1.0') },
    { name: 'export CVAT XML', run: exportOf('CVAT for images 1.1') },
    {
      name: 'read one frame',
      run: ({ jobId }, { client }) => client.bytes(`/api/jobs/${jobId}/annotations/?frame=500`),
      times: 20,
    },
    {
      name: 'create one shape',
      run: (world, { client }) =>
        client.changeAnnotations('jobs', world.jobId, 'create', { shapes: makeBoxes(1, world, 500) }),
      times: 20,
    },
    { name: 'progress of the job', run: limner('progress'), times: 5 },
    { name: 'statistics of the job', run: limner('statistics'), times: 3 },
    {
      name: 'search by label',
      run: ({ jobId }, { client }) =>
        client.good('POST', `/api/limner/jobs/${jobId}/frames/search`, {
          json: { filter: { '==': [{ var: 'label' }, 'thing'] } },
        }),
      times: 3,
    },
    {
      name: 'export preview',
      run: ({ jobId }, { client }) =>
        client.good('POST', `/api/limner/jobs/${jobId}/export/preview`, { json: { format: 'COCO 1.0' } }),
    },
    {
      name: 'task backup',
      run: ({ taskId }, service) => request(service, `/api/tasks/${taskId}/backup/export?filename=task.zip`),
    },
    {
      name: 'read the job',
      run: ({ jobId, shared }, { client }) =>
        client.download(`/api/jobs/${jobId}/annotations/`, join(shared, 'put.json')),
    },
    { name: 'replace the job (PUT)', run: put, shortUpTo: 160_000 },
    { name: 'clear the job', run: deleteAll },
    { name: 'undo the clearing', run: undo },
    {
      name: 'delete the label of all shapes',
      run: ({ labelId }, { client }) => client.good('DELETE', `/api/labels/${labelId}`),
    },
  ],
});
