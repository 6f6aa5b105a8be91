/** Who causes a change, and where the service was reached then: addresses that are told to others begin with it. */
export interface ChangeActor {
  /** Null for work in the background whose owner is gone. */
  readonly userId: number | null;
  readonly baseUrl: string;
}

/** Where an object belongs: what decides who hears of it. */
export interface Place {
  readonly projectId: number | null;
  readonly organizationId: number | null;
}

/** Also the task and the job that an object is in, or is. */
export interface WorkPlace extends Place {
  readonly taskId: number | null;
  readonly jobId: number | null;
}

/** A look at an object: what others are told of it. */
export interface Sight {
  readonly place: WorkPlace;
  /** Values whose change is told, by their public names, as people read them: `assignee_id`. */
  readonly columns: Readonly<Record<string, unknown>>;
  /** As its REST endpoint answers it. Asked for where somebody waits for it. */
  readonly present: (baseUrl: string) => object;
  /** The same before a change, to be compared: keys that are missing are not. Without it as `present`. */
  readonly presentEarlier?: (baseUrl: string) => object;
  /** What goes with it, and is told of first: ids by kind. */
  readonly parts?: () => readonly (readonly [kind: string, ids: readonly Id[]])[];
}

export type Id = number | string;

/** Looks at an object of one kind; undefined where there is none. */
export type Look = (id: Id) => Sight | undefined;

/**
 * Objects that a change may touch, by their kinds; what becomes different about them is found by looking, and told in
 * this order.
 */
export type Watched<Kind extends string> = {
  readonly [One in Kind as `${One}s`]?: readonly (number | null)[];
} & {
  /** Where they all belong, if the change leaves them there: nothing is read that nobody there waits for. */
  readonly place?: Place;
};

/** Tells others what becomes of objects, in the transaction in which it happens: both are stored, or neither. */
export interface Changes<Kind extends string> {
  /** Makes a change in a transaction of its own, and tells of those of the watched objects that are different then. */
  change<Result>(actor: ChangeActor, watched: Watched<Kind>, make: () => Result): Result;
  /** The same inside the caller's transaction. */
  watch<Result>(actor: ChangeActor, watched: Watched<Kind>, make: () => Result): Result;
  /** Inside the change, when the rows are there. */
  created(actor: ChangeActor, kind: Kind, ids: readonly Id[]): void;
  /** Inside the change, before the rows go: their parts first. */
  deleting(actor: ChangeActor, kind: Kind, ids: readonly Id[]): void;
  /** Who did what a background request does. */
  actorOf(request: { readonly owner_id: number | null; readonly origin: string }): ChangeActor;
}

/** Somebody who hears changes where they are told already. */
interface Listener<Kind extends string> {
  /** False: nothing is looked at. */
  readonly isOn?: () => boolean;
  readonly looks: Readonly<Record<Kind, Look>>;
  told(action: 'create' | 'delete', actor: ChangeActor, kind: Kind, ids: readonly Id[]): void;
  updated(actor: ChangeActor, kind: Kind, id: Id, before: Sight, after: Sight): void;
}

/** The same changes, heard by the listener too. */
export function heardBy<Kind extends string>(listener: Listener<Kind>, changes: Changes<Kind>): Changes<Kind> {
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
