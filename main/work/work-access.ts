import { everything, type SqlFragment } from '../db/filters.ts';
import { parseNumber } from '../db/json-logic.ts';
import { notFound } from '../platform/errors.ts';
import {
  isAdmin,
  isAllowed,
  requireAllowed,
  type AccessFacts,
  type Caller,
  type PlaceFacts,
} from '../users/access/access-rules.ts';
import type { ActionOf } from '../users/access/access-table.ts';
import type { Actor, ListRequest } from '../users/access/actor.ts';
import type { JobRow } from './tables/job-table.ts';
import type { ProjectRow } from './tables/project-table.ts';
import { isInContext, visibleTo, type ScopeColumns } from '../users/access/scope.ts';
import type { Rows } from './tables/rows.ts';
import type { TaskRow } from './tables/task-table.ts';

export type WorkAccess = ReturnType<typeof createWorkAccess>;

interface Repositories {
  readonly projects: Pick<Rows<ProjectRow>, 'get'>;
  readonly tasks: Pick<Rows<TaskRow>, 'get'>;
  readonly jobs: Pick<Rows<JobRow>, 'get'>;
  readonly place: PlaceFacts;
}

/**
 * Opens projects, tasks and jobs for an actor and its intended actions: 404 if there is none, 403 if the rules refuse
 * one of the actions.
 */
export function createWorkAccess({ projects, tasks, jobs, place }: Repositories) {
  const facts = createFacts(place);

  /**
   * True if the actor sees all tasks, or jobs, of a project, regardless of their owners and assignees. They are in the
   * project's organization.
   */
  function seesAllOf(actor: Actor, kind: 'task' | 'job', id: number): boolean {
    const project = projects.get(id);
    if (!project || !isInContext(actor, project.organization_id)) return false;
    const people = { projectOwner: project.owner_id, projectAssignee: project.assignee_id };
    return isAllowed(actor, kind, 'view', { ...facts.place(actor, project.organization_id), people });
  }

  return {
    facts,
    /**
     * Like {@link visibleTo}, but faster: it skips the rules for the rows of a project that the actor sees completely,
     * and for rows unrelated to an actor who sees only few.
     */
    listed(
      actor: Actor,
      kind: 'task' | 'job',
      columns: ScopeColumns,
      { equals }: ListRequest,
      few: () => SqlFragment | null,
    ): SqlFragment {
      const scope = visibleTo(actor, kind, columns);
      if (isAdmin(actor)) return scope;
      const projectId = parseNumber(equals['project_id'] ?? '');
      if (projectId !== null && seesAllOf(actor, kind, projectId)) return everything;
      const rows = few();
      return rows ? { sql: `${rows.sql} AND (${scope.sql})`, params: [...rows.params, ...scope.params] } : scope;
    },
    seesTask(actor: Caller, id: number): boolean {
      const row = tasks.get(id);
      return row !== undefined && isAllowed(actor, 'task', 'view', facts.task(actor, row));
    },
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

/** An object opened without an action needs 'view'. */
const orView = <Action extends string>(actions: readonly Action[]): readonly (Action | 'view')[] =>
  actions.length === 0 ? ['view'] : actions;

function createFacts(place: PlaceFacts) {
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
