/** Objects by their name in the repository, each as one text: equal texts are equal objects. */
export type State = ReadonlyMap<string, string>;

export type Decision = 'mine' | 'theirs' | 'both';

export interface Conflict {
  readonly uid: string;
  /** Null: not there, or deleted. */
  readonly base: string | null;
  readonly mine: string | null;
  readonly theirs: string | null;
}

export interface Merged {
  readonly state: State;
  /** Objects that both sides changed, and that nobody decided on. They are as they are here. */
  readonly conflicts: readonly Conflict[];
}

/**
 * Brings two states together that have a common one behind them. What one side changed counts; what both changed alike
 * counts once; what both changed differently is for a person to decide.
 * @param newUid names the second of the two where both are kept
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
      // Of two where one is deleted, both is the other one.
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

/** What leads from one state to another. */
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
