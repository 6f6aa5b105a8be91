import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type {
  PredictionSet,
  PredictionSetPatch,
  PredictionSetWrite,
} from '../../../preload/contract/schema/predictions.ts';
import type { Database } from '../../db/open.ts';
import type { FormatCatalog } from '../../formats/format-catalog.ts';
import type { Actor } from '../../people/access/actor.ts';
import { basicUser } from '../../people/users/present.ts';
import type { UserRepository } from '../../people/users/user-repository.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError, invalidField, notFound } from '../../platform/errors.ts';
import type { RequestService } from '../../requests/request-service.ts';
import { createAnnotationRepository } from '../../work/annotations/annotation-repository.ts';
import { checkAnnotations, checkIds, indexLabels } from '../../work/annotations/annotation-rules.ts';
import type { AnnotationSetRepository } from '../../work/annotations/annotation-set-repository.ts';
import { labelOwner, type LabelRepository } from '../../work/labels/label-repository.ts';
import type { TaskRow } from '../../work/tasks/task-repository.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import type { PredictionRepository, PredictionSetRow } from './prediction-repository.ts';
import { createPredictionRequests } from './prediction-requests.ts';

interface Dependencies {
  readonly database: Database;
  readonly predictions: PredictionRepository;
  readonly sets: AnnotationSetRepository;
  readonly labelRows: LabelRepository;
  readonly users: Pick<UserRepository, 'get'>;
  readonly access: WorkAccess;
  readonly formats: FormatCatalog;
  readonly clock: Clock;
  readonly onDiscarded: () => void;
}

export type PredictionService = ReturnType<typeof createPredictionService>;

/**
 * Prediction sets of tasks. A set is begun, filled page by page and finished; or a file or another task's annotations
 * fill it in the background, and it is there once it is whole. Annotations are never touched.
 */
export function createPredictionService(dependencies: Dependencies, requests: RequestService) {
  const { database, predictions, sets, labelRows, users, access, formats, clock, onDiscarded } = dependencies;
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

  function present({ owner_id: ownerId, ...row }: PredictionSetRow, baseUrl: string): PredictionSet {
    const { id, task_id, name, source, detail, format, state, created_date, updated_date } = row;
    const setId = sets.ofPredictions(id);
    const owner = ownerId === null ? undefined : users.get(ownerId);
    return {
      id,
      task_id,
      name,
      source,
      detail,
      format,
      state,
      object_count: setId === undefined ? 0 : sets.countObjects([setId]),
      owner: owner ? basicUser(owner, baseUrl) : null,
      created_date,
      updated_date,
    };
  }

  const presentAgain = (id: number, baseUrl: string): PredictionSet => present(predictions.get(id)!, baseUrl);

  function checkPage(task: TaskRow, data: LabeledData): void {
    checkIds(data, 'absent');
    checkAnnotations(data, indexLabels(labelRows.list(labelOwner(task.project_id, task.id))));
    const frames = [...data.tags, ...data.shapes, ...data.tracks.flatMap(({ shapes }) => shapes)];
    if (frames.some(({ frame }) => frame >= (task.size ?? 0)))
      throw invalidField('frame', `The task has frames from 0 to ${(task.size ?? 0) - 1}.`);
  }

  return {
    list(actor: Actor, taskId: number): PredictionSet[] {
      access.task(actor, taskId, 'view:annotations');
      return predictions.ofTask(taskId).map((row) => present(row, actor.baseUrl));
    },

    get: (actor: Actor, id: number): PredictionSet => present(open(actor, id, 'view:annotations'), actor.baseUrl),

    /** An empty set that is filled by `append` and ended by `update`. */
    create(actor: Actor, taskId: number, { name, detail }: PredictionSetWrite): PredictionSet {
      const task = taskWithFrames(actor, taskId, 'import:annotations');
      const id = database
        .transaction(() => {
          const row = {
            task_id: task.id,
            name,
            source: 'function',
            detail,
            format: null,
            owner_id: actor.userId,
          } as const;
          const made = predictions.insert(row, 'filling', clock());
          sets.createPredictions(made);
          return made;
        })
        .immediate();
      return presentAgain(id, actor.baseUrl);
    },

    /** A page: all of it or, where one object is wrong, nothing. */
    append(actor: Actor, id: number, data: LabeledData): { readonly added: number; readonly object_count: number } {
      const { setId, task_id: taskId, state } = open(actor, id, 'import:annotations');
      if (state === 'ready')
        throw new AppError('conflict', 'The prediction set is finished. Begin another one to add to.');
      checkPage(taskWithFrames(actor, taskId, 'import:annotations'), data);
      database
        .transaction(() => {
          for (const tag of data.tags) annotations.tags.insert(setId, tag);
          for (const shape of data.shapes) annotations.shapes.insert(setId, shape);
          for (const track of data.tracks) annotations.tracks.insert(setId, track);
        })
        .immediate();
      const added = data.tags.length + data.shapes.length + data.tracks.length;
      return { added, object_count: sets.countObjects([setId]) };
    },

    update(actor: Actor, id: number, { name, state }: PredictionSetPatch): PredictionSet {
      const row = open(actor, id, 'import:annotations');
      predictions.update({ id, name: name ?? row.name, state: state ?? row.state }, clock());
      return presentAgain(id, actor.baseUrl);
    },

    remove(actor: Actor, id: number): void {
      open(actor, id, 'import:annotations');
      predictions.remove(id);
      onDiscarded();
    },

    /** Throws where the actor may not bring predictions here. */
    requireImport: (actor: Actor, taskId: number): void => void taskWithFrames(actor, taskId, 'import:annotations'),

    ...createPredictionRequests({ formats, open, taskWithFrames }, requests),

    /** For evaluations: a set that is whole, of this task. */
    ready(actor: Actor, id: number, taskId: number): { readonly id: number; readonly name: string } {
      const row = open(actor, id, 'view:annotations');
      if (row.task_id !== taskId) throw invalidField('predictions', `Prediction set ${id} is of another task.`);
      if (row.state !== 'ready')
        throw invalidField('predictions', `Prediction set "${row.name}" is still being filled.`);
      return { id, name: row.name };
    },
  };
}
