import type { DecidedSuggestions, OpenSuggestions } from '../../../preload/contract/schema/predictions.ts';
import type { Store } from '../../db/store.ts';
import type { Actor } from '../../users/access/actor.ts';
import { createAnnotationRepository } from '../../work/annotations/annotation-repository.ts';
import type { AnnotationSetRepository } from '../../work/annotations/annotation-set-repository.ts';
import type { JobRow } from '../../work/tables/job-table.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import type { PredictionRepository } from './prediction-repository.ts';

interface Dependencies {
  readonly database: Store;
  readonly predictions: PredictionRepository;
  readonly sets: AnnotationSetRepository;
  readonly access: WorkAccess;
}

/**
 * Objects of offered prediction sets, which the annotators of a job accept or reject. An accepted object becomes an
 * annotation when the workspace saves it, like any other edit; here it only leaves its set.
 */
export function createSuggestionService({ database, predictions, sets, access }: Dependencies) {
  const annotations = createAnnotationRepository(database);
  const offeredSets = ({ task_id: taskId }: JobRow) =>
    predictions.offered(taskId).flatMap(({ id, name }) => {
      const setId = sets.ofPredictions(id);
      return setId === undefined ? [] : [{ id, name, setId }];
    });

  function framesOf(job: JobRow, setIds: readonly number[]): OpenSuggestions['frames'] {
    const counts = new Map<number, number>();
    for (const set of setIds)
      for (const { frame, count } of predictions.countByFrame(set, job.start_frame, job.stop_frame))
        counts.set(frame, (counts.get(frame) ?? 0) + count);
    return [...counts].map(([frame, count]) => ({ frame, count })).sort((a, b) => a.frame - b.frame);
  }

  return {
    list(actor: Actor, jobId: number, frame: number): OpenSuggestions {
      const job = access.job(actor, jobId, 'view:annotations');
      const offered = offeredSets(job);
      const isInJob = frame >= job.start_frame && frame <= job.stop_frame;
      const results = offered.map(({ id, name, setId }) => ({
        id,
        name,
        shapes: isInJob ? annotations.shapes.readSet(setId, frame) : [],
        tags: isInJob ? annotations.tags.readSet(setId, frame) : [],
      }));
      return {
        results: results.filter(({ shapes, tags }) => shapes.length + tags.length > 0),
        frames: framesOf(
          job,
          offered.map(({ setId }) => setId),
        ),
      };
    },

    decide(actor: Actor, jobId: number, { shapes, tags }: DecidedSuggestions): void {
      const job = access.job(actor, jobId, 'update:annotations');
      const offered = new Set(offeredSets(job).map(({ setId }) => setId));
      const isOfJob = (frame: number): boolean => frame >= job.start_frame && frame <= job.stop_frame;
      database.write(() => {
        for (const id of shapes) {
          const place = annotations.shapes.find(id);
          if (place && offered.has(place.set_id) && isOfJob(place.frame)) annotations.shapes.remove(place);
        }
        for (const id of tags) {
          const place = annotations.tags.find(id);
          if (place && offered.has(place.set_id) && isOfJob(place.frame)) annotations.tags.remove(place);
        }
      });
    },
  };
}
