import type {
  EvaluatedTask,
  ProjectEvaluationWrite,
  ProjectPredictions,
} from '../../../preload/contract/schema/evaluations.ts';
import type { PredictionSet } from '../../../preload/contract/schema/predictions.ts';
import type { Store } from '../../db/store.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import { invalidField } from '../../platform/errors.ts';
import type { RequestService } from '../../background-requests/request-service.ts';
import type { JobRepository } from '../../work/tables/job-repository.ts';
import type { LabelRepository } from '../../work/tables/label-repository.ts';
import type { TaskRepository, TaskRow } from '../../work/tables/task-repository.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import type { PredictionService } from '../predictions/prediction-service.ts';
import type { EvaluationRepository, ProjectPart } from './evaluation-repository.ts';
import { requireLabels } from './evaluation-opening.ts';
import { startEvaluation } from './evaluation-runner.ts';

interface Dependencies {
  readonly database: Store;
  readonly evaluations: EvaluationRepository;
  readonly predictions: Pick<PredictionService, 'list'>;
  readonly tasks: Pick<TaskRepository, 'get' | 'idsOfProject'>;
  readonly jobs: JobRepository;
  readonly labelRows: LabelRepository;
  readonly access: WorkAccess;
  readonly clock: Clock;
}

/** Models over all tasks of a project. Prediction sets with the same name belong to one model. */
export function createProjectEvaluations(dependencies: Dependencies, requests: RequestService) {
  const { predictions, tasks, jobs, labelRows, access } = dependencies;

  /** Image tasks with their complete sets, newest first. */
  function tasksOf(actor: Actor, projectId: number): { task: TaskRow; sets: PredictionSet[] }[] {
    return tasks.idsOfProject(projectId).flatMap((id) => {
      const task = tasks.get(id);
      if (!task || task.media_id === null || task.size === null) return [];
      return { task, sets: predictions.list(actor, id).filter(({ state }) => state === 'ready') };
    });
  }

  return {
    predictions(actor: Actor, projectId: number): ProjectPredictions {
      access.project(actor, projectId, 'view');
      const found = tasksOf(actor, projectId);
      const newest = found.flatMap(({ sets }) =>
        [...Map.groupBy(sets, ({ name }) => name).values()].map(([set]) => set!),
      );
      const byName = Map.groupBy(newest, ({ name }) => name);
      return {
        task_count: found.length,
        results: [...byName].map(([name, own]) => ({
          name,
          task_count: own.length,
          object_count: own.reduce((sum, { object_count: count }) => sum + count, 0),
        })),
      };
    },

    create(
      actor: Actor,
      projectId: number,
      body: ProjectEvaluationWrite,
    ): { readonly id: number; readonly rq_id: string } {
      const project = access.project(actor, projectId, 'view');
      const { name, predictions: names, truth, kind, labels, label_mapping } = body;
      requireLabels('project', labelRows.list({ kind: 'project', id: projectId }), body);
      if (new Set(names).size < names.length) throw invalidField('predictions', 'Name each model only once.');
      const [compared, told]: [ProjectPart[], EvaluatedTask[]] = [[], []];
      const said = new Set<string>();
      for (const { task, sets } of tasksOf(actor, projectId)) {
        const own = names.flatMap((wanted) => sets.find((set) => set.name === wanted) ?? []);
        for (const set of own) said.add(set.name);
        const truthJob =
          truth === 'annotations' ? null : jobs.ofTask(task.id).find(({ type }) => type === 'ground_truth');
        const left_out =
          own.length < names.length ? 'no_predictions' : truthJob === undefined ? 'no_ground_truth' : null;
        told.push({ id: task.id, name: task.name, left_out });
        if (left_out !== null) continue;
        const truth_job_id = truthJob?.id ?? null;
        compared.push({ task_id: task.id, truth_job_id, prediction_set_ids: own.map(({ id }) => id) });
      }
      const silent = names.find((wanted) => !said.has(wanted));
      if (silent !== undefined)
        throw invalidField('predictions', `No task of the project has a complete prediction set "${silent}".`);
      if (compared.length === 0) {
        const lacking = truth === 'annotations' ? '' : ' and a ground-truth job';
        throw invalidField('predictions', `No task of the project has predictions of all selected models${lacking}.`);
      }
      const settings = {
        truth_job_id: null,
        truth_prediction_set_id: null,
        frames: null,
        labels,
        label_mapping,
        project: { truth, tasks: told, parts: compared },
      };
      const row = { task_id: null, project_id: projectId, name, kind, settings };
      const models = names.map((model) => ({ id: null, name: model }));
      const { organization_id: organizationId } = project;
      return startEvaluation(dependencies, requests, actor, { row, models, projectId, organizationId });
    },
  };
}
