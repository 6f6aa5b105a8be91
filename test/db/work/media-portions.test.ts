import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRepositories } from '../../../main/composition/repositories.ts';
import { createImportStaging } from '../../../main/import-export/import/import-staging.ts';
import { createMediaRepository, type MediaRow } from '../../../main/work/tables/media-repository.ts';
import { createSilentLogger } from '../../../main/platform/log.ts';
import { inPortions } from '../../../main/platform/portions.ts';
import { taskWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { useCoreHarness } from './core-harness.ts';

const work = { rows: 0 };
const { core, database, folder, admin } = useCoreHarness({
  counter: { count: (rowsRead, rowsWritten) => void (work.rows += rowsRead + rowsWritten) },
});
const media = createMediaRepository(database);
const row: Omit<MediaRow, 'id'> = {
  kind: 'images',
  size: 4500,
  chunk_size: 36,
  image_quality: 70,
  start_frame: 0,
  stop_frame: 4499,
  frame_filter: '',
  sorting_method: 'lexicographical',
  storage: 'share',
  video: null,
  zip_chunks: 0,
  created_date: '2026-01-01T00:00:00.000Z',
  unread: 0,
  honeypots_per_job: null,
  cloud_storage_id: null,
};
const rows = Array.from({ length: 4500 }, (_, frame) => ({
  frame,
  name: `${frame}.jpg`,
  file: `/images/${frame}.jpg`,
  width: 320,
  height: 240,
  related: [],
}));
const place = {
  texts: { name: 'imported' },
  projectId: null,
  organizationId: null,
  ownerId: null,
  overlap: 0,
  segmentSize: 4500,
};
const log = createSilentLogger();
/** Runs the background removal. */
async function removed(): Promise<void> {
  await media.removeDiscarded(() => Promise.resolve(), new AbortController().signal);
  expect([count('media'), count('frame')]).toEqual([0, 0]);
}
const count = (table: string) => database.query(`SELECT count(*) FROM ${table}`).pluck().get() as number;

test('the frames of a large task are written in portions, between which other requests run', async () => {
  const written: number[] = [];
  const insertion = media.insertInPortions(row, rows);
  const id = await inPortions(
    (function* counted() {
      for (;;) {
        const step = insertion.next();
        if (step.done === true) return step.value;
        written.push(count('frame'));
        yield;
      }
    })(),
  );
  expect(written).toEqual([1000, 2000, 3000, 4000, 4500]);
  expect(media.frames(id, 0, 4499)).toHaveLength(4500);
  media.discard(id);
  await removed();
});

test('frames that no task shows are deleted in portions', async () => {
  media.discard(await inPortions(media.insertInPortions(row, rows)));
  const counts: number[] = [];
  const others = async () => void counts.push(count('frame'));
  await media.removeDiscarded(others, new AbortController().signal);
  expect(counts.slice(0, 3)).toEqual([2500, 500, 0]);
  expect([count('media'), count('frame')]).toEqual([0, 0]);
});

test('the deletion of a task writes as many rows for many frames as for few', async () => {
  const deletion = async (size: number): Promise<number> => {
    const task = core.tasks.create(admin, taskWriteSchema.parse({ name: 'streets' }));
    const id = await inPortions(media.insertInPortions({ ...row, size }, rows.slice(0, size)));
    database.query('UPDATE task SET media_id = ? WHERE id = +?').run(id, task.id);
    work.rows = 0;
    core.tasks.remove(admin, task.id);
    const written = work.rows;
    await removed();
    return written;
  };
  const few = await deletion(10);
  expect(await deletion(4000)).toBe(few);
});

test('the frames of an imported task are visible with the task only', async () => {
  const staging = createImportStaging({ ...createRepositories(database), database, dataDirectory: folder, log });
  const [taskId = 0] = database.write(() => staging.stage('import', 1));
  const task = {
    ...place,
    id: taskId,
    data: { media: row, frames: rows, deletedFrames: [7, 4400] },
    jobs: [],
  };
  await staging.storeMedia([task]);
  const tasks = count('task');
  work.rows = 0;
  database.write(() => {
    staging.writer.write(task, '2026-01-01T00:00:00.000Z');
    staging.settle([taskId]);
  });
  expect(work.rows).toBeLessThan(100);
  expect(count('task')).toBe(tasks + 1);
  const [stored] = database.query('SELECT media_id FROM task WHERE id = +?').all(taskId) as { media_id: number }[];
  expect(media.deletedFrames(stored!.media_id, 0, 4499)).toEqual([7, 4400]);
  core.tasks.remove(admin, taskId);
  await removed();
});

test('the frames of an import that fails at its end are deleted', async () => {
  const staging = createImportStaging({ ...createRepositories(database), database, dataDirectory: folder, log });
  const [id = 0] = database.write(() => staging.stage('failed', 1));
  const data = { media: row, frames: rows, deletedFrames: [] };
  await staging.storeMedia([{ ...place, id, data, jobs: [] }]);
  expect(count('frame')).toBe(4500);
  await staging.discard('failed');
  await removed();
});

test('frames of a cancelled creation are deleted', async () => {
  const signal = AbortSignal.abort();
  await expect(inPortions(media.insertInPortions(row, rows), signal)).rejects.toThrow(/abort/i);
  await removed();
});

test('the next start deletes the frames of a creation that a crash ended', async () => {
  const insertion = media.insertInPortions(row, rows);
  insertion.next();
  expect(count('frame')).toBe(1000);
  mkdirSync(join(folder, 'data'));
  core.recover();
  await expect.poll(() => [count('media'), count('frame')]).toEqual([0, 0]);
});

test('the description of a task reads as many frames in each turn for many as for few', async () => {
  const description = async (size: number): Promise<number> => {
    const task = core.tasks.create(admin, taskWriteSchema.parse({ name: 'streets' }));
    const id = await inPortions(media.insertInPortions({ ...row, storage: 'local', size }, rows.slice(0, size)));
    database.query('UPDATE task SET media_id = ? WHERE id = +?').run(id, task.id);
    const state = { longest: 0, isDone: false };
    work.rows = 0;
    const running = core.frames.taskMetaJson(admin, task.id).finally(() => (state.isDone = true));
    while (!state.isDone) {
      await nextTurn();
      state.longest = Math.max(state.longest, work.rows);
      work.rows = 0;
    }
    expect(JSON.parse(String(await running))).toEqual(
      JSON.parse(JSON.stringify(await core.frames.taskMeta(admin, task.id))),
    );
    core.tasks.remove(admin, task.id);
    await removed();
    return state.longest;
  };
  const few = await description(1500);
  expect(few).toBeGreaterThan(0);
  expect(await description(4500)).toBeLessThanOrEqual(few);
});
