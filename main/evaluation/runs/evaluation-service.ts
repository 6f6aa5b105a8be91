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
  EvaluationsQuery,
  EvaluationWrite,
} from '../../../preload/contract/schema/evaluations.ts';
import { forbidden } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { UserRepository } from '../../users/accounts/user-repository.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import type { RequestService } from '../../background-requests/request-service.ts';
import { labelOwner } from '../../work/tables/label-repository.ts';
import type { TaskRepository, TaskRow } from '../../work/tables/task-repository.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import type { PredictionService } from '../predictions/prediction-service.ts';
import { createComparedFrames, type ComparedFrameDependencies } from './compared-frames.ts';
import { createEvaluationCounting } from './evaluation-counting.ts';
import type { EvaluationSettings } from './evaluation-repository.ts';
import { startEvaluation } from './evaluation-runner.ts';
import { createEvaluationOpening, isGranted, requireLabels } from './evaluation-opening.ts';
import { createProjectEvaluations } from './project-evaluations.ts';
import { reportFile, type ReportFile } from './report-file.ts';

interface Dependencies extends ComparedFrameDependencies {
  readonly predictions: Pick<PredictionService, 'ready' | 'list'>;
  readonly tasks: TaskRepository;
  readonly users: Pick<UserRepository, 'get'>;
  readonly access: WorkAccess;
  readonly clock: Clock;
}

/** Evaluations, for users who can see the task: computed in the background, then counted at any overlap and score. */
export function createEvaluationService(dependencies: Dependencies, requests: RequestService) {
  const { evaluations, predictions, access } = dependencies;
  const counting = createEvaluationCounting(evaluations);
  const frames = createComparedFrames(dependencies);
  const { open, taskOf, present } = createEvaluationOpening(dependencies);
  const ofProjects = createProjectEvaluations(dependencies, requests);

  function report(actor: Actor, id: number): EvaluationReport {
    const row = open(actor, id);
    if (!row.subject) throw notMeasured();
    const details = evaluations.models(id).flatMap(({ measured }) => measured?.details ?? []);
    return { ...present(row, actor.baseUrl), ...row.subject, details };
  }

  function counts(actor: Actor, id: number, query: CountsQuery): EvaluationCountsAnswer {
    const row = open(actor, id);
    if (!row.subject) throw notMeasured();
    return counting.counts(row, query);
  }

  return {
    list(actor: Actor, { task_id: taskId, project_id: projectId }: EvaluationsQuery): Evaluation[] {
      if (taskId !== undefined) access.task(actor, taskId, 'view:annotations');
      if (projectId !== undefined) access.project(actor, projectId, 'view');
      const rows = evaluations.list({ taskId, projectId });
      return rows.filter((row) => isGranted(() => open(actor, row.id))).map((row) => present(row, actor.baseUrl));
    },

    predictionsOfProject: ofProjects.predictions,
    createOfProject: ofProjects.create,

    create(actor: Actor, body: EvaluationWrite): { readonly id: number; readonly rq_id: string } {
      const { task_id: taskId, name, kind, predictions: wanted, ...settings } = body;
      const task = access.task(actor, taskId, 'view:annotations');
      if (task.media_id === null || task.size === null)
        throw invalidField('task_id', 'The task has no data yet. Upload its images first.');
      checkSettings(dependencies, actor, task, settings);
      const models = wanted.map((set) => predictions.ready(actor, set, taskId));
      const place = { task_id: taskId, project_id: null };
      const row = { ...place, name, kind, settings };
      const { project_id: projectId, organization_id: organizationId } = task;
      return startEvaluation(dependencies, requests, actor, { row, models, projectId, organizationId });
    },

    get: report,
    counts,

    remove(actor: Actor, id: number): void {
      const row = open(actor, id);
      const { task_id: taskId, project_id: projectId } = row;
      const mayChange = (): unknown =>
        taskId === null
          ? access.project(actor, projectId ?? 0, 'update')
          : access.task(actor, taskId, 'import:annotations');
      if (row.owner_id !== actor.userId && !isGranted(mayChange)) throw forbidden();
      evaluations.remove(id);
      counting.forget(id);
    },

    frames(actor: Actor, id: number, query: EvaluationFramesQuery): { count: number; results: EvaluationFrame[] } {
      const row = open(actor, id);
      if (!row.subject) throw notMeasured();
      const found = counting.frames(row, query);
      return { count: found.length, results: found.slice(query.offset, query.offset + query.limit) };
    },

    compare(actor: Actor, id: number, frame: number, query: ComparedFrameQuery): ComparedFrame {
      const row = open(actor, id);
      const task = taskOf(actor, row, query.task_id);
      const score = counting.scoreOf(row, query.iou, query.score);
      return frames.compare(actor, row, task, frame, { ...query, score });
    },

    file(actor: Actor, id: number, { format, ...threshold }: EvaluationFileQuery): ReportFile {
      return reportFile(format, report(actor, id), counts(actor, id, threshold));
    },
  };
}

/** Rejects settings that would otherwise fail only in the background. */
function checkSettings(
  { access, predictions, labelRows }: Dependencies,
  actor: Actor,
  task: TaskRow,
  settings: EvaluationSettings,
): void {
  const { truth_job_id: jobId, truth_prediction_set_id: truthSet } = settings;
  if (jobId !== null && truthSet !== null)
    throw invalidField('truth_job_id', 'Set either a job or a prediction set as the ground truth, not both.');
  if (jobId !== null && access.job(actor, jobId, 'view:annotations').task_id !== task.id)
    throw invalidField('truth_job_id', `Job ${jobId} belongs to another task.`);
  if (truthSet !== null) predictions.ready(actor, truthSet, task.id);
  requireLabels('task', labelRows.list(labelOwner(task.project_id, task.id)), settings);
}

const notMeasured = () =>
  new AppError('conflict', 'The evaluation is not finished. Its background request shows the progress or the error.');
