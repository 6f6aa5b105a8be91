import type { JobRepository, JobRow } from '../jobs/job-repository.ts';
import { jobStatus } from '../jobs/job-rules.ts';
import { presentJob } from '../jobs/job-presenter.ts';
import type { LabelRepository } from '../labels/label-repository.ts';
import { presentProject } from '../projects/project-presenter.ts';
import type { ProjectRepository, ProjectRow } from '../projects/project-repository.ts';
import { presentTask } from '../tasks/task-presenter.ts';
import type { TaskRepository, TaskRow } from '../tasks/task-repository.ts';
import { columnChanges, type ColumnChanges } from './column-changes.ts';
import type { EventAction, EventActor, EventRecorder } from './event-recorder.ts';
import type { EventPlace } from './subscriptions.ts';
import { taskObject } from './task-object.ts';

const projectColumns = {
  name: 'name',
  owner_id: 'owner_id',
  assignee_id: 'assignee_id',
  assignee_updated_date: 'assignee_updated_date',
  bug_tracker: 'bug_tracker',
  status: 'status',
  organization_id: 'organization_id',
  updated_date: 'updated_date',
} as const;
const taskColumns = {
  name: 'name',
  project_id: 'project_id',
  owner_id: 'owner_id',
  assignee_id: 'assignee_id',
  assignee_updated_date: 'assignee_updated_date',
  bug_tracker: 'bug_tracker',
  overlap: 'overlap',
  segment_size: 'segment_size',
  status: 'status',
  subset: 'subset',
  mode: 'mode',
  media_id: 'data_id',
  organization_id: 'organization_id',
  updated_date: 'updated_date',
} as const;
const jobColumns = {
  assignee_id: 'assignee_id',
  assignee_updated_date: 'assignee_updated_date',
  stage: 'stage',
  state: 'state',
  status: 'status',
  updated_date: 'updated_date',
} as const;

/** The objects that a change may touch. */
export interface WatchedWork {
  readonly projects?: readonly (number | null)[];
  readonly tasks?: readonly (number | null)[];
  readonly jobs?: readonly number[];
}

export type WorkEvents = ReturnType<typeof createWorkEvents>;

/** Events of projects, tasks and jobs, for the services that change them. Call inside the change's transaction. */
export function createWorkEvents(dependencies: {
  readonly events: EventRecorder;
  readonly projects: Pick<ProjectRepository, 'get'>;
  readonly tasks: Pick<TaskRepository, 'get'>;
  readonly jobs: Pick<JobRepository, 'get' | 'ofTask'>;
  readonly labels: Pick<LabelRepository, 'list'>;
}) {
  const { events, projects, tasks, jobs, labels } = dependencies;

  function project(actor: EventActor, action: EventAction, row: ProjectRow, changes: ColumnChanges = {}): void {
    const object = () => presentProject(row, actor.baseUrl);
    events.record({ action, resource: 'project', actor, ...projectPlace(row), object, changes });
  }
  function task(actor: EventActor, action: EventAction, row: TaskRow, changes: ColumnChanges = {}): void {
    const object = () => {
      const owner =
        row.project_id === null ? { kind: 'task' as const, id: row.id } : { kind: 'project' as const, id: row.project_id };
      return taskObject(presentTask(row, actor.baseUrl), labels.list(owner), jobs.ofTask(row.id), actor.baseUrl);
    };
    events.record({ action, resource: 'task', actor, ...workPlace(row), object, changes });
  }
  function job(actor: EventActor, action: EventAction, row: JobRow, changes: ColumnChanges = {}): void {
    const object = () => presentJob(row, actor.baseUrl);
    events.record({ action, resource: 'job', actor, ...workPlace(row), object, changes });
  }

  /** Reads the rows that some webhook waits to hear about. */
  function snapshot({ projects: projectIds = [], tasks: taskIds = [], jobs: jobIds = [] }: WatchedWork) {
    return {
      jobs: jobIds.flatMap((id) => jobs.get(id) ?? []),
      tasks: present(taskIds).flatMap((id) => tasks.get(id) ?? []),
      projects: present(projectIds).flatMap((id) => projects.get(id) ?? []),
    };
  }

  function recordUpdates(actor: EventActor, before: ReturnType<typeof snapshot>): void {
    for (const row of before.jobs) {
      const after = jobs.get(row.id);
      if (after) job(actor, 'update', after, columnChanges(withStatus(row), withStatus(after), jobColumns));
    }
    for (const row of before.tasks) {
      const after = tasks.get(row.id);
      const changes = after && columnChanges(row, after, taskColumns);
      if (changes && hasAny(changes)) task(actor, 'update', after, changes);
    }
    for (const row of before.projects) {
      const after = projects.get(row.id);
      const changes = after && columnChanges(row, after, projectColumns);
      if (changes && hasAny(changes)) project(actor, 'update', after, changes);
    }
  }

  return {
    /**
     * Makes a change and records `update:` events for those of the named objects whose columns are different afterwards:
     * what follows from the change (the status of a job's task) is found without being named.
     */
    watch<Result>(actor: EventActor, work: WatchedWork, change: () => Result): Result {
      if (events.isIdle()) return change();
      const before = snapshot(work);
      const result = change();
      recordUpdates(actor, before);
      return result;
    },
    projectCreated(actor: EventActor, id: number): void {
      const row = events.isIdle() ? undefined : projects.get(id);
      if (row) project(actor, 'create', row);
    },
    /** With its jobs, where it has some. */
    taskCreated(actor: EventActor, id: number): void {
      const row = events.isIdle() ? undefined : tasks.get(id);
      if (row) task(actor, 'create', row);
    },
    jobsCreated(actor: EventActor, ids: readonly number[]): void {
      if (events.isIdle()) return;
      for (const id of ids) {
        const row = jobs.get(id);
        if (row) job(actor, 'create', row);
      }
    },
    jobDeleted: (actor: EventActor, row: JobRow): void => job(actor, 'delete', row),
    /** Before the rows go: jobs first, then tasks, then projects. */
    deleting(actor: EventActor, { projects: projectIds = [], tasks: taskIds = [] }: WatchedWork): void {
      if (events.isIdle()) return;
      for (const id of present(taskIds)) {
        for (const row of jobs.ofTask(id)) job(actor, 'delete', row);
        const row = tasks.get(id);
        if (row) task(actor, 'delete', row);
      }
      for (const id of present(projectIds)) {
        const row = projects.get(id);
        if (row) project(actor, 'delete', row);
      }
    },
    /** Where a background request's work belongs. */
    placeOf(request: { readonly project_id: number | null; readonly task_id: number | null }): EventPlace {
      const row = request.task_id === null ? undefined : tasks.get(request.task_id);
      if (row) return workPlace(row);
      const owner = request.project_id === null ? undefined : projects.get(request.project_id);
      return owner ? projectPlace(owner) : { projectId: request.project_id, organizationId: null };
    },
  };
}

const projectPlace = (row: ProjectRow): EventPlace => ({ projectId: row.id, organizationId: row.organization_id });
const workPlace = (row: Pick<TaskRow, 'project_id' | 'organization_id'>): EventPlace => ({
  projectId: row.project_id,
  organizationId: row.organization_id,
});
const withStatus = (row: JobRow) => ({ ...row, status: jobStatus(row) });
const hasAny = (changes: ColumnChanges): boolean => Object.keys(changes).length > 0;
const present = (ids: readonly (number | null)[]): number[] => [...new Set(ids)].filter((id) => id !== null);
