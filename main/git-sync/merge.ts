import { createHash } from 'node:crypto';
import { eachInPortions, type Portions } from '../platform/portions.ts';

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
export function* merge(
  { base, mine, theirs }: { readonly base: State; readonly mine: State; readonly theirs: State },
  decisions: Pick<ReadonlyMap<string, Decision>, 'get'>,
  newUid: () => string,
): Portions<Merged> {
  const state = new Map<string, string>();
  const conflicts: Conflict[] = [];
  const put = (uid: string, text: string | undefined): void => void (text !== undefined && state.set(uid, text));
  function add(uid: string): void {
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
  yield* eachInPortions(mine.keys(), add);
  yield* eachInPortions(theirs.keys(), (uid) => {
    if (!mine.has(uid)) add(uid);
  });
  return { state, conflicts };
}

/** Names both versions of an object, so that a decision never applies to a version that the user did not see. */
export const versionOf = (mine: string | null = null, theirs: string | null = null): string =>
  createHash('sha256')
    .update(JSON.stringify([mine, theirs]))
    .digest('base64url');

export interface Difference {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export function* difference(from: State, to: State): Portions<Difference> {
  const added: string[] = [];
  const changed: string[] = [];
  const removed: string[] = [];
  yield* eachInPortions(to, ([uid, text]) => {
    const before = from.get(uid);
    if (before === undefined) added.push(uid);
    else if (before !== text) changed.push(uid);
  });
  yield* eachInPortions(from.keys(), (uid) => {
    if (!to.has(uid)) removed.push(uid);
  });
  return { added, changed, removed };
}
