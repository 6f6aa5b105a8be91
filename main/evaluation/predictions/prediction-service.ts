import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type {
  PredictionSet,
  PredictionSetPatch,
  PredictionSetWrite,
} from '../../../preload/contract/schema/predictions.ts';
import type { FormatCatalog } from '../../formats/format-catalog.ts';
import type { Actor } from '../../users/access/actor.ts';
import { basicUser } from '../../users/accounts/present.ts';
import type { UserRepository } from '../../users/accounts/user-repository.ts';
import type { Clock } from '../../platform/clock.ts';
import { invalidField } from '../../platform/errors.ts';
import type { RequestService } from '../../background-requests/request-service.ts';
import type { AnnotationSetRepository } from '../../work/annotations/annotation-set-repository.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import type { PredictionFilling } from './prediction-filling.ts';
import type { PredictionRepository, PredictionSetRow } from './prediction-repository.ts';
import { createPredictionRequests } from './prediction-requests.ts';

interface Dependencies {
  readonly filling: PredictionFilling;
  readonly predictions: PredictionRepository;
  readonly sets: AnnotationSetRepository;
  readonly users: Pick<UserRepository, 'get'>;
  readonly access: WorkAccess;
  readonly formats: FormatCatalog;
  readonly clock: Clock;
}

export type PredictionService = ReturnType<typeof createPredictionService>;

/**
 * Prediction sets of tasks. A client fills a set page by page, or a background request fills it from a file or another
 * task; the set appears when it is complete. Annotations are never changed.
 */
export function createPredictionService(dependencies: Dependencies, requests: RequestService) {
  const { filling, predictions, sets, users, access, formats, clock } = dependencies;
  const { open, taskWithFrames } = filling;

  function present({ owner_id: ownerId, ...row }: PredictionSetRow, baseUrl: string): PredictionSet {
    const setId = sets.ofPredictions(row.id);
    const owner = ownerId === null ? undefined : users.get(ownerId);
    return {
      ...row,
      offered: row.offered === 1,
      object_count: setId === undefined ? 0 : sets.countObjects([setId]),
      owner: owner ? basicUser(owner, baseUrl) : null,
    };
  }

  const presentAgain = (id: number, baseUrl: string): PredictionSet => present(predictions.get(id)!, baseUrl);

  return {
    list(actor: Actor, taskId: number): PredictionSet[] {
      access.task(actor, taskId, 'view:annotations');
      return predictions.ofTask(taskId).map((row) => present(row, actor.baseUrl));
    },

    get(actor: Actor, id: number): PredictionSet {
      open(actor, id, 'view:annotations');
      return presentAgain(id, actor.baseUrl);
    },

    /** An empty set; filled by `append` and finished by `update`. */
    create: (actor: Actor, taskId: number, set: PredictionSetWrite): PredictionSet =>
      presentAgain(filling.begin(actor, taskId, set), actor.baseUrl),

    append(actor: Actor, id: number, data: LabeledData): { readonly added: number; readonly object_count: number } {
      const added = filling.append(actor, id, data);
      return { added, object_count: sets.countObjects([open(actor, id, 'import:annotations').setId]) };
    },

    update(actor: Actor, id: number, { name, state }: PredictionSetPatch): PredictionSet {
      const row = open(actor, id, 'import:annotations');
      predictions.update({ id, name: name ?? row.name, state: state ?? row.state }, clock());
      return presentAgain(id, actor.baseUrl);
    },

    remove: filling.remove,

    /** Throws if the actor may not import predictions. */
    requireImport: (actor: Actor, taskId: number): void => void taskWithFrames(actor, taskId, 'import:annotations'),

    ...createPredictionRequests({ formats, open, taskWithFrames }, requests),

    /** For evaluations: a complete set of this task. */
    ready(actor: Actor, id: number, taskId: number): { readonly id: number; readonly name: string } {
      const row = open(actor, id, 'view:annotations');
      if (row.task_id !== taskId) throw invalidField('predictions', `Prediction set ${id} belongs to another task.`);
      if (row.offered === 1)
        throw invalidField('predictions', `The objects of "${row.name}" are suggestions that await a decision.`);
      if (row.state !== 'ready')
        throw invalidField('predictions', `Prediction set "${row.name}" is still being filled.`);
      return { id, name: row.name };
    },
  };
}
