import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { NewFilling, PredictionFilling } from '../../evaluation/predictions/prediction-filling.ts';
import type { PredictionRepository } from '../../evaluation/predictions/prediction-repository.ts';
import type { BatchPart, BatchRepository, BatchRow } from './batch-repository.ts';

export interface PredictionParts {
  readonly filling: PredictionFilling;
  readonly rows: PredictionRepository;
}

export type BatchPredictions = ReturnType<typeof createBatchPredictions>;

/** Prediction sets that a batch fills, one for each task. */
export function createBatchPredictions(
  { filling, rows }: PredictionParts,
  batches: Pick<BatchRepository, 'parts'>,
  clock: Clock,
) {
  const setsOf = (batchId: number): Map<number, BatchPart[]> =>
    Map.groupBy(
      batches.parts(batchId).filter((part) => part.prediction_set_id !== null),
      (part) => part.prediction_set_id!,
    );
  return {
    require: (actor: Actor, taskId: number): void => void filling.taskWithFrames(actor, taskId, 'import:annotations'),
    begin(actor: Actor, tasks: Iterable<number>, about: NewFilling): ReadonlyMap<number, number> {
      return new Map([...new Set(tasks)].map((task) => [task, filling.begin(actor, task, about)]));
    },
    add: (actor: Actor, setId: number, data: LabeledData): number => filling.append(actor, setId, data),
    /**
     * Completes a set. An incomplete set says so in its name, so that missing frames are not read as missed objects; an
     * empty one is deleted.
     */
    finish({ id }: Pick<BatchRow, 'id'>, actor: Actor): void {
      for (const [setId, parts] of setsOf(id)) {
        const row = rows.get(setId);
        if (row?.state !== 'filling') continue;
        const done = parts.reduce((sum, part) => sum + part.done_count, 0);
        const all = parts.reduce((sum, part) => sum + part.frame_count, 0);
        if (done === 0) filling.remove(actor, setId);
        else {
          const name = done < all ? `${row.name.slice(0, 200)} (${done} of ${all} frames)` : row.name;
          rows.update({ id: setId, name, state: 'ready' }, clock());
        }
      }
    },
    /** Deletes the sets. Returns the number of those that still existed. */
    remove({ id }: Pick<BatchRow, 'id'>, actor: Actor): number {
      const sets = [...setsOf(id).keys()];
      for (const setId of sets) filling.remove(actor, setId);
      return sets.length;
    },
  };
}
