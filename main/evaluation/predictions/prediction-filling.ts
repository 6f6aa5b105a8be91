import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Store } from '../../db/store.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError, invalidField, notFound } from '../../platform/errors.ts';
import { createAnnotationRepository } from '../../work/annotations/annotation-repository.ts';
import { checkAnnotations, checkIds, indexLabels } from '../../work/annotations/annotation-rules.ts';
import type { AnnotationSetRepository } from '../../work/annotations/annotation-set-repository.ts';
import { labelOwner, type LabelRepository } from '../../work/tables/label-repository.ts';
import type { TaskRow } from '../../work/tables/task-repository.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import type { PredictionRepository, PredictionSetRow } from './prediction-repository.ts';

export interface PredictionFillingDependencies {
  readonly database: Store;
  readonly predictions: PredictionRepository;
  readonly sets: AnnotationSetRepository;
  readonly labelRows: LabelRepository;
  readonly access: WorkAccess;
  readonly clock: Clock;
  readonly onDiscarded: () => void;
}

export interface NewFilling {
  readonly name: string;
  readonly detail: string;
  readonly offered?: boolean;
  readonly format?: string | null;
}

export type PredictionFilling = ReturnType<typeof createPredictionFilling>;

/** Prediction sets that a client or a batch creates, fills page by page and finishes. */
export function createPredictionFilling(dependencies: PredictionFillingDependencies) {
  const { database, predictions, sets, labelRows, access, clock, onDiscarded } = dependencies;
  const annotations = createAnnotationRepository(database);

  function taskWithFrames(actor: Actor, id: number, action: 'import:annotations' | 'export:annotations'): TaskRow {
    const task = access.task(actor, id, action);
    if (task.media_id !== null && task.size !== null) return task;
    const message = 'The task has no data yet. Upload its images first.';
    throw new AppError('invalid', message, [message]);
  }

  function open(
    actor: Actor,
    id: number,
    action: 'view:annotations' | 'import:annotations' | 'export:annotations',
  ): PredictionSetRow & { readonly setId: number } {
    const row = predictions.get(id);
    const setId = sets.ofPredictions(id);
    if (!row || setId === undefined) throw notFound();
    access.task(actor, row.task_id, action);
    return { ...row, setId };
  }

  function checkPage(task: TaskRow, data: LabeledData): void {
    checkIds(data, 'absent');
    checkAnnotations(data, indexLabels(labelRows.list(labelOwner(task.project_id, task.id))));
    const frames = [...data.tags, ...data.shapes, ...data.tracks.flatMap(({ shapes }) => shapes)];
    if (frames.some(({ frame }) => frame >= (task.size ?? 0)))
      throw invalidField('frame', `The task has frames from 0 to ${(task.size ?? 0) - 1}.`);
  }

  return {
    open,
    taskWithFrames,

    begin(actor: Actor, taskId: number, { name, detail, offered = false, format = null }: NewFilling): number {
      const task = taskWithFrames(actor, taskId, 'import:annotations');
      return database.write(() => {
        const about = { task_id: task.id, name, source: 'function', detail, format } as const;
        const flags = { offered: offered ? 1 : 0, owner_id: actor.userId } as const;
        const made = predictions.insert({ ...about, ...flags }, 'filling', clock());
        sets.createPredictions(made);
        return made;
      });
    },

    /** Adds a page: all objects or, if one is invalid, none. Returns the number of objects. */
    append(actor: Actor, id: number, data: LabeledData): number {
      const { setId, task_id: taskId, state, offered } = open(actor, id, 'import:annotations');
      if (state === 'ready')
        throw new AppError('conflict', 'The prediction set is finished. Create another one to add results.');
      if (offered === 1 && data.tracks.length > 0)
        throw invalidField('tracks', 'Suggestions are shapes and tags. Send the shapes of each frame instead.');
      checkPage(taskWithFrames(actor, taskId, 'import:annotations'), data);
      database.write(() => {
        for (const tag of data.tags) annotations.tags.insert(setId, tag);
        for (const shape of data.shapes) annotations.shapes.insert(setId, shape);
        for (const track of data.tracks) annotations.tracks.insert(setId, track);
      });
      return data.tags.length + data.shapes.length + data.tracks.length;
    },

    remove(actor: Actor, id: number): void {
      open(actor, id, 'import:annotations');
      predictions.remove(id);
      onDiscarded();
    },
  };
}
