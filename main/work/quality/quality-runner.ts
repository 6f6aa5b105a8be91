import type { Actor } from '../../users/access/actor.ts';
import { AppError } from '../../platform/errors.ts';
import type { RequestRun, RequestRunner } from '../../background-requests/request-queue.ts';
import type { WorkChanges } from '../changes.ts';
import { labelOwner } from '../tables/label-repository.ts';
import type { ProjectRow } from '../tables/project-repository.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';
import {
  createTaskComparison,
  requirementBasis,
  type ComparedTask,
  type TaskComparisonDependencies,
} from './compare-task.ts';
import { choicesOf, unfinishedTruth } from './quality-rules.ts';
import { projectReport } from './stored-reports.ts';

type Dependencies = TaskComparisonDependencies & Pick<WorkServiceDependencies, 'projects' | 'changes'>;

/** Compares each annotation job of a task with the ground truth on their common frames; for a project, each task. */
export function createQualityRunner(dependencies: Dependencies): RequestRunner {
  const { quality, requirements, tasks, projects, changes, labelRows, clock } = dependencies;
  const { compareTask, currentReport } = createTaskComparison(dependencies);

  async function compareTasks(project: ProjectRow, reader: Actor, { signal, progress }: RequestRun) {
    const taskIds = tasks.idsOfProject(project.id);
    const compared = new Map<number, ComparedTask>();
    for (const [at, id] of taskIds.entries()) {
      const task = tasks.get(id);
      const step = (share: number): void => progress((at + share) / taskIds.length, 'Comparing with the ground truth');
      const one = task && (currentReport(task) ?? (await compareTask(task, { reader, signal, progress: step })));
      if (one) compared.set(id, one);
    }
    return { taskIds, compared };
  }

  return async (run, background) => {
    const actor = changes.actorOf(run);
    const reader = readerFor(actor);
    if (run.task_id !== null) {
      const task = tasks.get(run.task_id);
      if (!task) throw new AppError('not-found', 'Cannot compare the task: it was deleted.');
      const compared = await compareTask(task, { reader, ...background });
      if (!compared) throw new AppError('invalid', unfinishedTruth);
      return { resultId: changes.run(actor, {}, () => compared.insert(null, clock())) };
    }
    const project = run.project_id === null ? undefined : projects.get(run.project_id);
    if (!project) throw new AppError('not-found', 'Cannot compare the project: it was deleted.');
    const { taskIds, compared } = await compareTasks(project, reader, background);
    const settings = quality.settingsOfProject(project.id, clock());
    const choices = choicesOf(settings.chosen);
    const labels = labelRows.list(labelOwner(project.id, 0));
    const report = projectReport(taskIds, new Map([...compared].map(([id, one]) => [id, one.report])), {
      choices,
      inherited: false,
      labels: labels.map(({ name }) => name),
      requirements: requirementBasis(requirements.ofSettings(settings.id), choices, labels),
    });
    const resultId = changes.run(actor, {}, () => {
      const now = clock();
      const parentId = quality.insert(
        {
          parentId: null,
          taskId: null,
          projectId: project.id,
          jobId: null,
          targetDate: project.updated_date,
          truthDate: null,
          assigneeId: null,
          report,
          conflicts: [],
        },
        now,
      );
      for (const one of compared.values()) one.insert(parentId, now);
      return parentId;
    });
    return { resultId };
  };
}

/**
 * An actor that reads all jobs. The right to start a report was checked before, and the user may not be allowed to read
 * each of the jobs.
 */
const readerFor = ({ userId, baseUrl }: ReturnType<WorkChanges['actorOf']>): Actor => ({
  userId: userId ?? 0,
  username: '',
  group: 'admin',
  organization: { kind: 'all' },
  readOnly: true,
  baseUrl,
});
