import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { labeledDataSchema } from '../../../preload/contract/schema/annotations.ts';
import { dataRequestSchema, taskWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { makeImages } from '../../support/images.ts';
import { useCoreHarness } from './core-harness.ts';

/** Rows that the answering thread reads and writes. */
const work = { rows: 0 };
const harness = useCoreHarness({
  counter: { count: (rowsRead, rowsWritten) => void (work.rows += rowsRead + rowsWritten) },
});
const { core, admin } = harness;

const frames = 2;
async function makeReplicas(shapeCount: number) {
  const images = join(harness.folder, `images-${shapeCount}`);
  mkdirSync(images);
  for (const { name, bytes } of await makeImages(frames, { width: 64, height: 48 }))
    writeFileSync(join(images, name), bytes);
  const body = { name: 'streets', labels: [{ name: 'car' }], consensus_replicas: 2 };
  const task = core.tasks.create(admin, taskWriteSchema.parse(body));
  const { rq_id } = core.taskData.start(admin, task.id, dataRequestSchema.parse({ server_files: [images] }), []);
  await harness.ended(rq_id);
  const query = { page: 1, pageSize: 'all' as const, equals: { task_id: String(task.id) } };
  const [label] = core.labels.list(admin, query).results;
  const jobs = core.jobs.list(admin, query).results;
  const shapes = Array.from({ length: shapeCount }, (_, at) => ({
    type: 'rectangle' as const,
    frame: at % frames,
    label_id: label!.id,
    points: [at % 60, Math.floor(at / 60), (at % 60) + 1, Math.floor(at / 60) + 1],
  }));
  for (const { id, type } of jobs)
    if (type === 'consensus_replica')
      core.annotations.changeJob(admin, id, 'create', labeledDataSchema.parse({ shapes }));
  return { task: task.id, job: jobs.find(({ type }) => type === 'annotation')!.id };
}

test('agreement and merge of replicas read and write no objects on the answering thread', async () => {
  const rowsOf = async (shapeCount: number): Promise<number> => {
    const { task, job } = await makeReplicas(shapeCount);
    work.rows = 0;
    const agreement = await core.agreement.ofTask(admin, task, new AbortController().signal);
    const { rq_id } = core.consensus.start(admin, { task_id: task });
    expect(await harness.ended(rq_id)).toMatchObject({ status: 'finished' });
    const { rows } = work;
    expect(agreement.jobs).toBe(1);
    expect(core.annotations.readJob(admin, job).shapes).toHaveLength(shapeCount);
    return rows;
  };
  const few = await rowsOf(10);
  expect(await rowsOf(400)).toBeLessThan(few + 100);
});
