import type { QualitySummary } from '../../../preload/contract/schema/quality.ts';
import type { Actor } from '../../people/access/actor.ts';
import { AppError } from '../../platform/errors.ts';
import type { RequestRunner } from '../../requests/request-queue.ts';
import type { WorkChanges } from '../changes.ts';
import { createTaskComparison, type ComparedTask, type TaskComparisonDependencies } from './compare-task.ts';
import { choicesOf, dataOf, stateInProject, sumOfSummaries } from './quality-rules.ts';
import type { WorkParts } from '../work-parts.ts';

type Dependencies = TaskComparisonDependencies & Pick<WorkParts, 'projects' | 'changes'>;

/** Compares each annotation job of a task with the ground truth, on the frames that both have; of a project, each task. */
export function createQualityRunner(dependencies: Dependencies): RequestRunner {
  const { quality, tasks, jobs, projects, changes, clock } = dependencies;
  const compareTask = createTaskComparison(dependencies);

  return async (run, { signal, progress }) => {
    const actor = changes.actorOf(run);
    const reader = readerFor(actor);
    if (run.task_id !== null) {
      const compared = await compareTask(tasks.get(run.task_id), { reader, signal, progress });
      return { resultId: changes.change(actor, {}, () => compared.insert(null, clock())) };
    }
    const project = run.project_id === null ? undefined : projects.get(run.project_id);
    if (!project) throw new AppError('not-found', 'The project was deleted before it was compared.');
    const all = tasks.idsOfProject(project.id).flatMap((id) => tasks.get(id) ?? []);
    const states = all.map((task) => stateInProject(task, { quality, jobs, now: clock() }));
    const included = all.filter((_, at) => states[at] === 'included');
    const compared: ComparedTask[] = [];
    for (const [at, task] of included.entries()) {
      const step = (share: number): void => progress((at + share) / included.length, 'Comparing with the ground truth');
      compared.push(await compareTask(task, { reader, signal, progress: step }));
    }
    const count = (state: (typeof states)[number]): number => states.filter((one) => one === state).length;
    const summary: QualitySummary = {
      ...sumOfSummaries(compared.map((one) => one.summary)),
      tasks: {
        total: all.length,
        custom: count('custom'),
        not_configured: count('not_configured'),
        excluded: 0,
        included: included.length,
      },
    };
    const choices = choicesOf(quality.settingsOfProject(project.id, clock()).chosen);
    const resultId = changes.change(actor, {}, () => {
      const now = clock();
      const parentId = quality.insert(
        {
          parentId: null,
          taskId: null,
          projectId: project.id,
          jobId: null,
          targetDate: project.updated_date,
          truthDate:
            compared.map((one) => one.truthDate).reduce((latest, date) => (date > latest ? date : latest), '') || null,
          assigneeId: project.assignee_id,
          summary,
          data: dataOf(choices, summary, new Map()),
          conflicts: [],
        },
        now,
      );
      for (const one of compared) one.insert(parentId, now);
      return parentId;
    });
    return { resultId };
  };
}

/** Who may have the report made was asked before; it compares jobs that not everybody may read one by one. */
const readerFor = ({ userId, baseUrl }: ReturnType<WorkChanges['actorOf']>): Actor => ({
  userId: userId ?? 0,
  username: '',
  group: 'admin',
  organization: { kind: 'all' },
  readOnly: true,
  baseUrl,
});
