import { mergeOverlap, pieceKind, type MergeableObjects } from '../../../preload/geometry/overlap-merge.ts';
import type { TrackPiece } from '../../../preload/geometry/track-pieces.ts';
import { atOnce, type Portions } from '../../platform/portions.ts';
import type { JobRow } from '../tables/job-table.ts';

export type JobFrames = Pick<JobRow, 'start_frame' | 'stop_frame'>;

interface MergeJobsOptions {
  readonly uniteCut?: boolean;
}

/**
 * Merges the annotations of jobs into those of their task. Objects that two jobs share in their overlap become one. A
 * track that the next job does not continue ends with its job. `uniteCut` is for exports: see `MergeOverlapOptions`.
 * Each job is compared only with objects that it may share, because a task may have thousands of jobs. Yields after each.
 */
export function* mergeJobsInPortions<Job extends JobFrames>(
  jobs: readonly Job[],
  read: (job: Job) => MergeableObjects,
  { uniteCut = false }: MergeJobsOptions = {},
): Portions<MergeableObjects> {
  const [first, ...rest] = jobs.toSorted((a, b) => a.start_frame - b.start_frame);
  if (!first) return { tags: [], shapes: [], tracks: [] };
  const start = read(first);
  const [tags, shapes, tracks] = [createMerged(start.tags), createMerged(start.shapes), createMerged(start.tracks)];
  const continued = createLastPieces();
  continued.add(start.tracks, [...start.tracks.keys()]);
  let stop = first.stop_frame;
  for (const job of rest) {
    const startFrame = job.start_frame;
    const frameCount = Math.max(0, stop - startFrame + 1);
    const later = read(job);
    const isReached = ({ frame }: { readonly frame: number }) => frame >= startFrame;
    const earlier = {
      tags: tags.open(isReached),
      shapes: shapes.open(isReached),
      tracks: tracks.open((track) => !hasEnded(track, startFrame), continued.of(later.tracks)),
    };
    const merged = mergeOverlap(earlier, later, { startFrame, frameCount, uniteCut });
    tags.put(merged.tags);
    shapes.put(merged.shapes);
    continued.add(merged.tracks, tracks.put(merged.tracks));
    stop = Math.max(stop, job.stop_frame);
    yield;
  }
  return { tags: tags.all, shapes: shapes.all, tracks: tracks.all };
}

/** The same at once. */
export const mergeJobs = <Job extends JobFrames>(
  jobs: readonly Job[],
  read: (job: Job) => MergeableObjects,
  options?: MergeJobsOptions,
): MergeableObjects => atOnce(mergeJobsInPortions(jobs, read, options));

/** Objects of all jobs so far. Open are those that the next job may change. */
function createMerged<T>(objects: readonly T[]) {
  const all = [...objects];
  /** Indexes in `all`, in ascending order. */
  let indexes = [...all.keys()];
  return {
    all,
    /** Returns the objects that are still open, and `others`. Closes the rest: jobs are in the order of their frames. */
    open(isOpen: (object: T) => boolean, others: readonly number[] = []): T[] {
      const open = indexes.filter((index) => isOpen(all[index]!));
      indexes = others.length === 0 ? open : [...new Set([...open, ...others])].sort((a, b) => a - b);
      return indexes.map((index) => all[index]!);
    },
    /** Replaces the open objects, and adds those behind them. Returns the indexes of both. */
    put(merged: readonly T[]): readonly number[] {
      for (const [position, object] of merged.entries()) {
        const index = indexes[position] ?? all.length;
        all[index] = object;
        indexes[position] = index;
      }
      return indexes;
    },
  };
}

/** Indexes of the last pieces of cut tracks, which a later piece continues. */
function createLastPieces() {
  const last = new Map<string, number>();
  return {
    add(tracks: readonly TrackPiece[], indexes: readonly number[]): void {
      for (const [position, track] of tracks.entries()) {
        const kind = pieceKind(track);
        if (kind !== null) last.set(kind, Math.max(indexes[position]!, last.get(kind) ?? 0));
      }
    },
    of: (later: readonly TrackPiece[]): number[] =>
      later.flatMap((track) => {
        const index = last.get(pieceKind(track) ?? '');
        return index === undefined ? [] : [index];
      }),
  };
}

/** True if a track ends before `startFrame`, so that only a piece of the same track can change it. */
function hasEnded(track: TrackPiece, startFrame: number): boolean {
  return [track, ...track.elements].every(({ shapes }) => {
    let end = shapes[0];
    for (const shape of shapes) if (shape.frame >= end!.frame) end = shape;
    return end === undefined || (end.outside && end.frame <= startFrame);
  });
}
