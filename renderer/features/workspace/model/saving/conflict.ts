import { sameBody } from './record-codec.ts';
import type { ConflictChoice, Edit } from './save-types.ts';

const withParts = <Given extends Edit>(edit: Given, parts: object): Given => ({ ...edit, ...parts });

/** True for a conflict: the object was edited here and elsewhere, and the user has to choose. */
export const isConflict = (edit: Edit): boolean => edit.theirs !== undefined;

/** Gives a newer edit the base of an earlier unanswered edit of the same object. */
export const onBasisOf = (edit: Edit, { base, seen, serverId, theirs }: Edit): Edit =>
  withParts(edit, {
    ...(serverId === undefined ? {} : { serverId }),
    ...(base === undefined ? {} : { base }),
    ...(seen === undefined ? {} : { seen }),
    ...(theirs === undefined ? {} : { theirs }),
  });

/**
 * Decides about an edit after the service's state may have changed.
 * @param now state in the service; undefined if the object was deleted
 * @param seen version of that state
 */
export function judged(
  edit: Edit,
  now: Edit['body'] | undefined,
  seen: string,
): { readonly kind: 'done' } | { readonly kind: 'again' | 'clash'; readonly edit: Edit } {
  const isDone = now === undefined ? edit.deleted : !edit.deleted && sameBody(now, edit.body);
  if (isDone) return { kind: 'done' };
  const isUntouched = now !== undefined && edit.base !== undefined && sameBody(now, edit.base);
  if (isUntouched) return { kind: 'again', edit: { ...edit, seen } };
  return { kind: 'clash', edit: withParts(edit, { seen, theirs: now ?? null }) };
}

/** Both versions can only be kept if neither was deleted. */
export const choicesOf = ({ deleted, theirs }: Edit): readonly ConflictChoice[] =>
  deleted || theirs === null ? ['mine', 'theirs'] : ['mine', 'theirs', 'both'];

/** The choice for one of several conflicts; if both cannot be kept, the remaining version is. */
export const possibleChoice = (conflict: Edit, choice: ConflictChoice): ConflictChoice => {
  if (choicesOf(conflict).includes(choice)) return choice;
  return conflict.deleted ? 'theirs' : 'mine';
};

/** Edit to send after the choice; null if there is none. */
export function afterChoice(conflict: Edit, choice: ConflictChoice, copyId: string): Edit | null {
  const { theirs, base: _base, seen: _seen, serverId: _serverId, reason: _reason, ...mine } = conflict;
  if (choice === 'theirs') return null;
  if (choice === 'both') return { ...mine, localId: copyId };
  if (theirs !== null) return withParts(withoutChoice(conflict), { base: theirs });
  // The object was deleted, so it is created again.
  return mine.deleted ? null : mine;
}

const withoutChoice = ({ theirs: _theirs, reason: _reason, ...edit }: Edit): Edit => edit;
