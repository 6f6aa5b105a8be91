import type { HistoryAction, HistoryKind } from '../../../preload/contract/schema/history.ts';
import type { ChangeActor, Changes, Id, Look, Sight, Watched } from '../../db/changes.ts';
import type { Clock } from '../../platform/clock.ts';
import type { UserRepository } from '../../people/users/user-repository.ts';
import type { HistoryRepository } from './history-repository.ts';

/** Told by every change of an object: no news. */
const dates = /(^|_)date$/;
const longestValue = 2000;

export interface HistoryPlace {
  readonly taskId: number | null;
  readonly jobId: number | null;
}

/**
 * Who has changed what, heard where it is told to webhooks, and written in the transaction of the change: both are
 * stored, or neither. Saves of annotations are not told here: they have a history of their own.
 */
export function createChangeHistory(dependencies: {
  readonly entries: HistoryRepository;
  readonly looks: Readonly<Record<HistoryKind, Look>>;
  readonly placeOf: (kind: HistoryKind, id: Id) => HistoryPlace;
  readonly users: Pick<UserRepository, 'get'>;
  readonly clock: Clock;
}) {
  const { entries, looks, placeOf, users, clock } = dependencies;

  function write(
    actor: ChangeActor,
    action: HistoryAction,
    kind: HistoryKind,
    id: Id,
    sight: Sight,
    changes: object[],
  ) {
    const { taskId, jobId } = placeOf(kind, id);
    entries.insert({
      created_date: clock(),
      user_id: actor.userId,
      username: (actor.userId === null ? undefined : users.get(actor.userId)?.username) ?? '',
      action,
      kind,
      object_id: String(id),
      name: nameOf(sight),
      project_id: sight.place.projectId,
      task_id: taskId,
      job_id: jobId,
      organization_id: sight.place.organizationId,
      changes: JSON.stringify(changes),
    });
  }

  function seen(watched: Watched<HistoryKind>) {
    const given = watched as Readonly<Record<string, readonly (number | null)[] | undefined>>;
    return (Object.keys(looks) as HistoryKind[]).flatMap((kind) =>
      [...new Set(given[`${kind}s`])].flatMap((id) => {
        const before = id === null ? undefined : looks[kind](id);
        return id === null || before === undefined ? [] : [{ kind, id, before }];
      }),
    );
  }

  function watching<Result>(actor: ChangeActor, watched: Watched<HistoryKind>, make: () => Result): Result {
    const objects = seen(watched);
    const result = make();
    for (const { kind, id, before } of objects) {
      const after = looks[kind](id);
      const changes = after ? differences(before, after) : [];
      if (after && changes.length > 0) write(actor, 'update', kind, id, after, changes);
    }
    return result;
  }

  function told(action: HistoryAction, actor: ChangeActor, kind: HistoryKind, ids: readonly Id[]): void {
    // The jobs of a task come with it, and so many of them say nothing.
    if (kind === 'job' && ids.length > 1) return;
    for (const id of ids) {
      const sight = looks[kind](id);
      if (sight) write(actor, action, kind, id, sight, []);
    }
  }

  return {
    /** The same changes, written down here too. */
    hearing: (changes: Changes<HistoryKind>): Changes<HistoryKind> => ({
      ...changes,
      change: (actor, watched, make) => changes.change(actor, watched, () => watching(actor, watched, make)),
      watch: (actor, watched, make) => changes.watch(actor, watched, () => watching(actor, watched, make)),
      created(actor, kind, ids) {
        changes.created(actor, kind, ids);
        told('create', actor, kind, ids);
      },
      deleting(actor, kind, ids) {
        changes.deleting(actor, kind, ids);
        told('delete', actor, kind, ids);
      },
    }),
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
    if (dates.test(field) || JSON.stringify(from ?? null) === JSON.stringify(to ?? null)) return [];
    return [{ field, from: short(from), to: short(to) }];
  });
}
