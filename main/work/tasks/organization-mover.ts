import { invalidField } from '../../platform/errors.ts';
import { requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { ProjectChange, ProjectRow } from '../tables/project-table.ts';
import type { TaskRow } from '../tables/task-table.ts';
import type { OrganizationRepository } from '../../users/organizations/organization-repository.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

export type OrganizationMover = ReturnType<typeof createOrganizationMover>;

/**
 * Moves projects and tasks between organizations and the sandbox (`null`). For the access rules, a move is a deletion
 * at one place and a creation at the other. Assignees who would lose access are unassigned.
 */
export function createOrganizationMover(
  dependencies: Pick<WorkServiceDependencies, 'users' | 'tasks' | 'jobs' | 'access'> & {
    readonly organizations: OrganizationRepository;
    readonly projects: { update(id: number, change: ProjectChange, date: string): void };
  },
) {
  const { organizations, users, projects, tasks, jobs, access } = dependencies;

  /** Columns that remove an assignee who would lose access; empty for others. */
  function unassigned(assigneeId: number | null, ownerId: number | null, organizationId: number | null, now: string) {
    if (assigneeId === null || assigneeId === ownerId) return {};
    const isAdmin = users.get(assigneeId)?.group_name === 'admin';
    const isMember = organizationId !== null && users.role(organizationId, assigneeId) !== null;
    return isAdmin || isMember ? {} : { assignee_id: null, assignee_updated_date: now };
  }

  function moveTask(row: TaskRow, organizationId: number | null, now: string): void {
    const assignee = unassigned(row.assignee_id, row.owner_id, organizationId, now);
    tasks.update(row.id, { organization_id: organizationId, ...assignee }, now);
    for (const job of jobs.ofTask(row.id)) {
      const change = unassigned(job.assignee_id, row.owner_id, organizationId, now);
      if ('assignee_id' in change) jobs.update(job.id, change, now);
    }
  }

  return {
    /** @throws AppError 400 for an unknown organization, 403 for one where the actor may not create */
    requireTarget(actor: Actor, kind: 'project' | 'task', organizationId: number | null): void {
      if (organizationId !== null && !organizations.get(organizationId)) {
        throw invalidField('organization_id', `Invalid pk "${organizationId}" - object does not exist.`);
      }
      requireAllowed(actor, kind, 'create', access.facts.place(actor, organizationId));
    },
    movedWith: {
      project: ({ id }: Pick<ProjectRow, 'id'>) => {
        const taskIds = tasks.idsOfProject(id);
        return { tasks: taskIds, jobs: taskIds.flatMap((taskId) => jobs.ofTask(taskId).map((job) => job.id)) };
      },
      task: ({ id }: Pick<TaskRow, 'id'>) => ({ jobs: jobs.ofTask(id).map((job) => job.id) }),
    },
    /** Inside the caller's transaction. */
    moveTask,
    /** Moves the project and its tasks, inside the caller's transaction. */
    moveProject(row: ProjectRow, organizationId: number | null, now: string): void {
      const assignee = unassigned(row.assignee_id, row.owner_id, organizationId, now);
      projects.update(row.id, { organization_id: organizationId, ...assignee }, now);
      for (const id of tasks.idsOfProject(row.id)) {
        const task = tasks.get(id);
        if (task) moveTask(task, organizationId, now);
      }
    },
  };
}
