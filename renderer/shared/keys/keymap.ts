import { z } from 'zod';
import type { ActionDefinition } from '../../canvas/action-table.ts';
import { isShortcut, normaliseShortcut, type Shortcut } from '../../canvas/shortcuts.ts';
import { presetIds, presets, type KeyChanges, type PresetId } from './presets.ts';

export interface Keymap {
  readonly preset: PresetId;
  readonly changes: KeyChanges;
}

export const defaultKeymap: Keymap = { preset: 'cvat', changes: {} };

export type KeyedAction = Pick<ActionDefinition, 'id' | 'scope' | 'keys'>;

const labelPrefix = 'label:';
/** Id of a label's key, by name so that it applies to every job. */
export const labelActionId = (name: string): string => `${labelPrefix}${name}`;
export const labelOfAction = (id: string): string | null =>
  id.startsWith(labelPrefix) ? id.slice(labelPrefix.length) : null;

export const overridesOf = ({ preset, changes }: Keymap): KeyChanges => ({ ...presets[preset], ...changes });

export const shortcutsOf = (action: KeyedAction, keymap: Keymap): readonly Shortcut[] =>
  (overridesOf(keymap)[action.id] ?? action.keys).map(normaliseShortcut);

/** Actions plus the labels of any job that have a key; includes `id` even without a key. */
export function withLabels(actions: readonly KeyedAction[], { changes }: Keymap, id?: string): readonly KeyedAction[] {
  const known = new Set(actions.map((action) => action.id));
  const labels = [...Object.keys(changes), ...(id === undefined ? [] : [id])].filter(
    (one) => labelOfAction(one) !== null && !known.has(one) && known.add(one),
  );
  return [...actions, ...labels.map((one): KeyedAction => ({ id: one, scope: 'always', keys: [] }))];
}

export interface Conflict {
  readonly id: string;
  readonly shortcut: Shortcut;
  /** 'same': both have this key. 'begins': one is the first key of the other, which would be unreachable. */
  readonly kind: 'same' | 'begins';
}

/**
 * Actions that conflict with a key. Actions of different scopes can share a key, because they never apply at once. The
 * first key of a sequence conflicts in every scope.
 */
export function conflictsOf(
  actions: readonly KeyedAction[],
  keymap: Keymap,
  { id, shortcut }: { readonly id: string; readonly shortcut: Shortcut },
): readonly Conflict[] {
  const wanted = normaliseShortcut(shortcut);
  const scope = actions.find((action) => action.id === id)?.scope ?? 'always';
  return actions.flatMap((action): Conflict[] => {
    if (action.id === id) return [];
    return shortcutsOf(action, keymap).flatMap((theirs): Conflict[] => {
      if (theirs === wanted) return action.scope === scope ? [{ id: action.id, shortcut: theirs, kind: 'same' }] : [];
      const begins = theirs.startsWith(`${wanted} `) || wanted.startsWith(`${theirs} `);
      return begins ? [{ id: action.id, shortcut: theirs, kind: 'begins' }] : [];
    });
  });
}

/** The keymap with other keys for an action; its preset or default keys are no change. */
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
  /** The action's key to replace; null adds one. */
  readonly instead: Shortcut | null;
}

/**
 * Assigns a key. Its previous action loses it ('take') or gets the replaced key ('swap'); other conflicts always lose
 * their key.
 */
export function assignKey(
  actions: readonly KeyedAction[],
  keymap: Keymap,
  { id, shortcut, instead, others }: Assignment & { readonly others: 'take' | 'swap' },
): Keymap {
  const action = actions.find((one) => one.id === id);
  if (action === undefined) return keymap;
  const freed = conflictsOf(actions, keymap, { id, shortcut }).reduce((now, conflict) => {
    const other = actions.find((one) => one.id === conflict.id);
    if (other === undefined) return now;
    const given = others === 'swap' && conflict.kind === 'same' && instead !== null ? [instead] : [];
    const next = shortcutsOf(other, now).flatMap((theirs) => (theirs === conflict.shortcut ? given : [theirs]));
    return withKeys(now, other, next);
  }, keymap);
  const own = shortcutsOf(action, freed);
  const replaced = instead === null ? [...own, shortcut] : own.map((one) => (one === instead ? shortcut : one));
  return withKeys(freed, action, [...new Set(replaced.map(normaliseShortcut))]);
}

/** Restores an action's default keys; actions that took one of them lose it. */
export function resetKeys(actions: readonly KeyedAction[], keymap: Keymap, id: string): Keymap {
  const action = actions.find((one) => one.id === id);
  const { [id]: _, ...changes } = keymap.changes;
  const without = { ...keymap, changes };
  if (action === undefined) return without;
  return shortcutsOf(action, without).reduce((now, shortcut) => {
    // Only changed actions lose it, because some share a key by default.
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

export const writeKeymap = ({ preset, changes }: Keymap): string =>
  `${JSON.stringify({ limner: 'keys', version: 1, preset, keys: changes }, null, 2)}\n`;

export type KeymapReading =
  | { readonly keymap: Keymap }
  /** 'unknown' lists the actions that this version lacks. */
  | { readonly problem: 'notJson' | 'notKeys' | 'unknown'; readonly details: string };

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

/** The saved keymap. Keys of actions that this version lacks are preserved. */
export function readKept(text: string | null): Keymap {
  try {
    const { preset, keys } = fileSchema.parse(JSON.parse(text ?? 'null'));
    return { preset, changes: keys };
  } catch {
    return defaultKeymap;
  }
}
