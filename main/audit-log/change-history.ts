import type {
  HistoryAction,
  HistoryKind,
  History,
  HistoryEntry,
  HistoryQuery,
} from '../../preload/contract/schema/history.ts';
import { withListener, type ChangeActor, type Changes, type Id, type Look, type Sight } from '../db/changes.ts';
import type { HistoryRepository, HistoryRow } from './history-repository.ts';
import { forbidden, isAdmin } from '../users/access/access-rules.ts';
import type { Actor } from '../users/access/actor.ts';
import type { WorkServiceDependencies } from '../work/work-dependencies.ts';

/** Timestamps change with every update; ignored. */
const dates = /(^|_)date$/;
const longestValue = 2000;

/**
 * History of changes, written in the transaction of each change. Saves of annotations are not included; they have a
 * separate history.
 */
export function createChangeHistory(
  dependencies: Pick<WorkServiceDependencies, 'users' | 'clock'> & {
    readonly entries: HistoryRepository;
    readonly looks: Readonly<Record<HistoryKind, Look>>;
  },
) {
  const { entries, looks, users, clock } = dependencies;

  function write(
    actor: ChangeActor,
    action: HistoryAction,
    kind: HistoryKind,
    id: Id,
    sight: Sight,
    changes: object[],
  ) {
    const { projectId, taskId, jobId, organizationId } = sight.place;
    entries.insert({
      created_date: clock(),
      user_id: actor.userId,
      username: (actor.userId === null ? undefined : users.get(actor.userId)?.username) ?? '',
      action,
      kind,
      object_id: String(id),
      name: nameOf(sight),
      project_id: projectId,
      task_id: taskId,
      job_id: jobId,
      organization_id: organizationId,
      changes: JSON.stringify(changes),
    });
  }

  function updated(actor: ChangeActor, kind: HistoryKind, id: Id, before: Sight, after: Sight): void {
    const changes = differences(before, after);
    if (changes.length > 0) write(actor, 'update', kind, id, after, changes);
  }

  function told(action: HistoryAction, actor: ChangeActor, kind: HistoryKind, ids: readonly Id[]): void {
    // Jobs that are created with their task would only add noise.
    if (kind === 'job' && ids.length > 1) return;
    for (const id of ids) {
      const sight = looks[kind](id);
      if (sight) write(actor, action, kind, id, sight, []);
    }
  }

  return {
    /** Wraps `changes` so that they are recorded as well. */
    listener: (changes: Changes<HistoryKind>): Changes<HistoryKind> => withListener({ looks, told, updated }, changes),
  };
}

function nameOf({ columns }: Sight): string {
  const name = columns['name'] ?? columns['slug'] ?? columns['message'];
  return typeof name === 'string' ? name.slice(0, 256) : '';
}

function differences(before: Sight, after: Sight): object[] {
  const short = (value: unknown): unknown =>
    typeof value === 'string' ? value.slice(0, longestValue) : (value ?? null);
  return Object.entries(after.columns).flatMap(([field, to]) => {
    const from = before.columns[field];
    if (from === to || dates.test(field) || JSON.stringify(from ?? null) === JSON.stringify(to ?? null)) return [];
    return [{ field, from: short(from), to: short(to) }];
  });
}

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
