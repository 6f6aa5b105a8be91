import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { labeledDataSchema, type LabeledDataInput } from '../../../preload/contract/schema/annotations.ts';
import { dataRequestSchema, taskWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { makeImages } from '../../support/images.ts';
import { createCoreHarness } from './core-harness.ts';

const work = { rows: 0 };
const harness = createCoreHarness({
  counter: { count: (rowsRead, rowsWritten) => void (work.rows += rowsRead + rowsWritten) },
});
afterAll(() => harness.dispose());
const { core, admin } = harness;
const data = (input: LabeledDataInput) => labeledDataSchema.parse(input);

const portion = 200;

async function makeJob() {
  const images = join(harness.folder, randomUUID());
  mkdirSync(images);
  for (const { name, bytes } of await makeImages(2, { width: 64, height: 48 }))
    writeFileSync(join(images, name), bytes);
  const task = core.tasks.create(admin, taskWriteSchema.parse({ name: 'streets', labels: [{ name: 'car' }] }));
  const { rq_id } = core.taskData.start(admin, task.id, dataRequestSchema.parse({ server_files: [images] }), []);
  await harness.ended(rq_id);
  const query = { page: 1, pageSize: 'all' as const, equals: { task_id: String(task.id) } };
  return { job: core.jobs.list(admin, query).results[0]!.id, label: core.labels.list(admin, query).results[0]!.id };
}

/** Rows that were read and written in the longest turn of the event loop. */
async function longestTurn(running: Promise<unknown>): Promise<number> {
  const state = { longest: 0, isDone: false };
  const done = running.finally(() => (state.isDone = true));
  while (!state.isDone) {
    work.rows = 0;
    await nextTurn();
    state.longest = Math.max(state.longest, work.rows);
  }
  await done;
  return state.longest;
}

test.each(['replace', 'create'] as const)('a large save (%s) works on a portion in each turn', async (action) => {
  const { job, label } = await makeJob();
  const boxes = (count: number) =>
    Array.from({ length: count }, () => ({
      type: 'rectangle' as const,
      frame: 1,
      label_id: label,
      points: [1, 1, 11, 9],
    }));
  const save = (count: number) =>
    core.annotations.saveInPortions(admin, { kind: 'job', id: job, action }, async (take) => {
      for (let at = 0; at < count; at += portion) {
        await take(data({ shapes: boxes(portion) }));
        await nextTurn();
      }
      // Nothing is visible before the end.
      if (count === few) expect(core.annotations.readJob(admin, job).shapes).toEqual([]);
    });
  const few = 2 * portion;
  const longest = await longestTurn(save(few));
  expect(longest).toBeLessThan(4 * portion);
  expect(await longestTurn(save(20 * few))).toBeLessThanOrEqual(longest);
});
