import { z } from 'zod';
import type { Action } from '../../canvas/action-table.ts';
import { isShortcut, normaliseShortcut, type Shortcut } from '../../canvas/shortcuts.ts';
import { presetIds, presets, type KeyChanges, type PresetId } from './presets.ts';

/** A preset, and what the person changed of it. */
export interface Keymap {
  readonly preset: PresetId;
  readonly changes: KeyChanges;
}

export const defaultKeymap: Keymap = { preset: 'cvat', changes: {} };

/** What keys need of an action. */
export type KeyedAction = Pick<Action, 'id' | 'scope' | 'shortcuts'>;

const labelPrefix = 'label:';
/** The id under which a label's own key is kept: by its name, so that it holds in every job. */
export const labelActionId = (name: string): string => `${labelPrefix}${name}`;
export const labelOfAction = (id: string): string | null =>
  id.startsWith(labelPrefix) ? id.slice(labelPrefix.length) : null;

/** Preset and own changes together, as the table of actions takes them. */
export const overridesOf = ({ preset, changes }: Keymap): KeyChanges => ({ ...presets[preset], ...changes });

export const shortcutsOf = (action: KeyedAction, keymap: Keymap): readonly Shortcut[] =>
  (overridesOf(keymap)[action.id] ?? action.shortcuts).map(normaliseShortcut);

/** Actions and, among them, the labels that have a key of their own, in whichever job; `id` also where it has none. */
export function withLabels(actions: readonly KeyedAction[], { changes }: Keymap, id?: string): readonly KeyedAction[] {
  const known = new Set(actions.map((action) => action.id));
  const labels = [...Object.keys(changes), ...(id === undefined ? [] : [id])].filter(
    (one) => labelOfAction(one) !== null && !known.has(one) && known.add(one),
  );
  return [...actions, ...labels.map((one): KeyedAction => ({ id: one, scope: 'always', shortcuts: [] }))];
}

export interface Clash {
  readonly id: string;
  /** The other action's key. */
  readonly shortcut: Shortcut;
  /** 'same': both have this key. 'begins': one of them is the first key of the other, which would never be reached. */
  readonly kind: 'same' | 'begins';
}

/**
 * Whose key it is already. Actions of different scopes may share a key: they never apply at once. A key that begins a
 * sequence of two is taken in every scope.
 */
export function clashesOf(
  actions: readonly KeyedAction[],
  keymap: Keymap,
  { id, shortcut }: { readonly id: string; readonly shortcut: Shortcut },
): readonly Clash[] {
  const wanted = normaliseShortcut(shortcut);
  const scope = actions.find((action) => action.id === id)?.scope ?? 'always';
  return actions.flatMap((action): Clash[] => {
    if (action.id === id) return [];
    return shortcutsOf(action, keymap).flatMap((theirs): Clash[] => {
      if (theirs === wanted) return action.scope === scope ? [{ id: action.id, shortcut: theirs, kind: 'same' }] : [];
      const begins = theirs.startsWith(`${wanted} `) || wanted.startsWith(`${theirs} `);
      return begins ? [{ id: action.id, shortcut: theirs, kind: 'begins' }] : [];
    });
  });
}

/** The same keymap with other keys for one action; its preset's or own keys again are no change. */
export function withKeys(keymap: Keymap, action: KeyedAction, shortcuts: readonly Shortcut[]): Keymap {
  const given = shortcuts.map(normaliseShortcut);
  const usual = shortcutsOf(action, { ...keymap, changes: {} });
  const { [action.id]: _, ...others } = keymap.changes;
  const isUsual = given.length === usual.length && given.every((shortcut, index) => shortcut === usual[index]);
  return { ...keymap, changes: isUsual ? others : { ...others, [action.id]: given } };
}

interface Assignment {
  readonly id: string;
  readonly shortcut: Shortcut;
  /** The key of the same action that it stands for; null: one more. */
  readonly instead: Shortcut | null;
}

/**
 * Gives an action a key. Who had it loses it ('take'), or gets the key that is given up ('swap'); what clashes in
 * another way than by the same key always loses its key.
 */
export function assignKey(
  actions: readonly KeyedAction[],
  keymap: Keymap,
  { id, shortcut, instead, others }: Assignment & { readonly others: 'take' | 'swap' },
): Keymap {
  const action = actions.find((one) => one.id === id);
  if (action === undefined) return keymap;
  const freed = clashesOf(actions, keymap, { id, shortcut }).reduce((now, clash) => {
    const other = actions.find((one) => one.id === clash.id);
    if (other === undefined) return now;
    const given = others === 'swap' && clash.kind === 'same' && instead !== null ? [instead] : [];
    const next = shortcutsOf(other, now).flatMap((theirs) => (theirs === clash.shortcut ? given : [theirs]));
    return withKeys(now, other, next);
  }, keymap);
  const own = shortcutsOf(action, freed);
  const replaced = instead === null ? [...own, shortcut] : own.map((one) => (one === instead ? shortcut : one));
  return withKeys(freed, action, [...new Set(replaced.map(normaliseShortcut))]);
}

/** An action's usual keys again; whoever got one of them meanwhile gives it back. */
export function resetKeys(actions: readonly KeyedAction[], keymap: Keymap, id: string): Keymap {
  const action = actions.find((one) => one.id === id);
  const { [id]: _, ...changes } = keymap.changes;
  const without = { ...keymap, changes };
  if (action === undefined) return without;
  return shortcutsOf(action, without).reduce((now, shortcut) => {
    // Only those that were changed give it back: some actions share a key from the start.
    const changed = actions.filter((one) => one.id === id || now.changes[one.id] !== undefined);
    return assignKey(changed, now, { id, shortcut, instead: shortcut, others: 'take' });
  }, without);
}

const fileSchema = z.object({
  limner: z.literal('keys'),
  version: z.literal(1),
  preset: z.enum(presetIds),
  keys: z.record(z.string(), z.array(z.string().refine(isShortcut)).max(8)),
});

/** The keymap as a file that `readKeymap` takes. */
export const writeKeymap = ({ preset, changes }: Keymap): string =>
  `${JSON.stringify({ limner: 'keys', version: 1, preset, keys: changes }, null, 2)}\n`;

export type KeymapReading =
  | { readonly keymap: Keymap }
  /** 'unknown': the actions that this version does not have. */
  | { readonly problem: 'notJson' | 'notKeys' | 'unknown'; readonly details: string };

/** Reads a file of keys: all of it or nothing. */
export function readKeymap(text: string, actions: readonly KeyedAction[]): KeymapReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: 'notJson', details: String(error) };
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { problem: 'notKeys', details: issue?.path.join(' → ') ?? '' };
  }
  const known = new Set(actions.map(({ id }) => id));
  const unknown = Object.keys(parsed.data.keys).filter((id) => !known.has(id) && labelOfAction(id) === null);
  if (unknown.length > 0) return { problem: 'unknown', details: unknown.join(', ') };
  return { keymap: { preset: parsed.data.preset, changes: parsed.data.keys } };
}

/** What was kept last time: keys of actions that this version lacks stay where they are. */
export function readKept(text: string | null): Keymap {
  try {
    const { preset, keys } = fileSchema.parse(JSON.parse(text ?? 'null'));
    return { preset, changes: keys };
  } catch {
    return defaultKeymap;
  }
}
