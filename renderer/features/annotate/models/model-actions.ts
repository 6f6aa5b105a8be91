import type { Action } from '../../../canvas/actions.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { frameIsShown } from '../annotate-state.ts';
import type { AnnotateSession } from '../session.ts';

/** Keys of models and of what they propose. */
export function modelActions(session: AnnotateSession): Action[] {
  const { models, store, engine } = session;
  const { suggestions, detection, state } = models;
  const isReady = (): boolean => frameIsShown(store.getState());
  const action = (id: string, label: TextKey, shortcuts: readonly string[], run: () => void): Action => ({
    id: `model.${id}`,
    label,
    group: 'model',
    shortcuts,
    scope: 'always',
    when: isReady,
    run,
  });
  /** Only while a proposal is selected: the same keys do other things to ordinary objects. */
  const onSelected = (id: string, label: TextKey, shortcuts: readonly string[], run: () => void): Action => ({
    ...action(id, label, shortcuts, run),
    scope: 'suggestion',
    when: () => isReady() && suggestions.selected().length > 0,
  });
  const openIds = (): readonly string[] => suggestions.shown().map(({ clientId }) => clientId);
  const detect = (): void => {
    const { chosen } = state.getState();
    models.openPanel();
    if (chosen?.kind === 'detector') void detection.run(chosen);
  };
  return [
    action('panel', 'assist.open', ['Shift+KeyM'], models.openPanel),
    action('detect', 'assist.detectNow', ['Shift+KeyD'], detect),
    action('point', 'assist.point', ['Shift+KeyI'], () => void models.point()),
    onSelected('accept', 'assist.accept', ['Enter'], () => suggestions.accept(suggestions.selected())),
    onSelected('reject', 'assist.reject', ['Delete', 'Backspace'], () => suggestions.reject(suggestions.selected())),
    onSelected('acceptAll', 'assist.acceptAll', ['Shift+Enter'], () => suggestions.accept(openIds())),
    onSelected('rejectAll', 'assist.rejectAll', ['Shift+Delete'], () => suggestions.reject(openIds())),
    {
      ...onSelected('next', 'assist.next', ['ArrowDown', 'ArrowRight'], () => suggestions.step(1)),
      repeats: true,
    },
    {
      ...onSelected('previous', 'assist.previous', ['ArrowUp', 'ArrowLeft'], () => suggestions.step(-1)),
      repeats: true,
    },
    {
      ...action('review', 'assist.review', ['Enter'], () => suggestions.step(1)),
      when: () => isReady() && engine.selection.ids().length === 0 && suggestions.shown().length > 0,
    },
  ];
}
