import { notFound } from '../platform/errors.ts';
import { isAdmin, requireAllowed, type AccessFacts, type Caller } from './access-rules.ts';
import type { ActionOf } from './access-table.ts';
import type { JobRepository, JobRow } from './jobs/job-repository.ts';
import type { ProjectRepository, ProjectRow } from './projects/project-repository.ts';
import type { TaskRepository, TaskRow } from './tasks/task-repository.ts';
import type { UserRepository } from './users/user-repository.ts';

export type WorkAccess = ReturnType<typeof createWorkAccess>;

interface Repositories {
  readonly projects: ProjectRepository;
  readonly tasks: TaskRepository;
  readonly jobs: JobRepository;
  readonly users: Pick<UserRepository, 'role'>;
}

/**
 * Opens projects, tasks and jobs for an actor and the actions that it has in mind: 404 where there is none, 403 where
 * the rules refuse one of the actions.
 */
export function createWorkAccess({ projects, tasks, jobs, users }: Repositories) {
  const facts = createFacts(users);
  return {
    facts,
    project(actor: Caller, id: number, ...actions: ActionOf<'project'>[]): ProjectRow {
      const row = found(projects.get(id));
      const known = facts.project(actor, row);
      for (const action of orView(actions)) requireAllowed(actor, 'project', action, known);
      return row;
    },
    task(actor: Caller, id: number, ...actions: ActionOf<'task'>[]): TaskRow {
      const row = found(tasks.get(id));
      const known = facts.task(actor, row);
      for (const action of orView(actions)) requireAllowed(actor, 'task', action, known);
      return row;
    },
    job(actor: Caller, id: number, ...actions: ActionOf<'job'>[]): JobRow {
      const row = found(jobs.get(id));
      const known = facts.job(actor, row);
      for (const action of orView(actions)) requireAllowed(actor, 'job', action, known);
      return row;
    },
  };
}

function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw notFound();
  return row;
}

/** Whoever opens an object without a purpose wants to see it. */
const orView = <Action extends string>(actions: readonly Action[]): readonly (Action | 'view')[] =>
  actions.length === 0 ? ['view'] : actions;

/** What the rules ask about projects, tasks and jobs, taken from their rows. */
function createFacts(users: Pick<UserRepository, 'role'>) {
  /** Not looked up for an admin, who passes anyway. */
  const place = (actor: Caller, organizationId: number | null): Pick<AccessFacts, 'organizationId' | 'role'> => ({
    organizationId,
    role: organizationId === null || isAdmin(actor) ? null : users.role(organizationId, actor.userId),
  });
  return {
    place,
    project: (actor: Caller, row: ProjectRow): AccessFacts => ({
      ...place(actor, row.organization_id),
      people: { owner: row.owner_id, assignee: row.assignee_id },
    }),
    task: (actor: Caller, row: TaskRow): AccessFacts => ({
      ...place(actor, row.organization_id),
      people: {
        owner: row.owner_id,
        assignee: row.assignee_id,
        projectOwner: row.project_owner_id,
        projectAssignee: row.project_assignee_id,
      },
    }),
    job: (actor: Caller, row: JobRow): AccessFacts => ({
      ...place(actor, row.organization_id),
      people: {
        assignee: row.assignee_id,
        taskOwner: row.task_owner_id,
        taskAssignee: row.task_assignee_id,
        projectOwner: row.project_owner_id,
        projectAssignee: row.project_assignee_id,
      },
    }),
  };
}
