import type { ImageSize } from '../../comparison/compared-object.ts';
import type { AnnotationSetRepository } from '../annotations/annotation-set-repository.ts';
import type { JobRepository } from '../tables/job-repository.ts';
import type { JobRow } from '../tables/job-table.ts';
import type { MediaRepository } from '../tables/media-repository.ts';

export interface ReplicatedJob {
  readonly parent: JobRow;
  readonly replicas: readonly JobRow[];
  /** Replicas that were started: an empty one counts only if its state says so. */
  readonly begun: readonly JobRow[];
}

export type Replicas = ReturnType<typeof createReplicas>;

export function createReplicas({
  jobs,
  sets,
}: {
  readonly jobs: Pick<JobRepository, 'ofTask'>;
  readonly sets: Pick<AnnotationSetRepository, 'live' | 'countObjects'>;
}) {
  const isBegun = ({ id, stage, state }: JobRow): boolean =>
    stage !== 'annotation' || state !== 'new' || sets.countObjects(sets.live(id)) > 0;

  return {
    ofTask(taskId: number): ReplicatedJob[] {
      const all = jobs.ofTask(taskId);
      return all
        .map((parent) => ({ parent, replicas: all.filter((job) => job.parent_job_id === parent.id) }))
        .filter(({ replicas }) => replicas.length > 0)
        .map((found) => ({ ...found, begun: found.replicas.filter(isBegun) }));
    },
  };
}

export const framesOf = (
  { start_frame: first, stop_frame: last }: Pick<JobRow, 'start_frame' | 'stop_frame'>,
  mediaId: number,
  media: Pick<MediaRepository, 'frames'>,
): (ImageSize & { readonly frame: number })[] =>
  media.frames(mediaId, first, last).map(({ frame, width, height }) => ({ frame, width, height }));
