import type { JobRepository, JobRow } from '../../work/jobs/job-repository.ts';
import { jobStatus } from '../../work/jobs/job-rules.ts';
import { presentJob } from '../../work/jobs/job-presenter.ts';
import type { LabelRepository } from '../../work/labels/label-repository.ts';
import { presentProject } from '../../work/projects/project-presenter.ts';
import type { ProjectRepository, ProjectRow } from '../../work/projects/project-repository.ts';
import type { RequestRow } from '../../requests/request-repository.ts';
import { presentTask } from '../../work/tasks/task-presenter.ts';
import type { TaskRepository, TaskRow } from '../../work/tasks/task-repository.ts';
import { columnChanges, hasAny, updateOf, type Changed } from './column-changes.ts';
import type { EventAction, EventActor, EventRecorder, EventResource } from './event-recorder.ts';
import type { EventPlace } from './subscriptions.ts';
import type { IssueEvents } from './issue-events.ts';
import { earlierTaskObject, taskObject } from './task-object.ts';

const projectColumns = {
  name: 'name',
  owner_id: 'owner_id',
  assignee_id: 'assignee_id',
  assignee_updated_date: 'assignee_updated_date',
  bug_tracker: 'bug_tracker',
  status: 'status',
  organization_id: 'organization_id',
  target_storage_id: 'target_storage_id',
  source_storage_id: 'source_storage_id',
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
  target_storage_id: 'target_storage_id',
  source_storage_id: 'source_storage_id',
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
  /** Also the tasks of a project, with their jobs. */
  readonly tasksOf?: number | null;
  /** Also the jobs of a task. */
  readonly jobsOf?: number | null;
  /** Where they all belong, if the change leaves them there: nothing is read that no webhook there waits for. */
  readonly place?: EventPlace;
}

export type WorkEvents = ReturnType<typeof createWorkEvents>;

