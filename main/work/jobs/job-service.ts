import type { z } from 'zod';
import type { Job, jobPatchSchema } from '../../../preload/contract/schema/resources.ts';
import { listRows } from '../../db/list-rows.ts';
import { orNotFound } from '../../platform/errors.ts';
import type { ActionOf } from '../../users/access/access-table.ts';
import { fewVisible } from '../../users/access/scope.ts';
import type { Actor, Listing, ListRequest } from '../../users/access/actor.ts';
import { assigneeChange, type Rows } from '../tables/rows.ts';
import type { TaskChange, TaskRow } from '../tables/task-table.ts';
import { presentJob } from './job-presenter.ts';
import { jobList, jobsOfPeople, type JobChange, type JobRow } from '../tables/job-table.ts';
import { taskStatus, withStageRule } from './job-rules.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

const columns = {
  organization: 'task.organization_id',
  people: {
    assignee: 'job.assignee_id',
    taskOwner: 'task.owner_id',
    taskAssignee: 'task.assignee_id',
    projectOwner: 'project.owner_id',
    projectAssignee: 'project.assignee_id',
  },
};

const fieldActions: Readonly<Record<keyof z.output<typeof jobPatchSchema>, ActionOf<'job'>>> = {
  assignee: 'update:assignee',
  stage: 'update:stage',
  state: 'update:state',
};

export function createJobService(
  dependencies: Pick<WorkServiceDependencies, 'database' | 'jobs' | 'access' | 'people' | 'changes' | 'clock'> & {
    readonly tasks: Rows<TaskRow> & { update(id: number, change: TaskChange, date: string): void };
  },
) {
  const { database, jobs, tasks, access, people, changes, clock } = dependencies;
  /** Skips the access check: after a change, the user may have given the job away. */
  const presentStored = (actor: Actor, id: number): Job => presentJob(orNotFound(jobs.get(id)), actor.baseUrl);

  /** A job's assignee may change only its state. */
  function update(actor: Actor, id: number, body: z.output<typeof jobPatchSchema>): Job {
    const fields = Object.keys(body) as (keyof typeof fieldActions)[];
    const row = access.job(actor, id, 'view', ...fields.map((field) => fieldActions[field]));
    people.requireUser(actor, 'assignee', body.assignee);
    const now = clock();
    const { stage, state, assignee } = body;
    const change: JobChange = withStageRule(row, { stage, state, ...assigneeChange(assignee, row, now) });
    const watched = {
      jobs: [id],
      tasks: [row.task_id],
      place: { projectId: row.project_id, organizationId: row.organization_id },
    };
    return changes.run(actor, watched, () => {
      const task = tasks.get(row.task_id);
      jobs.update(id, change, now);
      if (change.stage !== undefined || change.state !== undefined) {
        const status = taskStatus(jobs.steps(row.task_id));
        if (task && task.status !== status) tasks.update(row.task_id, { status }, now);
      }
      return presentStored(actor, id);
    });
  }

  return {
    list(actor: Actor, request: ListRequest): Listing<Job> {
      const scope = access.listed(actor, 'job', columns, request, () =>
        fewVisible(database, actor, 'job', jobsOfPeople),
      );
      const { count, results } = listRows<JobRow>(database, jobList, request, scope);
      return { count, results: results.map((row) => presentJob(row, actor.baseUrl)) };
    },
    get: (actor: Actor, id: number): Job => presentJob(access.job(actor, id), actor.baseUrl),
    /** In one transaction, so that rows are read once for access, change and answer. */
    update: (actor: Actor, id: number, body: z.output<typeof jobPatchSchema>): Job =>
      database.write(() => update(actor, id, body)),
  };
}
