import type { TextKey } from '../i18n/text-key.ts';
import { createListeners } from './emitter.ts';
import { isModifierKey, normaliseShortcut, strokeOf, type KeyInput, type Shortcut } from './shortcuts.ts';

/**
 * When an action can be reached by its shortcut. Where two share one, 'cursor' (the arrow keys lead what is drawn) comes
 * before 'drawing', that before 'suggestion' (a selected
 * proposal of a model), that before 'selection' and that before 'always', so that one key may mean two things that
 * never apply at once. The scopes of modes come after 'drawing'; only one mode is on at a time.
 */
export type ActionScope =
  | 'cursor'
  | 'drawing'
  | `mode.${'review' | 'attributes' | 'tags' | 'single'}`
  | 'suggestion'
  | 'selection'
  | 'always';

export type ActionGroup = 'tools' | 'draw' | 'edit' | 'object' | 'view' | (string & {});

export interface Action {
  readonly id: string;
  /** What it is called: a key of the texts. */
  readonly label: TextKey;
  /** For labels that count. */
  readonly number?: number;
  /** For labels that name something of the person's own. */
  readonly name?: string;
  readonly group: ActionGroup;
  /** Defaults; the table's overrides replace them. */
  readonly shortcuts: readonly Shortcut[];
  readonly scope: ActionScope;
  /** Also runs while the key is held. */
  readonly repeats?: boolean;
  when(): boolean;
  run(): void;
}

const always = (): boolean => true;

/** Makes the actions of a group: they can always be run, unless `extra` says when. */
export const inGroup =
  (group: ActionGroup) =>
  (
    id: string,
    label: TextKey,
    shortcuts: readonly Shortcut[],
    run: () => void,
    extra: Partial<Action> = {},
  ): Action => ({
    id,
    label,
    group,
    shortcuts,
    run,
    scope: 'always',
    when: always,
    ...extra,
  });

export interface Conflict {
  readonly shortcut: Shortcut;
  readonly ids: readonly string[];
}

interface ActionTableOptions {
  readonly actions: readonly Action[];
  readonly overrides?: Readonly<Record<string, readonly Shortcut[]>>;
  readonly isMac?: boolean;
  /** Milliseconds; the clock of two-key shortcuts. */
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

/** One table for the toolbar, the shortcuts, the palette and the help page. */
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
    return (overrides[id] ?? byId.get(id)?.shortcuts ?? []).map(normaliseShortcut);
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
    /** Counts changes of the actions and of their keys. */
    get version() {
      return version;
    },
    get: (id: string) => byId.get(id),
    shortcutsOf,
    /** By action id; an empty list takes the shortcut away. Replaces earlier overrides. */
    setOverrides(given: Readonly<Record<string, readonly Shortcut[]>>) {
      overrides = given;
      changed();
    },
    /** Other actions stand in a group from now on, such as one for each label. */
    replaceGroup(group: ActionGroup, given: readonly Action[]) {
      actions = [...actions.filter((action) => action.group !== group), ...given];
      byId = new Map(actions.map((action) => [action.id, action]));
      changed();
    },
    /** Shortcuts that two actions of the same scope share: the first of them wins. */
    conflicts(): readonly Conflict[] {
      return [...byShortcut].flatMap(([shortcut, sharing]) =>
        scopeOrder.flatMap((scope) => {
          const ids = sharing.filter((action) => action.scope === scope).map(({ id }) => id);
          return ids.length > 1 ? [{ shortcut, ids }] : [];
        }),
      );
    },
    /** False: unknown, or not possible now. */
    run(id: string): boolean {
      const action = byId.get(id);
      return action !== undefined && perform([action], false);
    },
    /** True: the key belongs to an action (or begins one of two keys), so `preventDefault` it. */
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