/** Events of projects, tasks and jobs, for the services that change them. Call inside the change's transaction. */
export function createWorkEvents(dependencies: {
  readonly events: EventRecorder;
  readonly projects: Pick<ProjectRepository, 'get'>;
  readonly tasks: Pick<TaskRepository, 'get' | 'idsOfProject'>;
  readonly jobs: Pick<JobRepository, 'get' | 'ofTask'>;
  readonly labels: Pick<LabelRepository, 'list'>;
  /** Issues and comments of jobs that go. */
  readonly issues: Pick<IssueEvents, 'jobDeleting'>;
  /** Where the service is reached, for requests of which nothing else is known. */
  readonly baseUrl: () => string;
}) {
  const { events, projects, tasks, jobs, labels, issues, baseUrl } = dependencies;

  function project(actor: EventActor, action: EventAction, row: ProjectRow, change?: Changed<ProjectRow>): void {
    const shown = (of: ProjectRow) => presentProject(of, actor.baseUrl);
    const update = change && updateOf(change, shown);
    events.record({ action, resource: 'project', actor, ...projectPlace(row), object: () => shown(row), ...update });
  }
  function task(actor: EventActor, action: EventAction, row: TaskRow, change?: Changed<TaskRow>): void {
    const object = () => {
      const owner =
        row.project_id === null
          ? { kind: 'task' as const, id: row.id }
          : { kind: 'project' as const, id: row.project_id };
      return taskObject(presentTask(row, actor.baseUrl), labels.list(owner), jobs.ofTask(row.id), actor.baseUrl);
    };
    const update = change && updateOf(change, (of) => earlierTaskObject(presentTask(of, actor.baseUrl)));
    events.record({ action, resource: 'task', actor, ...workPlace(row), object, ...update });
  }
  function job(actor: EventActor, action: EventAction, row: JobRow, change?: Changed<JobRow>): void {
    const shown = (of: JobRow) => presentJob(of, actor.baseUrl);
    const update = change && updateOf(change, shown);
    events.record({ action, resource: 'job', actor, ...workPlace(row), object: () => shown(row), ...update });
  }

  /** Before the row goes, with its issues. */
  function jobDeleted(actor: EventActor, row: JobRow): void {
    issues.jobDeleting(actor, row.id);
    job(actor, 'delete', row);
  }

  /** Reads the rows that some webhook may wait to hear about. */
  function snapshot({ projects: projectIds = [], jobs: jobIds = [], tasksOf = null, place, ...work }: WatchedWork) {
    const ofProject = tasksOf === null ? [] : tasks.idsOfProject(tasksOf);
    const taskIds = [...(work.tasks ?? []), ...ofProject];
    const wanted = (resource: EventResource) => place === undefined || events.wants('update', resource, place);
    return {
      jobs: wanted('job') ? jobIds.flatMap((id) => jobs.get(id) ?? []) : [],
      tasks: wanted('task') ? present(taskIds).flatMap((id) => tasks.get(id) ?? []) : [],
      projects: wanted('project') ? present(projectIds).flatMap((id) => projects.get(id) ?? []) : [],
      jobsOfTasks: wanted('job') ? present([...ofProject, work.jobsOf ?? null]).flatMap((id) => jobs.ofTask(id)) : [],
    };
  }

  function recordJobs(actor: EventActor, before: readonly JobRow[]): void {
    for (const row of before) {
      const after = jobs.get(row.id);
      const changes = after && columnChanges(withStatus(row), withStatus(after), jobColumns);
      if (changes && hasAny(changes)) job(actor, 'update', after, { before: row, changes });
    }
  }

  function recordUpdates(actor: EventActor, before: ReturnType<typeof snapshot>): void {
    recordJobs(actor, before.jobs);
    for (const row of before.tasks) {
      const after = tasks.get(row.id);
      const changes = after && columnChanges(row, after, taskColumns);
      if (changes && hasAny(changes)) task(actor, 'update', after, { before: row, changes });
    }
    for (const row of before.projects) {
      const after = projects.get(row.id);
      const changes = after && columnChanges(row, after, projectColumns);
      if (changes && hasAny(changes)) project(actor, 'update', after, { before: row, changes });
    }
    recordJobs(actor, before.jobsOfTasks);
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
    jobDeleted,
    /** Before the rows go: comments, issues and jobs first, then tasks, then projects. */
    deleting(actor: EventActor, { projects: projectIds = [], tasks: taskIds = [] }: WatchedWork): void {
      if (events.isIdle()) return;
      for (const id of present(taskIds)) {
        for (const row of jobs.ofTask(id)) jobDeleted(actor, row);
        const row = tasks.get(id);
        if (row) task(actor, 'delete', row);
      }
      for (const id of present(projectIds)) {
        const row = projects.get(id);
        if (row) project(actor, 'delete', row);
      }
    },
    /** Who did what a background request does. */
    actorOf: ({ owner_id: userId, origin }: Pick<RequestRow, 'owner_id' | 'origin'>): EventActor => ({
      userId,
      baseUrl: origin === '' ? baseUrl() : origin,
    }),
    /** Where a background request's work belongs. */
    placeOf(request: Pick<RequestRow, 'project_id' | 'task_id' | 'organization_id'>): EventPlace {
      const row = request.task_id === null ? undefined : tasks.get(request.task_id);
      if (row) return workPlace(row);
      const owner = request.project_id === null ? undefined : projects.get(request.project_id);
      return owner ? projectPlace(owner) : { projectId: request.project_id, organizationId: request.organization_id };
    },
  };
}

const projectPlace = (row: ProjectRow): EventPlace => ({ projectId: row.id, organizationId: row.organization_id });
const workPlace = (row: Pick<TaskRow, 'project_id' | 'organization_id'>): EventPlace => ({
  projectId: row.project_id,
  organizationId: row.organization_id,
});
const withStatus = (row: JobRow) => ({ ...row, status: jobStatus(row) });
const present = (ids: readonly (number | null)[]): number[] => [...new Set(ids)].filter((id) => id !== null);
