/** User who causes a change, and the base URL of the service. Events contain addresses with this base. */
export interface ChangeActor {
  /** Null for background work whose owner was deleted. */
  readonly userId: number | null;
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

export interface Sight {
  readonly place: WorkPlace;
  /** Values whose changes are reported, by public name, for example `assignee_id`. */
  readonly columns: Readonly<Record<string, unknown>>;
  /** Response of its REST endpoint. Called only if a listener needs it. */
  readonly present: (baseUrl: string) => object;
  /** The same before a change, for comparison; missing keys are not compared. Default: `present`. */
  readonly presentEarlier?: (baseUrl: string) => object;
  /** Objects deleted together with it, which are reported first: ids by kind. */
  readonly parts?: () => readonly (readonly [kind: string, ids: readonly Id[]])[];
}

export type Id = number | string;

/** Reads a snapshot of an object of one kind; undefined if there is none. */
export type Look = (id: Id) => Sight | undefined;

/**
 * Objects that a change may affect, by kind. Snapshots before and after reveal the changes, which are reported in this
 * order.
 */
export type Watched<Kind extends string> = {
  readonly [One in Kind as `${One}s`]?: readonly (number | null)[];
} & {
  /**
   * Place of all objects, if the change does not move them. Allows skipping the snapshots if no listener is interested
   * in that place.
   */
  readonly place?: Place;
};

/** Notifies listeners of changes inside the transaction of the change: both are stored, or neither. */
export interface Changes<Kind extends string> {
  /** Runs a change in its own transaction, and reports the watched objects that changed. */
  change<Result>(actor: ChangeActor, watched: Watched<Kind>, make: () => Result): Result;
  /** The same inside the caller's transaction. */
  watch<Result>(actor: ChangeActor, watched: Watched<Kind>, make: () => Result): Result;
  /** Call inside the change, when the rows exist. */
  created(actor: ChangeActor, kind: Kind, ids: readonly Id[]): void;
  /** Call inside the change, before the rows are deleted: parts first. */
  deleting(actor: ChangeActor, kind: Kind, ids: readonly Id[]): void;
  /** The actor of a background request. */
  actorOf(request: { readonly owner_id: number | null; readonly origin: string }): ChangeActor;
}

interface Listener<Kind extends string> {
  /** False skips all snapshots. */
  readonly isOn?: () => boolean;
  readonly looks: Readonly<Record<Kind, Look>>;
  told(action: 'create' | 'delete', actor: ChangeActor, kind: Kind, ids: readonly Id[]): void;
  updated(actor: ChangeActor, kind: Kind, id: Id, before: Sight, after: Sight): void;
}

/** Wraps `changes` so that `listener` is notified as well. */
export function withListener<Kind extends string>(listener: Listener<Kind>, changes: Changes<Kind>): Changes<Kind> {
  const { isOn = () => true, looks, told, updated } = listener;

  function seen(watched: Watched<Kind>) {
    // `Watched` names kinds in the plural.
    const given = watched as Readonly<Record<string, readonly (Id | null)[] | undefined>>;
    // The table's keys are the kinds.
    return (Object.keys(looks) as Kind[]).flatMap((kind) =>
      [...new Set(given[`${kind}s`])].flatMap((id) => {
        const before = id === null ? undefined : looks[kind](id);
        return id === null || before === undefined ? [] : [{ kind, id, before }];
      }),
    );
  }
  function watching<Result>(actor: ChangeActor, watched: Watched<Kind>, make: () => Result): Result {
    if (!isOn()) return make();
    const objects = seen(watched);
    const result = make();
    for (const { kind, id, before } of objects) {
      const after = looks[kind](id);
      if (after) updated(actor, kind, id, before, after);
    }
    return result;
  }

  return {
    ...changes,
    change: (actor, watched, make) => changes.change(actor, watched, () => watching(actor, watched, make)),
    watch: (actor, watched, make) => changes.watch(actor, watched, () => watching(actor, watched, make)),
    created(actor, kind, ids) {
      changes.created(actor, kind, ids);
      if (isOn()) told('create', actor, kind, ids);
    },
    deleting(actor, kind, ids) {
      changes.deleting(actor, kind, ids);
      if (isOn()) told('delete', actor, kind, ids);
    },
  };
}
