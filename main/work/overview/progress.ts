import type { JobProgress, ProjectProgress } from '../../../preload/contract/schema/statistics.ts';
import type { Actor } from '../../people/access/actor.ts';
import type { AnnotationRepository } from '../annotations/annotation-repository.ts';
import { jobFrames } from '../jobs/job-rules.ts';
import type { MediaRepository } from '../tasks/media-repository.ts';
import type { WorkAccess } from '../work-access.ts';
import { createObjectCount } from './count-objects.ts';
import type { OverviewRepository } from './overview-repository.ts';
import { createTurns } from './portions.ts';

interface Dependencies {
  readonly access: WorkAccess;
  readonly media: Pick<MediaRepository, 'deletedFrames'>;
  readonly annotations: Pick<AnnotationRepository, 'tracks'>;
  readonly overview: OverviewRepository;
}

/** How far jobs and projects are: what lists ask of each of their rows. */
export const createProgress = ({ access, media, annotations, overview }: Dependencies) => ({
  /** Looks at frames, not at what the objects on them are. */
  async ofJob(actor: Actor, id: number, signal: AbortSignal): Promise<JobProgress> {
    const job = access.job(actor, id, 'view:annotations');
    const { start_frame: first, stop_frame: last } = job;
    const deleted = new Set(media.deletedFrames(job.media_id, first, last));
    const annotated = new Set(overview.countsByFrame(id).map(({ frame }) => frame));
    const counter = createObjectCount([]);
    const turns = createTurns();
    for (const track of annotations.tracks.read(id)) {
      await turns();
      signal.throwIfAborted();
      for (const frame of counter.addTrack(track, { first, last, deleted })) annotated.add(frame);
    }
    const included = jobFrames(job) ?? Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const there = included.filter((frame) => !deleted.has(frame));
    return { frames: there.length, annotated: there.filter((frame) => annotated.has(frame)).length };
  },
  /** As many rows as there are states and subsets, however large the project is. */
  ofProject(actor: Actor, id: number): ProjectProgress {
    access.project(actor, id, 'view');
    const subsets = overview.subsetsOfProject(id);
    return { jobs: overview.jobsOfProject(id), frames: subsets.reduce((sum, { frames }) => sum + frames, 0), subsets };
  },
});
