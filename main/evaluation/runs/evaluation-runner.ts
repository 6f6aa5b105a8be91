import type { Store } from '../../db/store.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { RequestRunner } from '../../background-requests/request-queue.ts';
import type { RequestService, StartRequest } from '../../background-requests/request-service.ts';
import type { AnnotationSetRepository } from '../../work/annotations/annotation-set-repository.ts';
import type { TaskRepository } from '../../work/tables/task-repository.ts';
import type { DatasetTarget } from '../../import-export/annotation-reader/stored-view.ts';
import type { EvaluateJob } from './evaluation-work.ts';
import type { EvaluationRepository } from './evaluation-repository.ts';

interface Dependencies {
  readonly database: Store;
  readonly databaseFile: string;
  readonly dataDirectory: string;
  readonly workers: WorkerPool;
  readonly evaluations: EvaluationRepository;
  readonly sets: AnnotationSetRepository;
  readonly tasks: Pick<TaskRepository, 'get'>;
  readonly clock: Clock;
}

interface Wanted extends Required<Pick<StartRequest, 'organizationId' | 'projectId'>> {
  readonly row: Omit<Parameters<EvaluationRepository['insert']>[0], 'owner_id' | 'created_date'>;
  readonly models: Parameters<EvaluationRepository['insert']>[1];
}

interface EvaluationParameters {
  readonly evaluationId: number;
}

export const evaluationType = 'create:evaluation';

export function startEvaluation(
  { database, evaluations, clock }: Pick<Dependencies, 'database' | 'evaluations' | 'clock'>,
  requests: RequestService,
  actor: Actor,
  { row, models, organizationId, projectId }: Wanted,
): { readonly id: number; readonly rq_id: string } {
  const whole = { ...row, owner_id: actor.userId, created_date: clock() };
  const id = database.write(() => evaluations.insert(whole, models));
  const { task_id: taskId } = row;
  const of =
    taskId === null
      ? { target: 'project' as const, targetId: projectId ?? 0 }
      : { target: 'task' as const, targetId: taskId };
  const parameters: EvaluationParameters = { evaluationId: id };
  const { rq_id } = requests.start(actor, {
    key: { action: 'create', ...of, uuid: String(id), subresource: 'evaluation' },
    type: evaluationType,
    taskId,
    projectId,
    organizationId,
    parameters: { ...parameters },
  });
  evaluations.setRequest(id, rq_id);
  return { id, rq_id };
}

/** Evaluates in a worker thread. The results and the end of the request are committed together. */
export function createEvaluationRunner(dependencies: Dependencies): RequestRunner {
  const { database, databaseFile, dataDirectory, workers, evaluations, sets, tasks, clock } = dependencies;
  return async ({ parameters }, { signal, progress, finish }) => {
    const { evaluationId } = JSON.parse(parameters) as EvaluationParameters;
    const evaluation = evaluations.get(evaluationId);
    if (!evaluation) throw new AppError('not-found', 'The evaluation was deleted before it could run.');
    const { settings, task_id: ownTask, kind } = evaluation;
    const setTarget = (taskId: number, predictionSetId: number | null): DatasetTarget => {
      const setId = predictionSetId === null ? undefined : sets.ofPredictions(predictionSetId);
      if (setId === undefined)
        throw new AppError('not-found', 'A prediction set was deleted before it could be evaluated.');
      return { kind: 'task', id: taskId, setId };
    };
    const { truth_prediction_set_id: truthSet } = settings;
    const parts = settings.project?.parts ?? [
      {
        task_id: ownTask ?? 0,
        truth_job_id: settings.truth_job_id,
        prediction_set_ids: evaluations.models(evaluationId).map((model) => model.prediction_set_id),
      },
    ];
    const job: EvaluateJob = {
      databaseFile,
      dataDirectory,
      kind,
      parts: parts.map(({ task_id: taskId, truth_job_id: jobId, prediction_set_ids: own }) => {
        const frameCount = tasks.get(taskId)?.size ?? null;
        if (frameCount === null)
          throw new AppError('not-found', `Task ${taskId} was deleted before it could be evaluated.`);
        const truth: DatasetTarget =
          truthSet !== null
            ? setTarget(taskId, truthSet)
            : jobId === null
              ? { kind: 'task', id: taskId }
              : { kind: 'job', id: jobId };
        return { taskId, frameCount, truth, models: own.map((set) => setTarget(taskId, set)) };
      }),
      frames: settings.frames,
      labels: settings.labels,
      mapping: settings.label_mapping,
    };
    progress(0, 'Reading the ground truth');
    const evaluated = await workers.run('evaluatePredictions', job, {
      signal,
      onProgress: progress,
    });
    const result = { message: `${evaluated.subject.frame_count} frames measured.`, resultId: evaluationId };
    database.write(() => {
      evaluations.finish(evaluationId, evaluated, clock());
      finish(result);
    });
    return result;
  };
}
