import { useCallback, useReducer } from 'react';
import type { Template } from './template.ts';

interface Step {
  readonly template: Template;
  /** Consecutive steps of one kind, such as the letters of a name, are undone together. */
  readonly kind: string | undefined;
}

interface History {
  readonly past: readonly Template[];
  readonly now: Step;
  readonly future: readonly Template[];
}

type Action =
  | { readonly what: 'do'; readonly edit: (template: Template) => Template; readonly kind?: string | undefined }
  | { readonly what: 'undo' | 'redo' };

export const beginHistory = (template: Template): History => ({
  past: [],
  now: { template, kind: undefined },
  future: [],
});

export function stepHistory({ past, now, future }: History, action: Action): History {
  if (action.what === 'do') {
    const { edit, kind } = action;
    const template = edit(now.template);
    if (template === now.template) return { past, now, future };
    const joins = kind !== undefined && kind === now.kind;
    return { past: joins ? past : [...past, now.template], now: { template, kind }, future: [] };
  }
  const from = action.what === 'undo' ? past : future.toReversed();
  const template = from.at(-1);
  if (template === undefined) return { past, now, future };
  return action.what === 'undo'
    ? { past: past.slice(0, -1), now: { template, kind: undefined }, future: [now.template, ...future] }
    : { past: [...past, now.template], now: { template, kind: undefined }, future: future.slice(1) };
}

export function useTemplateHistory(make: () => Template) {
  const [{ past, now, future }, dispatch] = useReducer(stepHistory, undefined, () => beginHistory(make()));
  const change = useCallback(
    (edit: (template: Template) => Template, kind?: string): void => dispatch({ what: 'do', edit, kind }),
    [],
  );
  return {
    template: now.template,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    change,
    undo: (): void => dispatch({ what: 'undo' }),
    redo: (): void => dispatch({ what: 'redo' }),
  };
}
