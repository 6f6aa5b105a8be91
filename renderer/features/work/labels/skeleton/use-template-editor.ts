import { useMemo, useState, type KeyboardEvent, useCallback, useReducer } from 'react';
import { useText } from '../../../../i18n/index.ts';
import type { LabelDraft } from '../label-draft.ts';
import { type TemplateTool, pressKey, type StageState } from './template-stage.tsx';
import { changed, shifted, templateOf, without, type Template } from './template.ts';
import type { PointEdits } from './template-points.tsx';

interface News {
  readonly title: string;
  readonly lines: readonly string[];
}

export type TemplateEditor = ReturnType<typeof useTemplateEditor>;

export function useTemplateEditor(label: LabelDraft) {
  const t = useText();
  const isFixed = label.id !== undefined;
  const history = useTemplateHistory(() => templateOf(label.skeleton));
  const { template, change } = history;
  const [tool, setTool] = useState<TemplateTool>(isFixed ? 'move' : 'draw');
  const [chosen, setChosen] = useState<string | null>(null);
  const [joining, setJoining] = useState<string | null>(null);
  const [news, setNews] = useState<News | null>(null);
  // Undo may have removed the point.
  const there = (key: string | null): string | null =>
    template.points.some((point) => point.key === key) ? key : null;
  const state: StageState = { template, chosen: there(chosen), joining: there(joining) };
  const edits = useMemo(
    (): PointEdits => ({
      choose: setChosen,
      change: (key, part, kind) => change((now) => changed(now, key, part), kind),
      shift: (key, by) => change((now) => shifted(now, key, by)),
      remove: (key) => change((now) => without(now, key)),
    }),
    [change],
  );
  const take = (next: Template, key: string | null): void => {
    setNews(null);
    change(() => next);
    setChosen(key);
  };
  const say = (title: string, ...lines: readonly string[]): void => setNews({ title, lines });
  const refuseFixed = (): void => say(t('skeleton.isFixed'), t('skeleton.fixed'));
  return {
    isFixed,
    history,
    state,
    tool,
    setTool,
    news,
    say,
    refuseFixed,
    edits,
    take,
    start(next: Template) {
      take(next, null);
      setJoining(null);
    },
    stageKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey) return;
      const next = pressKey(state, event, isFixed);
      if (next === null) return;
      event.preventDefault();
      event.stopPropagation();
      setNews(null);
      if (isFixed && ['Enter', 'Delete', 'Backspace'].includes(event.key)) refuseFixed();
      change(() => next.template, event.key.startsWith('Arrow') ? `move ${state.chosen}` : undefined);
      setChosen(next.chosen);
      setJoining(next.joining);
    },
    /** Handles keys anywhere in the editor except in text fields. */
    anyKey(event: KeyboardEvent) {
      const key = event.key.toLowerCase();
      if ((!event.ctrlKey && !event.metaKey) || (key !== 'z' && key !== 'y')) return;
      if (event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) history.redo();
      else history.undo();
    },
  };
}

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

function useTemplateHistory(make: () => Template) {
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
