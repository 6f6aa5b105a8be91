import type { AnnotationChange } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { Database } from '../../db/open.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { Actor } from '../../people/access/actor.ts';
import type { WorkEvents } from '../../webhooks/events/work-events.ts';
import type { JobRepository } from '../jobs/job-repository.ts';
import type { LabelOwner, LabelRepository } from '../labels/label-repository.ts';
import type { LabelService } from '../labels/label-service.ts';
import { presentUser } from '../../people/users/present.ts';
import type { ProjectRepository } from '../projects/project-repository.ts';
import type { TaskRepository } from '../tasks/task-repository.ts';
import type { WorkAccess } from '../work-access.ts';
import type { ChangeRepository, ChangeRow } from './annotation-change-repository.ts';
import type { AnnotationSetRepository } from './annotation-set-repository.ts';
import type { ChangeHead, ChangeKeeper } from './change-keeper.ts';

interface Dependencies {
  readonly database: Database;
  readonly access: WorkAccess;
  readonly changes: ChangeRepository;
  readonly sets: AnnotationSetRepository;
  readonly keeper: ChangeKeeper;
  readonly labels: LabelService;
  readonly labelRows: LabelRepository;
  readonly tasks: TaskRepository;
  readonly jobs: JobRepository;
  readonly projects: ProjectRepository;
  readonly events: WorkEvents;
  readonly clock: Clock;
}

const gone = () =>
  notFound('This change cannot be taken back any more: its time is over, or somebody has taken it back already.');

/**
 * Changes of annotations that can be taken back. That is a change too, and loses nothing: what is shown until then is
 * kept in its turn.
 */
export function createAnnotationChangeService(dependencies: Dependencies) {
  const { database, access, changes, sets, keeper, labels, labelRows, tasks, jobs, projects, events, clock } =
    dependencies;

  /** Whoever may change what was changed may take the change back. */
  function requireAccess(actor: Actor, { kind, project_id, task_id, job_id }: ChangeRow): void {
    if (job_id !== null) access.job(actor, job_id, 'update:annotations');
    else if (task_id !== null) access.task(actor, task_id, kind === 'label' ? 'update' : 'update:annotations');
    else if (project_id !== null) access.project(actor, project_id, 'update');
  }

  function ownerOfTask(taskId: number): LabelOwner {
    const projectId = tasks.get(taskId)?.project_id ?? null;
    return projectId === null ? { kind: 'task', id: taskId } : { kind: 'project', id: projectId };
  }

  /** What comes back must have labels. */
  function requireLabels(row: ChangeRow, owner: LabelOwner, setIds: readonly number[]): void {
    if (row.labels_gone === 0 || row.effect === 'remove') return;
    const known = labelRows.rows(owner).map(({ id }) => id);
    if (!setIds.some((id) => changes.hasOtherLabels(id, known))) return;
    const message =
      'Some of these annotations have labels that are not there any more. Nothing was changed: take the deletion of the labels back first.';
    throw new AppError('conflict', message, { detail: message });
  }

  function swap(row: ChangeRow, head: ChangeHead): number | null {
    const found = sets.ofChange(row.id, row.effect === 'remove' ? 'live' : 'discarded');
    const setIds = found.map(({ id }) => id);
    // Labels that no annotation carried come back alone.
    if (setIds.length === 0) return null;
    if (row.effect === 'remove') return keeper.hide(head, setIds);
    if (row.effect === 'add') return keeper.show(head, setIds);
    const id = keeper.hideLive(head, [...new Set(found.map(({ jobId }) => jobId))]);
    for (const setId of setIds) sets.show(setId, null);
    return id;
  }

  /** With the dates of everything that it concerns, and their events. */
  function apply(actor: Actor, row: ChangeRow): number | null {
    const found = sets.ofChange(row.id, row.effect === 'remove' ? 'live' : 'discarded');
    const jobIds = [...new Set(found.map(({ jobId }) => jobId))];
    const taskIds = [...new Set([row.task_id, ...jobIds.map((id) => jobs.get(id)?.task_id ?? null)])].filter(
      (id) => id !== null,
    );
    const [anyTask] = taskIds;
    const projectId = row.project_id ?? (anyTask === undefined ? null : (tasks.get(anyTask)?.project_id ?? null));
    return events.watch(actor, { jobs: jobIds, tasks: taskIds, projects: [projectId] }, () => {
      const owner = projectId === null ? ownerOfTask(anyTask ?? 0) : ({ kind: 'project', id: projectId } as const);
      // Written by `change-keeper`.
      if (row.labels !== null) labels.restore(owner, JSON.parse(row.labels) as Label[]);
      requireLabels(
        row,
        owner,
        found.map(({ id }) => id),
      );
      const place = { projectId: row.project_id, taskId: row.task_id, jobId: row.job_id };
      const changed = swap(row, { kind: 'take-back', place, userId: actor.userId, detail: row.detail });
      changes.remove(row.id);
      const now = clock();
      for (const id of jobIds) jobs.touch(id, now);
      for (const id of taskIds) tasks.touch(id, now);
      if (projectId !== null) projects.touch(projectId, now);
      return changed;
    });
  }

  const present = (row: ChangeRow, baseUrl: string): AnnotationChange => ({
    id: row.id,
    kind: row.kind,
    effect: row.effect,
    project_id: row.project_id,
    task_id: row.task_id,
    job_id: row.job_id,
    user: presentUser({ ...row }, 'user', baseUrl),
    object_count: row.object_count,
    detail: row.detail,
    created_date: row.created_date,
    expiry_date: row.expiry_date,
  });

  return {
    list(actor: Actor, kind: 'project' | 'task' | 'job', id: number): AnnotationChange[] {
      if (kind === 'project') access.project(actor, id);
      else if (kind === 'task') access.task(actor, id, 'view:annotations');
      else access.job(actor, id, 'view:annotations');
      return changes.list(kind, id, clock()).map((row) => present(row, actor.baseUrl));
    },
    /** Answers the change that taking back is, of which taking back undoes it; null where no annotation was concerned. */
    takeBack(actor: Actor, id: number): { change: AnnotationChange | null } {
      return database
        .transaction(() => {
          const row = changes.get(id, clock());
          if (!row) throw gone();
          requireAccess(actor, row);
          const changed = changes.get(apply(actor, row) ?? 0, clock());
          return { change: changed ? present(changed, actor.baseUrl) : null };
        })
        .immediate();
    },
  };
}
