import type { PreparedMedia } from '../../../media/media-preparation.ts';
import type { IncomingTask } from '../../import/task-writer.ts';
import type { JobRow } from '../../../work/tables/job-repository.ts';
import type { FrameRow } from '../../../work/tables/media-repository.ts';
import { AppError } from '../../../platform/errors.ts';
import { valuesFor } from '../../../db/columns.ts';
import { taskColumns } from '../../../work/tables/task-table.ts';
import { mediaRow } from '../../../work/tasks/prepared-media.ts';
import type { TargetSet } from '../../bulk-writer/annotation-batch.ts';
import type { BackupJob, TaskFile } from './backup-layout.ts';
import { type BackupPool, poolOf } from './backup-pool.ts';

/** A job of the backup. Overlapping jobs must not get each other's annotations, so each has a separate frame range. */
export interface PlacedJob extends TargetSet {
  /** Added to the frame numbers of the backup. */
  readonly frameOffset: number;
  /** Frame numbers in the backup, if the job does not have all from its first to its last. */
  readonly frames: ReadonlySet<number> | null;
}

/** Assigns frame ranges to the jobs in sequence. */
export function placeJobs({ jobs }: TaskFile, createSet: () => number): PlacedJob[] {
  let next = 0;
  return jobs.map(({ start_frame: start, stop_frame: stop, frames }) => {
    const firstFrame = next;
    next += stop - start + 1;
    const frameOffset = firstFrame - start;
    return { setId: createSet(), firstFrame, lastFrame: next - 1, frameOffset, frames: frames && new Set(frames) };
  });
}

export interface RestoredMedia {
  readonly prepared: PreparedMedia;
  readonly rows: readonly FrameRow[];
}

interface Restoring {
  readonly id: number;
  readonly projectId: number | null;
  readonly organizationId: number | null;
  readonly ownerId: number | null;
  /** Null for a task without data. */
  readonly media: RestoredMedia | null;
  readonly jobs: readonly PlacedJob[];
  readonly now: string;
}

/** The restored task. If the backup does not state how its jobs were created, that is inferred from the jobs. */
export function restoredTask(file: TaskFile, { media, jobs, now, ...place }: Restoring): IncomingTask {
  const { limner } = file;
  const pool = poolOf(file);
  const cut = media ? cutOf(file.jobs, pool) : { overlap: null, segmentSize: 0 };
  return {
    ...place,
    texts: valuesFor(taskColumns, 'backup', file),
    overlap: limner?.overlap ?? cut.overlap,
    segmentSize: limner?.segment_size ?? cut.segmentSize,
    data: media && restoredData(file, media, { pool, now }),
    jobs: jobs.map(({ setId, firstFrame, lastFrame, frameOffset }, index) => ({
      setId,
      start: firstFrame - frameOffset,
      stop: lastFrame - frameOffset,
      ...stateOf(file.jobs[index], pool ? (file.data?.deleted_frames ?? []) : []),
      parent: parentOf(file.jobs, index),
    })),
  };
}

function restoredData(
  { data, limner }: TaskFile,
  { prepared, rows }: RestoredMedia,
  { pool, now }: { readonly pool: BackupPool | null; readonly now: string },
): IncomingTask['data'] {
  const settings = {
    chunk_size: data?.chunk_size,
    image_quality: data?.image_quality ?? 70,
    use_zip_chunks: data?.chunk_type !== 'video',
    frame_filter: data?.frame_filter?.replaceAll(' ', '') ?? '',
    sorting_method: data?.sorting_method ?? 'predefined',
  };
  const removed = new Set(limner?.removed_frames);
  return {
    media: {
      ...mediaRow(prepared, rows, settings, now),
      ...limner?.origin,
      honeypots_per_job: pool?.perJob ?? null,
    },
    frames: rows.map((row) => (removed.has(row.frame) ? { ...row, problem: `${row.name} was removed.` } : row)),
    deletedFrames: (data?.deleted_frames ?? []).filter((frame) => frame < rows.length),
  };
}

function cutOf(jobs: readonly BackupJob[], pool: BackupPool | null): { segmentSize: number; overlap: number } {
  const own = jobs.filter(({ type }) => type === 'annotation');
  const [first, second] = own;
  if (!first) return { segmentSize: 0, overlap: 0 };
  const lengths = own.map(({ start_frame: start, stop_frame: stop }) => stop - start + 1);
  if (pool) return { segmentSize: Math.max(...lengths), overlap: 0 };
  return {
    segmentSize: first.stop_frame - first.start_frame + 1,
    overlap: second ? Math.max(0, first.stop_frame - second.start_frame + 1) : 0,
  };
}

/** Index of the annotation job that a replica is merged into: the one with the same frames. */
function parentOf(jobs: readonly BackupJob[], index: number): number | null {
  const job = jobs[index];
  if (job?.type !== 'consensus_replica') return null;
  const parent = jobs.findIndex(
    ({ type, start_frame: start, stop_frame: stop }) =>
      type === 'annotation' && start === job.start_frame && stop === job.stop_frame,
  );
  if (parent >= 0) return parent;
  throw new AppError(
    'invalid',
    `The backup has a replica of frames ${job.start_frame} to ${job.stop_frame}, but no annotation job for these frames. Nothing was restored.`,
  );
}

const stages: Readonly<Record<string, Pick<JobRow, 'stage' | 'state'>>> = {
  annotation: { stage: 'annotation', state: 'new' },
  validation: { stage: 'validation', state: 'new' },
  completed: { stage: 'acceptance', state: 'completed' },
};

/**
 * CVAT's backups only have the status, which follows from stage and state, and of a validation pool only the deleted
 * frames: a deleted frame of the pool is disabled.
 */
function stateOf(job: BackupJob | undefined, deletedOfPool: readonly number[]) {
  if (!job) return {};
  const { type, stage, state, status, frames, start_frame: start, stop_frame: stop } = job;
  const deleted = deletedOfPool.filter((frame) => frame >= start && frame <= stop);
  const disabledFrames = job.disabled_frames ?? (type === 'ground_truth' && deleted.length > 0 ? deleted : undefined);
  const derived = stages[status ?? ''] ?? { stage: 'annotation', state: 'new' };
  return {
    type,
    stage: stage ?? derived.stage,
    state: state ?? derived.state,
    frames: frames?.toSorted((a, b) => a - b),
    disabledFrames,
  };
}
