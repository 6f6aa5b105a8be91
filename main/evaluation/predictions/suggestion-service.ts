import {
  attributeSuggestions,
  type DecidedSuggestions,
  type OpenSuggestions,
} from '../../../preload/contract/schema/predictions.ts';
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
    predictions.offered(taskId).flatMap(({ id, name, format }) => {
      const setId = sets.ofPredictions(id);
      const kind = format === attributeSuggestions ? ('attributes' as const) : ('objects' as const);
      return setId === undefined ? [] : [{ id, name, kind, setId }];
    });

  return {
    list(actor: Actor, jobId: number, frame: number): OpenSuggestions {
      const job = access.job(actor, jobId, 'view:annotations');
      const isInJob = frame >= job.start_frame && frame <= job.stop_frame;
      const counts = new Map<number, number>();
      const count = (at: number, by = 1): void => void counts.set(at, (counts.get(at) ?? 0) + by);
      const results = offeredSets(job).map(({ id, name, kind, setId }) => {
        const shapes = isInJob ? annotations.shapes.readSet(setId, frame) : [];
        const tags = isInJob ? annotations.tags.readSet(setId, frame) : [];
        if (kind === 'objects') {
          for (const one of predictions.countByFrame(setId, job.start_frame, job.stop_frame))
            count(one.frame, one.count);
          return { id, name, kind, shapes, tags };
        }
        const applicable = predictions.applicable(setId, job);
        const ids = new Set<unknown>(applicable.map((one) => one.id));
        for (const one of applicable) count(one.frame);
        return { id, name, kind, shapes: shapes.filter((shape) => ids.has(shape.id)), tags };
      });
      return {
        results: results.filter(({ shapes, tags }) => shapes.length + tags.length > 0),
        frames: [...counts].map(([at, total]) => ({ frame: at, count: total })).sort((a, b) => a.frame - b.frame),
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
