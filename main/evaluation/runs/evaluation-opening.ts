import type { Evaluation } from '../../../preload/contract/schema/evaluations.ts';
import type { Actor } from '../../users/access/actor.ts';
import { basicUser } from '../../users/accounts/present.ts';
import type { UserRepository } from '../../users/accounts/user-repository.ts';
import { AppError, invalidField, notFound } from '../../platform/errors.ts';
import type { TaskRepository, TaskRow } from '../../work/tables/task-repository.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import type { EvaluationRepository, EvaluationRow, EvaluationSettings } from './evaluation-repository.ts';

interface Dependencies {
  readonly evaluations: EvaluationRepository;
  readonly tasks: Pick<TaskRepository, 'get'>;
  readonly users: Pick<UserRepository, 'get'>;
  readonly access: WorkAccess;
}

export function createEvaluationOpening({ evaluations, tasks, users, access }: Dependencies) {
  function open(actor: Actor, id: number): EvaluationRow {
    const row = evaluations.get(id);
    if (!row) throw notFound();
    const { task_id: taskId, project_id: projectId } = row;
    if (taskId !== null) access.task(actor, taskId, 'view:annotations');
    if (projectId !== null) access.project(actor, projectId, 'view');
    return row;
  }

  function taskOf(actor: Actor, { task_id: own, settings }: EvaluationRow, wanted: number | undefined): TaskRow {
    const taskId = own ?? wanted;
    if (taskId === undefined) {
      const names = settings.project?.parts.map((part) => part.task_id).join(', ') ?? '';
      throw invalidField('task_id', `This is a project evaluation. Set the task of the frame (${names}).`);
    }
    if (wanted !== undefined && wanted !== taskId)
      throw invalidField('task_id', 'The evaluation belongs to another task.');
    return access.task(actor, taskId, 'view:annotations');
  }

  /** True if the ground truth has changed since the evaluation. */
  function isOutdated({ task_id: taskId, settings, finished_date: finished }: EvaluationRow): boolean {
    if (finished === null || settings.truth_prediction_set_id !== null) return false;
    const ids = settings.project?.parts.map((part) => part.task_id) ?? [taskId ?? 0];
    return ids.some((id) => (tasks.get(id)?.updated_date ?? '') > finished);
  }

  function present(row: EvaluationRow, baseUrl: string): Evaluation {
    const { settings, request_id: rq_id, owner_id: ownerId, subject: _, ...shown } = row;
    const owner = ownerId === null ? undefined : users.get(ownerId);
    return {
      ...shown,
      truth: settings.project?.truth ?? null,
      tasks: [...(settings.project?.tasks ?? [])],
      truth_job_id: settings.truth_job_id,
      truth_prediction_set_id: settings.truth_prediction_set_id,
      models: evaluations
        .models(row.id)
        .map(({ measured, ...model }) => ({ ...model, measures: measured?.measures ?? null })),
      rq_id,
      owner: owner ? basicUser(owner, baseUrl) : null,
      is_outdated: isOutdated(row),
    };
  }

  return { open, taskOf, present };
}

/** @throws AppError 400 for an unknown label, which would otherwise fail only in the background */
export function requireLabels(
  owner: 'task' | 'project',
  there: readonly { readonly name: string }[],
  { labels, label_mapping: mapping }: Pick<EvaluationSettings, 'labels' | 'label_mapping'>,
): void {
  const known = new Set<string | null>([null, ...there.map(({ name }) => name)]);
  const unknown = [...(labels ?? []), ...Object.values(mapping)].find((label) => !known.has(label));
  if (unknown !== undefined) throw invalidField('labels', `The ${owner} has no label "${unknown}".`);
}

export function isGranted(ask: () => unknown): boolean {
  try {
    ask();
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
