import { isDeepStrictEqual } from 'node:util';
import type { Store } from './store.ts';

/** User who causes a change, and the base URL of the service. Events contain addresses with this base. */
export interface ChangeActor {
  /** Null for background work whose owner was deleted. */
  readonly userId: number | null;
  /** Empty or missing: not known without reading the user. */
  readonly username?: string;
  readonly baseUrl: string;
}

/** Owner scope of an object; determines which listeners are notified. */
export interface Place {
  readonly projectId: number | null;
  readonly organizationId: number | null;
}

/** Also the object's task and job. */
export interface WorkPlace extends Place {
  readonly taskId: number | null;
  readonly jobId: number | null;
}

/** State of an object that listeners of domain changes may report. */
export interface Snapshot {
  readonly place: () => WorkPlace;
  /** Values whose changes are reported, by public name, for example `assignee_id`. */
  readonly columns: Readonly<Record<string, unknown>>;
  /** Response of its REST endpoint. Called only if a listener needs it. */
  readonly present: (baseUrl: string) => object;
  /** The same before a change, for comparison; missing keys are not compared. Default: `present`. */
  readonly presentEarlier?: (baseUrl: string) => object;
  /** Reads what `presentEarlier` needs, because the change may replace it. */
  readonly keep?: () => void;
  /** Objects deleted together with it, which are reported first: ids by kind. */
  readonly parts?: () => readonly (readonly [kind: string, ids: readonly Id[]])[];
}

export type Id = number | string;

/** Reads a snapshot of an object of one kind; undefined if there is none. */
export type ReadSnapshot = (id: Id) => Snapshot | undefined;
export type Snapshots<Kind extends string> = Readonly<Record<Kind, ReadSnapshot>>;

/** Turns a reader of rows into a reader of snapshots. */
export const snapshotOf =
  <Row>(read: (id: number) => Row | undefined, of: (row: Row) => Snapshot): ReadSnapshot =>
  (id) => {
    const row = read(Number(id));
    return row === undefined ? undefined : of(row);
  };

interface Placed {
  readonly project_id: number | null;
  readonly organization_id: number | null;
}

export const placeOf = (row: Placed | undefined): WorkPlace => ({
  projectId: row?.project_id ?? null,
  organizationId: row?.organization_id ?? null,
  taskId: null,
  jobId: null,
});

/** Old and new value of each changed column, by its public name. */
export type ColumnChanges = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

export interface DomainChange<Kind extends string> {
  readonly action: 'create' | 'update' | 'delete';
  readonly kind: Kind;
  readonly id: Id;
  /** After the change; before it, if the object is deleted. */
  readonly snapshot: Snapshot;
  /** Updates only. */
  readonly update?: { readonly columns: ColumnChanges; readonly before: Snapshot };
  /** True if the object is deleted as part of another one. */
  readonly isPart: boolean;
}

/** Facts about a change that are known before its objects are read. */
export interface ExpectedChange<Kind extends string> extends Pick<DomainChange<Kind>, 'action' | 'kind' | 'isPart'> {
  readonly place?: Place;
  readonly onlyDates?: boolean;
}

export interface ChangeListener<Kind extends string> {
  /** Objects that interest no listener are not read. A listener may be given more than it wants. */
  readonly wants: (expected: ExpectedChange<Kind>) => boolean;
  /** True if it presents objects, also as they were before the change. */
  readonly presents?: boolean;
  /** Called inside the transaction. Returns work for after the commit, which a rollback discards. */
  readonly record: (actor: ChangeActor, changes: readonly DomainChange<Kind>[]) => (() => void) | undefined;
}

/** Objects that a change may affect, by kind. Their changes are reported in this order. */
export type Watched<Kind extends string> = {
  readonly [One in Kind as `${One}s`]?: readonly (number | null)[];
} & {
  /** Place of all objects, if the change does not move them. A listener may have no interest in that place. */
  readonly place?: Place;
  /** True, or the kinds, if the change updates the dates of the objects only. Most listeners ignore those. */
  readonly onlyDates?: boolean | readonly `${Kind}s`[];
};

/** Changes whose listeners are notified once, inside the transaction of the change: both are stored, or neither. */
export interface Changes<Kind extends string> {
  /** Runs a change in a transaction, and reports the watched objects that changed. May be nested. */
  run<Result>(actor: ChangeActor, watched: Watched<Kind>, work: () => Result): Result;
  /** Call inside `run`, when the rows exist. */
  created(actor: ChangeActor, kind: Kind, ids: readonly Id[]): void;
  /** Call inside `run`, before the rows are deleted: parts first. */
  deleting(actor: ChangeActor, kind: Kind, ids: readonly Id[]): void;
  /** The actor of a background request. */
  actorOf(request: { readonly owner_id: number | null; readonly origin: string }): ChangeActor;
}

