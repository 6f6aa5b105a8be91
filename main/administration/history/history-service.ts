import type { History, HistoryEntry, HistoryQuery } from '../../../preload/contract/schema/history.ts';
import { forbidden, isAdmin } from '../../people/access/access-rules.ts';
import type { Actor } from '../../people/access/actor.ts';
import type { UserRepository } from '../../people/users/user-repository.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import type { HistoryRepository, HistoryRow } from './history-repository.ts';

const ofPeople = /^(owner|assignee|user)_id$/;

/** Who has changed what: all of it for administrators, of work for whoever sees the work. */
export function createHistoryService(dependencies: {
  readonly entries: HistoryRepository;
  readonly users: Pick<UserRepository, 'get'>;
  readonly access: WorkAccess;
}) {
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
    // Written by `change-history`.
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
