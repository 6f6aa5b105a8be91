import type { FrameRow } from '../../../work/tables/media-repository.ts';
import type { Honeypot } from '../../../work/tables/honeypot-rows.ts';
import { damagedBackup } from './backup-archive.ts';
import type { BackupJob, TaskFile } from './backup-layout.ts';

export interface BackupPool {
  readonly perJob: number;
  readonly honeypots: readonly Honeypot[];
  /** Each file once, in the order of the frames: those of the jobs without honeypots, then those of the pool. */
  readonly files: readonly string[];
}

/**
 * Validation pool of a backup, as CVAT writes and reads it: each job lists its files, and the layout those of the pool.
 * A file of the pool in another job is a honeypot. The ground-truth job is behind the others and has the order of the
 * pool. Null for a task without a pool.
 */
export function poolOf({ data, jobs }: Pick<TaskFile, 'data' | 'jobs'>): BackupPool | null {
  const layout = data?.validation_layout;
  if (layout?.mode !== 'gt_pool') return null;
  const truths = jobs.filter(({ type }) => type === 'ground_truth');
  const [truth] = truths;
  if (truth === undefined || truths.length > 1)
    throw damagedBackup(`it has a validation pool and ${truths.length} ground-truth jobs instead of one`);
  const pool = filesOf(truth);
  const realOf = new Map(pool.map((file, index) => [file, truth.start_frame + index]));
  const wanted = new Set(layout.frames);
  if (realOf.size !== pool.length || wanted.size !== pool.length || !pool.every((file) => wanted.has(file)))
    throw damagedBackup('the files of its ground-truth job are not those of its validation pool');
  const own = jobs.filter(({ type }) => type === 'annotation').toSorted((a, b) => a.start_frame - b.start_frame);
  const inJobs = own.map(filesOf);
  for (const [index, { start_frame: start }] of [...own, truth].entries()) {
    const expected = inJobs.slice(0, index).reduce((sum, files) => sum + files.length, 0);
    if (start !== expected)
      throw damagedBackup(`a job with a validation pool starts at frame ${start} instead of ${expected}`);
  }
  const honeypots = inJobs.flat().flatMap((file, frame) => {
    const real = realOf.get(file);
    return real === undefined ? [] : [{ frame, real_frame: real }];
  });
  const first = inJobs[0]?.filter((file) => wanted.has(file)).length ?? 0;
  return {
    perJob: layout.frames_per_job_count ?? first,
    honeypots,
    files: [...inJobs.flat().filter((file) => !wanted.has(file)), ...pool],
  };
}

function filesOf({ start_frame: start, stop_frame: stop, files = [] }: BackupJob): readonly string[] {
  if (files.length === stop - start + 1) return files;
  throw damagedBackup(`a job of the frames ${start} to ${stop} lists ${files.length} files`);
}

/** Puts the honeypots, whose images the archive has once, between the frames. */
export function rowsWithHoneypots(rows: readonly FrameRow[], pool: BackupPool | null): readonly FrameRow[] {
  if (pool === null) return rows;
  const realOf = new Map(pool.honeypots.map(({ frame, real_frame: real }) => [frame, real]));
  const left = rows[Symbol.iterator]();
  const all = Array.from({ length: rows.length + realOf.size }, (_, frame) =>
    realOf.has(frame) ? null : { ...left.next().value!, frame },
  );
  return all.map((row, frame) => {
    if (row !== null) return row;
    const real = realOf.get(frame)!;
    return { ...all[real]!, frame, real_frame: real };
  });
}
