import {
  historyKinds,
  type History,
  type HistoryEntry,
  type HistoryKind,
  type HistoryQuery,
} from '../../preload/contract/schema/history.ts';
import { nameIn, sortedByKind, type ChangeListener, type ColumnChanges, type DomainChange } from '../db/changes.ts';
import type { HistoryRepository, HistoryRow } from './history-repository.ts';
import { forbidden, isAdmin } from '../users/access/access-rules.ts';
import type { Actor } from '../users/access/actor.ts';
import type { WorkServiceDependencies } from '../work/work-dependencies.ts';

/** Timestamps change with every update; ignored. */
const dates = /(^|_)date$/;
const longestValue = 2000;

/**
 * Writes the history of changes in the transaction of each change. Saves of annotations are not included; they have a
 * separate history.
 */
export function createChangeHistory({
  entries,
  users,
  clock,
}: Pick<WorkServiceDependencies, 'users' | 'clock'> & {
  readonly entries: HistoryRepository;
}): ChangeListener<HistoryKind | 'user'> {
  return {
    wants: ({ onlyDates, isPart, kind }) => onlyDates !== true && !isPart && kind !== 'user',
    record(actor, all) {
      const changes = all.filter(isTold);
      // Jobs that are created with their task would only add noise.
      const jobs = changes.filter(({ kind, action }) => kind === 'job' && action !== 'update');
      let username: string | undefined;
      for (const change of sortedByKind(changes, historyKinds)) {
        const { action, kind, id, snapshot, update, isPart } = change;
        const fields = update ? differences(update.columns) : [];
        if (isPart || (jobs.length > 1 && jobs.includes(change)) || (update && fields.length === 0)) continue;
        username ??= actor.username || (actor.userId === null ? '' : (users.get(actor.userId)?.username ?? ''));
        const { projectId, taskId, jobId, organizationId } = snapshot.place();
        entries.insert({
          created_date: clock(),
          user_id: actor.userId,
          username,
          action,
          kind,
          object_id: String(id),
          name: nameIn(snapshot).slice(0, 256),
          project_id: projectId,
          task_id: taskId,
          job_id: jobId,
          organization_id: organizationId,
          changes: JSON.stringify(fields),
        });
      }
      return undefined;
    },
  };
}

function differences(columns: ColumnChanges): object[] {
  const short = (value: unknown): unknown =>
    typeof value === 'string' ? value.slice(0, longestValue) : (value ?? null);
  return Object.entries(columns)
    .filter(([field]) => !dates.test(field))
    .map(([field, { from, to }]) => ({ field, from: short(from), to: short(to) }));
}

const isTold = (change: DomainChange<HistoryKind | 'user'>): change is DomainChange<HistoryKind> =>
  change.kind !== 'user';

const ofPeople = /^(owner|assignee|user)_id$/;

/** History: everything for administrators; otherwise the objects that the user can see. */
export function createHistoryService(
  dependencies: Pick<WorkServiceDependencies, 'users' | 'access'> & {
    readonly entries: HistoryRepository;
  },
) {
  const { entries, users, access } = dependencies;

  function requireSight(actor: Actor, { project_id: project, task_id: task, job_id: job }: HistoryQuery): void {
    if (isAdmin(actor)) return;
    if (project === undefined && task === undefined && job === undefined) throw forbidden();
    if (project !== undefined) access.project(actor, project);
    if (task !== undefined) access.task(actor, task);
    if (job !== undefined) access.job(actor, job);
  }

  const person = (id: unknown): unknown => (typeof id === 'number' ? (users.get(id)?.username ?? id) : id);
  function present({ changes, ...row }: HistoryRow): HistoryEntry {
    const stored = JSON.parse(changes) as HistoryEntry['changes'];
    return {
      ...row,
      changes: stored.map((change) =>
        ofPeople.test(change.field)
          ? { field: change.field.replace(/_id$/, ''), from: person(change.from), to: person(change.to) }
          : change,
      ),
    };
  }

  return {
    list(actor: Actor, query: HistoryQuery): History {
      requireSight(actor, query);
      const rows = entries.list(query);
      return { results: rows.slice(0, query.limit).map(present), more: rows.length > query.limit };
    },
  };
}
