import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMediaRepository, type MediaRow } from '../../../main/work/tables/media-repository.ts';
import { inPortions } from '../../../main/platform/portions.ts';
import { useCoreHarness } from './core-harness.ts';

const { core, database, folder } = useCoreHarness();
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
} as never;
const rows = Array.from({ length: 4500 }, (_, frame) => ({
  frame,
  name: `${frame}.jpg`,
  file: `/images/${frame}.jpg`,
  width: 320,
  height: 240,
  related: [],
}));
const count = (table: string) => database.query(`SELECT count(*) FROM ${table}`).pluck().get() as number;

test('the frames of a large task are written in portions, between which other requests run', async () => {
  const written: number[] = [];
  const work = media.insertInPortions(row, rows);
  const id = await inPortions(
    (function* counted() {
      for (;;) {
        const step = work.next();
        if (step.done === true) return step.value;
        written.push(count('frame'));
        yield;
      }
    })(),
  );
  expect(written).toEqual([1000, 2000, 3000, 4000, 4500]);
  expect(media.frames(id, 0, 4499)).toHaveLength(4500);
  media.remove(id);
});

test('frames of a cancelled creation are deleted', async () => {
  const signal = AbortSignal.abort();
  await expect(inPortions(media.insertInPortions(row, rows), signal)).rejects.toThrow(/abort/i);
  expect([count('media'), count('frame')]).toEqual([0, 0]);
});

test('the next start deletes the frames of a creation that a crash ended', () => {
  const work = media.insertInPortions(row, rows);
  work.next();
  expect(count('frame')).toBe(1000);
  mkdirSync(join(folder, 'data'));
  core.recover();
  expect([count('media'), count('frame')]).toEqual([0, 0]);
});
