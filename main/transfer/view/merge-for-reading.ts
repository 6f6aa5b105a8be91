import type { MergeableObjects } from '../../../preload/contract/overlap-merge.ts';
import type { TrackPiece } from '../../../preload/contract/track-pieces.ts';
import type { AnnotationRepository } from '../../work/annotations/annotation-repository.ts';
import { mergeJobs } from '../../work/annotations/merge-jobs.ts';
import type { JobRow } from '../../work/jobs/job-repository.ts';
import type { DatasetRepository } from '../store/dataset-repository.ts';

export interface ReadObjects {
  /** All tracks: what was cut as it was before, the rest in pieces, united as far as they are known to be one. */
  readonly tracks: readonly TrackPiece[];
  /** Tags and shapes too where jobs overlap: those must be compared before they are told apart. */
  readonly shared: MergeableObjects | null;
}

/** What the jobs of a task, or the one that is exported, hold together. */
export function mergeForReading(
  taskId: number,
  jobs: readonly JobRow[],
  { datasets, annotations }: { readonly datasets: DatasetRepository; readonly annotations: AnnotationRepository },
): ReadObjects {
  const overlaps = jobs.some((job, index) => (jobs[index - 1]?.stop_frame ?? -1) >= job.start_frame);
  // A job shows a track that has no piece in it where the keyframe that ended the track is deleted.
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
