import type { MergeableObjects } from '../../../preload/geometry/overlap-merge.ts';
import type { TrackPiece } from '../../../preload/geometry/track-pieces.ts';
import type { AnnotationRepository } from '../../work/annotations/annotation-repository.ts';
import { mergeJobs } from '../../work/annotations/merge-jobs.ts';
import type { JobRow } from '../../work/tables/job-repository.ts';
import type { DatasetRepository } from '../bulk-writer/dataset-repository.ts';

export interface ReadObjects {
  /**
   * All tracks. Unchanged split tracks are restored; other segments are joined if they are known to belong together.
   */
  readonly tracks: readonly TrackPiece[];
  /** Tags and shapes too if jobs overlap, because duplicates must be found by comparison. */
  readonly shared: MergeableObjects | null;
}

/** Merges the objects of a task's jobs, or of the exported job. */
export function mergeForReading(
  taskId: number,
  jobs: readonly JobRow[],
  { datasets, annotations }: { readonly datasets: DatasetRepository; readonly annotations: AnnotationRepository },
): ReadObjects {
  const overlaps = jobs.some((job, index) => (jobs[index - 1]?.stop_frame ?? -1) >= job.start_frame);
  // If the keyframe that ended a track is deleted, a job shows the track without having a segment of it.
  const known = jobs.some(({ type }) => type === 'annotation') ? datasets.wholes(taskId) : [];
  const wholes = new Map(known.map((track) => [track.origin, track]));
  const merged = mergeJobs(
    jobs,
    (job) => {
      const { tags, shapes, tracks } = overlaps
        ? annotations.read(job.id)
        : { tags: [], shapes: [], tracks: datasets.tracks(job.id) };
      return { tags, shapes, tracks: tracks.filter(({ origin }) => origin === undefined || !wholes.has(origin)) };
    },
    { uniteCut: true },
  );
  const tracks = [...wholes.values(), ...merged.tracks].sort((a, b) => (a.id ?? 0) - (b.id ?? 0));
  return { tracks, shared: overlaps ? merged : null };
}
