import { notFound } from '../platform/errors.ts';
import { requireStaff, type Staff } from './access-rules.ts';
import type { Actor } from './actor.ts';
import type { JobRepository, JobRow } from './jobs/job-repository.ts';
import type { ProjectRepository, ProjectRow } from './projects/project-repository.ts';
import type { TaskRepository, TaskRow } from './tasks/task-repository.ts';

export type WorkAccess = ReturnType<typeof createWorkAccess>;

export const taskStaff = (task: TaskRow): Staff => ({ ownerId: task.owner_id, assigneeId: task.assignee_id });
export const projectOfTask = (task: TaskRow): Staff | null =>
  task.project_id === null ? null : { ownerId: task.project_owner_id, assigneeId: task.project_assignee_id };
export const jobTaskStaff = (job: JobRow): Staff => ({ ownerId: job.task_owner_id, assigneeId: job.task_assignee_id });
export const jobProjectStaff = (job: JobRow): Staff | null =>
  job.project_id === null ? null : { ownerId: job.project_owner_id, assigneeId: job.project_assignee_id };

/** Opens projects, tasks and jobs for an actor: 404 where there is none, 403 where the actor may not see it. */
export function createWorkAccess(repositories: {
  readonly projects: ProjectRepository;
  readonly tasks: TaskRepository;
  readonly jobs: JobRepository;
}) {
  const { projects, tasks, jobs } = repositories;
  return {
    project(actor: Actor, id: number): ProjectRow {
      const project = projects.get(id);
      if (!project) throw notFound();
      requireStaff(actor, { ownerId: project.owner_id, assigneeId: project.assignee_id });
      return project;
    },
    task(actor: Actor, id: number): TaskRow {
      const task = tasks.get(id);
      if (!task) throw notFound();
      requireStaff(actor, taskStaff(task), projectOfTask(task));
      return task;
    },
    job(actor: Actor, id: number): JobRow {
      const job = jobs.get(id);
      if (!job) throw notFound();
      requireStaff(actor, { ownerId: null, assigneeId: job.assignee_id }, jobTaskStaff(job), jobProjectStaff(job));
      return job;
    },
  };
}
