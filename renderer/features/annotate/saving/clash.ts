import { sameBody } from './record-codec.ts';
import type { ClashChoice, Edit } from './save-types.ts';

/** An edit with other parts of its own kind. */
const withParts = <Given extends Edit>(edit: Given, parts: object): Given => ({ ...edit, ...parts });

/** An object that was changed here and elsewhere: it waits for a choice. */
export const isClash = (edit: Edit): boolean => edit.theirs !== undefined;

/** A newer edit of the same object, made on what an earlier one without an answer was made on. */
export const onBasisOf = (edit: Edit, { base, seen, serverId, theirs }: Edit): Edit =>
  withParts(edit, {
    ...(serverId === undefined ? {} : { serverId }),
    ...(base === undefined ? {} : { base }),
    ...(seen === undefined ? {} : { seen }),
    ...(theirs === undefined ? {} : { theirs }),
  });

/**
 * What is to be done with an edit now that the service may have another state of the object than it was made on.
 * @param now what the service has; undefined: the object is gone
 * @param seen the version that it is from
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

/** Both can hold only where there are two. */
export const choicesOf = ({ deleted, theirs }: Edit): readonly ClashChoice[] =>
  deleted || theirs === null ? ['mine', 'theirs'] : ['mine', 'theirs', 'both'];

/** The same for one of many: where both cannot hold, what is left of the object does. */
export const possibleChoice = (clash: Edit, choice: ClashChoice): ClashChoice => {
  if (choicesOf(clash).includes(choice)) return choice;
  return clash.deleted ? 'theirs' : 'mine';
};

/** What is left to send once it is chosen what holds of an object; null: nothing. */
export function afterChoice(clash: Edit, choice: ClashChoice, copyId: string): Edit | null {
  const { theirs, base: _base, seen: _seen, serverId: _serverId, reason: _reason, ...mine } = clash;
  if (choice === 'theirs') return null;
  if (choice === 'both') return { ...mine, localId: copyId };
  if (theirs !== null) return withParts(withoutChoice(clash), { base: theirs });
  // There is nothing to change: it is made anew.
  return mine.deleted ? null : mine;
}

const withoutChoice = ({ theirs: _theirs, reason: _reason, ...edit }: Edit): Edit => edit;
