/** Objects by uid, each as a text; equal objects have equal texts. */
export type State = ReadonlyMap<string, string>;

export type Decision = 'mine' | 'theirs' | 'both';

export interface Conflict {
  readonly uid: string;
  /** Null if missing or deleted. */
  readonly base: string | null;
  readonly mine: string | null;
  readonly theirs: string | null;
}

export interface Merged {
  readonly state: State;
  /** Objects changed on both sides without a decision; they keep the local version. */
  readonly conflicts: readonly Conflict[];
}

/**
 * Three-way merge. Changes of one side and equal changes are applied; different changes of both sides need a decision.
 * @param newUid uid of the second object if both are kept
 */
export function merge(
  { base, mine, theirs }: { readonly base: State; readonly mine: State; readonly theirs: State },
  decisions: ReadonlyMap<string, Decision>,
  newUid: () => string,
): Merged {
  const state = new Map<string, string>();
  const conflicts: Conflict[] = [];
  const put = (uid: string, text: string | undefined): void => void (text !== undefined && state.set(uid, text));
  for (const uid of new Set([...mine.keys(), ...theirs.keys()])) {
    const [before, here, there] = [base.get(uid), mine.get(uid), theirs.get(uid)];
    if (here === there || there === before) put(uid, here);
    else if (here === before) put(uid, there);
    else {
      const decision = decisions.get(uid);
      if (decision === undefined)
        conflicts.push({ uid, base: before ?? null, mine: here ?? null, theirs: there ?? null });
      if (decision === 'theirs') put(uid, there);
      else put(uid, here);
      // If one side deleted the object, "both" means the other version.
      if (decision === 'both') put(here === undefined ? uid : newUid(), there);
    }
  }
  return { state, conflicts };
}

export interface Difference {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export function difference(from: State, to: State): Difference {
  const added: string[] = [];
  const changed: string[] = [];
  for (const [uid, text] of to) {
    const before = from.get(uid);
    if (before === undefined) added.push(uid);
    else if (before !== text) changed.push(uid);
  }
  return { added, changed, removed: [...from.keys()].filter((uid) => !to.has(uid)) };
}
