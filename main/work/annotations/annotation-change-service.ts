import type { AnnotationChange } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { Actor } from '../../users/access/actor.ts';
import { labelOwner, type LabelOwner, type LabelRepository } from '../tables/label-repository.ts';
import type { LabelService } from '../labels/label-service.ts';
import { presentUser } from '../../users/accounts/present.ts';
import type { ReplacedFrameRepository } from '../tables/replaced-frame-repository.ts';
import type { ChangeRepository, ChangeRow } from './annotation-change-repository.ts';
import { everythingOf } from './annotation-feed.ts';
import type { AnnotationDependencies } from './annotation-service.ts';
import type { ChangeHead } from './replaced-annotations.ts';

interface Dependencies extends Omit<
  AnnotationDependencies,
  'annotations' | 'database' | 'idempotency' | 'staged' | 'labels' | 'media'
> {
  readonly kept: ChangeRepository;
  readonly labels: LabelService;
  readonly labelRows: LabelRepository;
  readonly frames: Pick<ReplacedFrameRepository, 'has' | 'swap'>;
}

/** Permissions on a task that a change of one kind needs, if another than for annotations. */
const permissions: Partial<Record<ChangeRow['kind'], 'update' | 'upload:data'>> = {
  label: 'update',
  frames: 'upload:data',
};

const gone = () => notFound('Cannot undo this change: it has expired, or was already undone.');

/** Undoes annotation changes. An undo is a change too: the annotations it replaces can be restored in turn. */
export function createAnnotationChangeService(dependencies: Dependencies) {
  const { access, kept, sets, replaced, labels, labelRows, tasks, jobs, projects, changes, clock, news, frames } =
    dependencies;

  /** Users who may make a change may also undo it. */
  function requireAccess(actor: Actor, { kind, project_id, task_id, job_id }: ChangeRow): void {
    if (job_id !== null) access.job(actor, job_id, 'update:annotations');
    else if (task_id !== null) access.task(actor, task_id, permissions[kind] ?? 'update:annotations');
    else if (project_id !== null) access.project(actor, project_id, 'update');
  }

  /** Refuses an undo that would show objects whose labels were deleted. */
  function requireLabels(row: ChangeRow, owner: LabelOwner, setIds: readonly number[]): void {
    if (row.labels_gone === 0 || row.effect === 'remove') return;
    const known = labelRows.rows(owner).map(({ id }) => id);
    if (!setIds.some((id) => kept.hasOtherLabels(id, known))) return;
    const message =
      'Cannot undo this change: labels of its annotations were deleted. Undo the deletion of the labels first.';
    throw new AppError('conflict', message, { detail: message });
  }

  function swap(row: ChangeRow, head: ChangeHead): number | null {
    const found = sets.ofChange(row.id, row.effect === 'remove' ? 'live' : 'discarded');
    const setIds = found.map(({ id }) => id);
    // A deletion of unused labels restores only the labels.
    if (setIds.length === 0 && !frames.has(row.id)) return null;
    if (row.effect === 'remove') return replaced.hide(head, setIds);
    if (row.effect === 'add') return replaced.show(head, setIds);
    const id = replaced.hideLive(head, [...new Set(found.map(({ jobId }) => jobId))]);
    sets.show(setIds, null);
    return id;
  }

  /** Also updates the dates of all affected jobs, tasks and projects, and publishes their events. */
  function apply(actor: Actor, row: ChangeRow): number | null {
    const found = sets.ofChange(row.id, row.effect === 'remove' ? 'live' : 'discarded');
    const jobIds = [...new Set(found.map(({ jobId }) => jobId))];
    const taskIds = [...new Set([row.task_id, ...jobs.tasksOf(jobIds)])].filter((id) => id !== null);
    const [anyTask] = taskIds;
    const projectId = row.project_id ?? (anyTask === undefined ? null : (tasks.get(anyTask)?.project_id ?? null));
    const watched = { jobs: jobIds, tasks: taskIds, projects: [projectId], onlyDates: ['jobs'] as const };
    return changes.run(actor, watched, () => {
      const owner = labelOwner(projectId, anyTask ?? 0);
      // Format: see `replaced-annotations.ts`.
      if (row.labels !== null) labels.restore(owner, JSON.parse(row.labels) as Label[]);
      requireLabels(
        row,
        owner,
        found.map(({ id }) => id),
      );
      const place = { projectId: row.project_id, taskId: row.task_id, jobId: row.job_id };
      const kind = frames.has(row.id) ? 'frames' : 'undo';
      const changed = swap(row, { kind, place, userId: actor.userId, detail: row.detail });
      const now = clock();
      frames.swap(row.id, changed, now);
      kept.remove(row.id);
      jobs.touchAll(jobIds, now);
      news.changed({ userId: actor.userId, window: null }, everythingOf(jobIds));
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
      return kept.list(kind, id, clock()).map((row) => present(row, actor.baseUrl));
    },
    /** Returns the change that the undo itself created; null if no annotation was affected. */
    undo(actor: Actor, id: number): { change: AnnotationChange | null } {
      return changes.run(actor, {}, () => {
        const row = kept.get(id, clock());
        if (!row) throw gone();
        requireAccess(actor, row);
        const changed = kept.get(apply(actor, row) ?? 0, clock());
        return { change: changed ? present(changed, actor.baseUrl) : null };
      });
    },
  };
}