export function createChanges<Kind extends string>(dependencies: {
  readonly database: Store;
  readonly snapshots: Snapshots<Kind>;
  readonly listeners: readonly ChangeListener<Kind>[];
  /** Address of the service, for changes without an HTTP request. */
  readonly baseUrl: () => string;
}): Changes<Kind> {
  const { database, snapshots, listeners, baseUrl } = dependencies;
  // The table's keys are the kinds.
  const kindOf: ReadonlyMap<string, Kind> = new Map(
    (Object.keys(snapshots) as Kind[]).map((kind) => [`${kind}s`, kind]),
  );
  const interested = (expected: ExpectedChange<Kind>) => listeners.filter(({ wants }) => wants(expected));

  function notify(actor: ChangeActor, changes: readonly DomainChange<Kind>[]): void {
    if (changes.length === 0) return;
    for (const { record } of listeners) {
      const after = record(actor, changes);
      if (after) database.afterCommit(after);
    }
  }

  function readBefore({ place, onlyDates, ...watched }: Watched<Kind>) {
    // The type names the kinds in the plural.
    return Object.entries(watched as Readonly<Record<string, readonly (number | null)[]>>).flatMap(([name, ids]) => {
      const kind = kindOf.get(name);
      if (kind === undefined || ids.length === 0) return [];
      const isDates = onlyDates === true || (Array.isArray(onlyDates) && onlyDates.includes(name));
      const wanting = interested({ action: 'update', kind, isPart: false, place, onlyDates: isDates });
      if (wanting.length === 0) return [];
      return [...new Set(ids)].flatMap((id) => {
        const before = id === null ? undefined : snapshots[kind](id);
        if (id === null || before === undefined) return [];
        if (wanting.some(({ presents }) => presents)) before.keep?.();
        return [{ kind, id, before }];
      });
    });
  }

  function existing(action: 'create' | 'delete', kind: Kind, ids: readonly Id[], isPart = false): DomainChange<Kind>[] {
    if (interested({ action, kind, isPart }).length === 0) return [];
    return ids.flatMap((id) => {
      const snapshot = snapshots[kind](id);
      if (!snapshot) return [];
      const change: DomainChange<Kind> = { action, kind, id, snapshot, isPart };
      return action === 'delete' ? [...partsOf(kind, snapshot), change] : [change];
    });
  }

  function partsOf(kind: Kind, { parts }: Snapshot): DomainChange<Kind>[] {
    if (!parts || interested({ action: 'delete', kind, isPart: true }).length === 0) return [];
    // The kinds of parts are keys of the same snapshot table.
    return parts().flatMap(([part, ids]) => existing('delete', part as Kind, ids, true));
  }

  return {
    run(actor, watched, work) {
      return database.write(() => {
        const seen = readBefore(watched);
        const result = work();
        const changes = seen.flatMap(({ kind, id, before }): DomainChange<Kind>[] => {
          const snapshot = snapshots[kind](id);
          const columns = snapshot && columnChanges(before.columns, snapshot.columns);
          if (!columns || Object.keys(columns).length === 0) return [];
          return [{ action: 'update', kind, id, snapshot, update: { columns, before }, isPart: false }];
        });
        notify(actor, changes);
        return result;
      });
    },
    created(actor, kind, ids) {
      notify(actor, existing('create', kind, ids));
    },
    deleting(actor, kind, ids) {
      notify(actor, existing('delete', kind, ids));
    },
    actorOf: ({ owner_id: userId, origin }) => ({ userId, baseUrl: origin === '' ? baseUrl() : origin }),
  };
}

/** Compares an object's columns before and after a change. */
export function columnChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): ColumnChanges {
  const changed = Object.entries(before)
    .filter(([name, from]) => from !== after[name] && !isDeepStrictEqual(from, after[name]))
    .map(([name, from]) => [name, { from, to: after[name] }] as const);
  return Object.fromEntries(changed);
}

/** The name under which a list shows an object; empty if it has none. */
export function nameIn({ columns }: Snapshot): string {
  const name = columns['name'] ?? columns['slug'] ?? columns['message'];
  return typeof name === 'string' ? name : '';
}

/** Updates in the order of the kinds, for listeners that do not report them in the order in which they were watched. */
export const sortedByKind = <Kind extends string>(
  changes: readonly DomainChange<Kind>[],
  kinds: readonly Kind[],
): DomainChange<Kind>[] =>
  changes.toSorted((one, other) =>
    one.update && other.update ? kinds.indexOf(one.kind) - kinds.indexOf(other.kind) : 0,
  );
