import type {
  ComparedFrame,
  ComparedFrameQuery,
  CountsQuery,
  Evaluation,
  EvaluationCountsAnswer,
  EvaluationFileQuery,
  EvaluationFrame,
  EvaluationFramesQuery,
  EvaluationReport,
  EvaluationWrite,
} from '../../../preload/contract/schema/evaluations.ts';
import { forbidden } from '../../people/access/access-rules.ts';
import type { Actor } from '../../people/access/actor.ts';
import { basicUser } from '../../people/users/present.ts';
import type { UserRepository } from '../../people/users/user-repository.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError, invalidField, notFound } from '../../platform/errors.ts';
import type { RequestService } from '../../requests/request-service.ts';
import { labelOwner } from '../../work/labels/label-repository.ts';
import type { TaskRepository, TaskRow } from '../../work/tasks/task-repository.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import type { PredictionService } from '../predictions/prediction-service.ts';
import { createComparedFrames, type ComparedFrameDependencies } from './compared-frames.ts';
import { createEvaluationCounting } from './evaluation-counting.ts';
import type { EvaluationRow, EvaluationSettings } from './evaluation-repository.ts';
import { evaluationType, type EvaluationParameters } from './evaluation-runner.ts';
import { reportFile, type ReportFile } from './report-file.ts';

interface Dependencies extends ComparedFrameDependencies {
  readonly predictions: Pick<PredictionService, 'ready'>;
  readonly tasks: TaskRepository;
  readonly users: Pick<UserRepository, 'get'>;
  readonly access: WorkAccess;
  readonly clock: Clock;
}

/** Evaluations of whoever sees the task: made in the background, then counted at any overlap and score. */
export function createEvaluationService(dependencies: Dependencies, requests: RequestService) {
  const { database, evaluations, predictions, tasks, users, access, clock } = dependencies;
  const counting = createEvaluationCounting(evaluations);
  const frames = createComparedFrames(dependencies);

  function open(actor: Actor, id: number): { readonly row: EvaluationRow; readonly task: TaskRow } {
    const row = evaluations.get(id);
    if (!row) throw notFound();
    return { row, task: access.task(actor, row.task_id, 'view:annotations') };
  }

  function present(row: EvaluationRow, task: TaskRow, baseUrl: string): Evaluation {
    const { id, task_id, name, kind, settings, request_id: rq_id, created_date, finished_date } = row;
    const owner = row.owner_id === null ? undefined : users.get(row.owner_id);
    return {
      id,
      task_id,
      name,
      kind,
      truth_job_id: settings.truth_job_id,
      truth_prediction_set_id: settings.truth_prediction_set_id,
      models: evaluations
        .models(id)
        .map(({ measured, ...model }) => ({ ...model, measures: measured?.measures ?? null })),
      rq_id,
      owner: owner ? basicUser(owner, baseUrl) : null,
      created_date,
      finished_date,
      is_outdated:
        finished_date !== null && settings.truth_prediction_set_id === null && task.updated_date > finished_date,
    };
  }

  function report(actor: Actor, id: number): EvaluationReport {
    const { row, task } = open(actor, id);
    if (!row.subject) throw notMeasured();
    const details = evaluations.models(id).flatMap(({ measured }) => measured?.details ?? []);
    return { ...present(row, task, actor.baseUrl), ...row.subject, details };
  }

  function counts(actor: Actor, id: number, query: CountsQuery): EvaluationCountsAnswer {
    const { row } = open(actor, id);
    if (!row.subject) throw notMeasured();
    return counting.counts(row, query);
  }

  return {
    list(actor: Actor, taskId?: number): Evaluation[] {
      if (taskId !== undefined) access.task(actor, taskId, 'view:annotations');
      return evaluations.list(taskId ?? null).flatMap((row) => {
        const task = tasks.get(row.task_id);
        return task && may(access, actor, row.task_id, 'view:annotations') ? [present(row, task, actor.baseUrl)] : [];
      });
    },

    create(actor: Actor, body: EvaluationWrite): { readonly id: number; readonly rq_id: string } {
      const { task_id: taskId, name, kind, predictions: wanted, ...settings } = body;
      const task = access.task(actor, taskId, 'view:annotations');
      if (task.media_id === null || task.size === null)
        throw invalidField('task_id', 'The task has no data yet. Upload its images first.');
      checkSettings(dependencies, actor, task, settings);
      const models = wanted.map((set) => predictions.ready(actor, set, taskId));
      const row = { task_id: taskId, name, kind, settings, owner_id: actor.userId, created_date: clock() };
      const id = database.transaction(() => evaluations.insert(row, models)).immediate();
      const parameters: EvaluationParameters = { evaluationId: id };
      const { rq_id } = requests.start(actor, {
        key: { action: 'create', target: 'task', targetId: taskId, uuid: String(id), subresource: 'evaluation' },
        type: evaluationType,
        taskId,
        projectId: task.project_id,
        organizationId: task.organization_id,
        parameters: { ...parameters },
      });
      evaluations.setRequest(id, rq_id);
      return { id, rq_id };
    },

    get: report,
    counts,

    remove(actor: Actor, id: number): void {
      const { row } = open(actor, id);
      if (row.owner_id !== actor.userId && !may(access, actor, row.task_id, 'import:annotations')) throw forbidden();
      evaluations.remove(id);
      counting.forget(id);
    },

    frames(actor: Actor, id: number, query: EvaluationFramesQuery): { count: number; results: EvaluationFrame[] } {
      const { row } = open(actor, id);
      if (!row.subject) throw notMeasured();
      const found = counting.frames(row, query);
      return { count: found.length, results: found.slice(query.offset, query.offset + query.limit) };
    },

    compare(actor: Actor, id: number, frame: number, query: ComparedFrameQuery): ComparedFrame {
      const { row, task } = open(actor, id);
      const score = counting.scoreOf(row, query.iou, query.score);
      return frames.compare(actor, row, task, frame, { ...query, score });
    },

    file(actor: Actor, id: number, { format, ...threshold }: EvaluationFileQuery): ReportFile {
      return reportFile(format, report(actor, id), counts(actor, id, threshold));
    },
  };
}

/** What would be found out in the background only. */
function checkSettings(
  { access, predictions, labelRows }: Dependencies,
  actor: Actor,
  task: TaskRow,
  settings: EvaluationSettings,
): void {
  const { truth_job_id: jobId, truth_prediction_set_id: truthSet } = settings;
  if (jobId !== null && truthSet !== null)
    throw invalidField('truth_job_id', 'There is one truth: a job, or a prediction set, not both.');
  if (jobId !== null && access.job(actor, jobId, 'view:annotations').task_id !== task.id)
    throw invalidField('truth_job_id', `Job ${jobId} is of another task.`);
  if (truthSet !== null) predictions.ready(actor, truthSet, task.id);
  const known = new Set(labelRows.list(labelOwner(task.project_id, task.id)).map((label) => label.name));
  const unknown = [...(settings.labels ?? []), ...Object.values(settings.label_mapping)].find(
    (label) => label !== null && !known.has(label),
  );
  if (unknown !== undefined) throw invalidField('labels', `The task has no label "${unknown}".`);
}

/** Whether the actor may do this with the task. */
function may(
  access: WorkAccess,
  actor: Actor,
  taskId: number,
  action: 'view:annotations' | 'import:annotations',
): boolean {
  try {
    access.task(actor, taskId, action);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

const notMeasured = () =>
  new AppError('conflict', 'The evaluation is not measured yet: its request says how far it is, or why it failed.');
