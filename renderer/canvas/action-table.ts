import type { TextKey } from '../i18n/text-key.ts';
import { createListeners } from './emitter.ts';
import { isModifierKey, normaliseShortcut, strokeOf, type KeyInput, type Shortcut } from './shortcuts.ts';

/**
 * Condition for an action's shortcut. If several share one, the order is 'cursor' (arrow keys move the drawing cursor),
 * 'drawing', the modes' scopes, 'suggestion' (a selected proposal), 'selection', 'always'. So one key can have several
 * actions that never apply at once. Only one mode is active at a time.
 */
export type ActionScope =
  | 'cursor'
  | 'drawing'
  | `mode.${'review' | 'attributes' | 'tags' | 'single'}`
  | 'suggestion'
  | 'selection'
  | 'always';

export type ActionGroup = 'tools' | 'draw' | 'edit' | 'object' | 'view' | (string & {});

/** Data of an action, which settings and the key reference list without a target. */
export interface ActionDefinition {
  readonly id: string;
  readonly label: TextKey;
  readonly number?: number;
  readonly name?: string;
  readonly group: ActionGroup;
  /** Defaults; the table's overrides replace them. */
  readonly keys: readonly Shortcut[];
  readonly scope: ActionScope;
  /** Also runs on key repeat. */
  readonly repeats?: boolean;
}

/** Action on a target, such as an engine or an open job. */
export interface ActionOn<Target> extends ActionDefinition {
  readonly run: (target: Target) => void;
  /** Enabled if missing. */
  readonly when?: (target: Target) => boolean;
}

/** Action bound to its target. */
export interface Action extends ActionDefinition {
  when(): boolean;
  run(): void;
}

/** Defines actions of a group, for any target of the type. */
export const inGroup =
  <Target>(group: ActionGroup) =>
  (
    id: string,
    label: TextKey,
    keys: readonly Shortcut[],
    run: (target: Target) => void,
    extra: Partial<ActionOn<Target>> = {},
  ): ActionOn<Target> => ({ id, label, group, keys, run, scope: 'always', ...extra });

export const bindActions = <Target>(actions: readonly ActionOn<Target>[], target: Target): readonly Action[] =>
  actions.map((action) => ({
    ...action,
    when: () => action.when?.(target) !== false,
    run: () => action.run(target),
  }));

export interface Conflict {
  readonly shortcut: Shortcut;
  readonly ids: readonly string[];
}

interface ActionTableOptions {
  readonly actions: readonly Action[];
  readonly overrides?: Readonly<Record<string, readonly Shortcut[]>>;
  readonly isMac?: boolean;
  /** Milliseconds; clock of two-key shortcuts. */
  readonly now?: () => number;
}

const scopeOrder: readonly ActionScope[] = [
  'cursor',
  'drawing',
  'mode.review',
  'mode.attributes',
  'mode.tags',
  'mode.single',
  'suggestion',
  'selection',
  'always',
];
const sequenceTimeoutMs = 1200;

/** One table for the toolbar, shortcuts, palette and help page. */
export function createActionTable(options: ActionTableOptions) {
  const { isMac = false, now = () => Date.now() } = options;
  let { actions } = options;
  let byId = new Map(actions.map((action) => [action.id, action]));
  const listeners = createListeners();
  let overrides = options.overrides ?? {};
  let byShortcut = index();
  let version = 0;
  let pending: { readonly stroke: Shortcut; readonly untilMs: number } | null = null;

  function shortcutsOf(id: string): readonly Shortcut[] {
    return (overrides[id] ?? byId.get(id)?.keys ?? []).map(normaliseShortcut);
  }
  function index(): Map<Shortcut, Action[]> {
    const map = new Map<Shortcut, Action[]>();
    for (const scope of scopeOrder) {
      for (const action of actions) {
        if (action.scope !== scope) continue;
        for (const shortcut of shortcutsOf(action.id)) map.set(shortcut, [...(map.get(shortcut) ?? []), action]);
      }
    }
    return map;
  }
  const perform = (candidates: readonly Action[], isRepeat: boolean): boolean => {
    const action = candidates.find((candidate) => candidate.when());
    if (action === undefined) return false;
    if (!isRepeat || action.repeats === true) action.run();
    return true;
  };

  const changed = (): void => {
    version += 1;
    byShortcut = index();
    listeners.tell();
  };

  return {
    get actions() {
      return actions;
    },
    get version() {
      return version;
    },
    get: (id: string) => byId.get(id),
    shortcutsOf,
    /** Overrides by action id; an empty list removes the shortcut. Replaces earlier overrides. */
    setOverrides(given: Readonly<Record<string, readonly Shortcut[]>>) {
      overrides = given;
      changed();
    },
    replaceGroup(group: ActionGroup, given: readonly Action[]) {
      actions = [...actions.filter((action) => action.group !== group), ...given];
      byId = new Map(actions.map((action) => [action.id, action]));
      changed();
    },
    /** Shortcuts shared by two actions of the same scope; the first action wins. */
    conflicts(): readonly Conflict[] {
      return [...byShortcut].flatMap(([shortcut, sharing]) =>
        scopeOrder.flatMap((scope) => {
          const ids = sharing.filter((action) => action.scope === scope).map(({ id }) => id);
          return ids.length > 1 ? [{ shortcut, ids }] : [];
        }),
      );
    },
    /** False if the id is unknown or the action is disabled. */
    run(id: string): boolean {
      const action = byId.get(id);
      return action !== undefined && perform([action], false);
    },
    /** True if the key belongs to an action or starts a two-key shortcut; the caller must call `preventDefault`. */
    handleKey(key: KeyInput & { readonly repeat?: boolean }): boolean {
      if (isModifierKey(key.code)) return false;
      const stroke = strokeOf(key, isMac);
      const begun = pending !== null && now() <= pending.untilMs ? pending.stroke : null;
      pending = null;
      if (begun !== null && perform(byShortcut.get(`${begun} ${stroke}`) ?? [], false)) return true;
      if (perform(byShortcut.get(stroke) ?? [], key.repeat === true)) return true;
      const begins = [...byShortcut.keys()].some((shortcut) => shortcut.startsWith(`${stroke} `));
      if (begins) pending = { stroke, untilMs: now() + sequenceTimeoutMs };
      return begins;
    },
    subscribe: listeners.subscribe,
  };
}

export type ActionTable = ReturnType<typeof createActionTable>;
