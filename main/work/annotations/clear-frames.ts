import { indexRanges } from '../../../preload/geometry/frame-spans.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { JobRepository } from '../tables/job-repository.ts';
import type { AnnotationRepository } from './annotation-repository.ts';
import type { AnnotationSetRepository } from './annotation-set-repository.ts';
import type { AnnotationTargets, Target } from './annotation-targets.ts';
import { spanOf } from './annotation-writer.ts';

interface Dependencies {
  readonly targets: AnnotationTargets;
  readonly jobs: Pick<JobRepository, 'spansOfTask'>;
  readonly annotations: AnnotationRepository;
  readonly sets: AnnotationSetRepository;
  readonly saved: (actor: Actor, target: Target, save: () => void) => void;
  readonly tell: (actor: Actor, target: Target) => void;
}

/**
 * Deletes tags and shapes on frames whose images change, in all jobs of a task. This cannot be undone, because the
 * objects would return to other images. Tasks with such frames have no tracks.
 */
export const createClearFrames =
  ({ targets, jobs, annotations, sets, saved, tell }: Dependencies) =>
  (actor: Actor, taskId: number, frames: ReadonlySet<number>): void => {
    const whole = targets.task(actor, taskId, 'update:annotations');
    const all = jobs.spansOfTask(taskId);
    const jobsOf = indexRanges(all.map(spanOf));
    const concerned = [...new Set([...frames].flatMap((frame) => jobsOf.within(frame)))].map((index) => all[index]!);
    const target: Target = { ...whole, jobs: concerned };
    saved(actor, target, () => {
      for (const { id } of concerned) {
        // Sets without a change are removed in the background.
        let hidden: number | undefined;
        const removed = () => (hidden ??= sets.hiddenOf(id, null));
        const { tags, shapes } = annotations.read(id, { without: 'tracks' });
        for (const tag of tags) {
          const place = frames.has(tag.frame) ? annotations.tags.find(tag.id ?? 0) : undefined;
          if (place) annotations.tags.move(place, removed());
        }
        for (const shape of shapes) {
          const place = frames.has(shape.frame) ? annotations.shapes.find(shape.id ?? 0) : undefined;
          if (place) annotations.shapes.move(place, removed());
        }
      }
    });
    tell(actor, target);
  };
