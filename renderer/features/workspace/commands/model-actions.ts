import { inGroup, type Action } from '../../../canvas/action-table.ts';
import { frameIsShown } from '../model/types.ts';
import type { AnnotateSession } from '../model/session.ts';

export function modelActions(session: AnnotateSession): Action[] {
  const { models, store, engine } = session;
  const { suggestions, detection, state } = models;
  const isReady = (): boolean => frameIsShown(store.getState());
  const action = inGroup('model');
  /** Only while a proposal is selected, because the keys have other actions on ordinary objects. */
  const onSelected: Partial<Action> = {
    scope: 'suggestion',
    when: () => isReady() && suggestions.selected().length > 0,
  };
  const ready = { when: isReady };
  const walking = { ...onSelected, repeats: true };
  const openIds = (): readonly string[] => suggestions.shown().map(({ clientId }) => clientId);
  const detect = (): void => {
    const { chosen } = state.getState();
    models.openPanel();
    if (chosen?.kind === 'detector') void detection.run(chosen);
  };
  return [
    action('model.panel', 'assist.open', ['Shift+KeyM'], models.openPanel, ready),
    action('model.detect', 'assist.detectNow', ['Shift+KeyD'], detect, ready),
    action('model.point', 'assist.point', ['Shift+KeyI'], () => void models.point(), ready),
    action('model.accept', 'assist.accept', ['Enter'], () => suggestions.accept(suggestions.selected()), onSelected),
    action(
      'model.reject',
      'assist.reject',
      ['Delete', 'Backspace'],
      () => suggestions.reject(suggestions.selected()),
      onSelected,
    ),
    action('model.acceptAll', 'assist.acceptAll', ['Shift+Enter'], () => suggestions.accept(openIds()), onSelected),
    action('model.rejectAll', 'assist.rejectAll', ['Shift+Delete'], () => suggestions.reject(openIds()), onSelected),
    action('model.next', 'assist.next', ['ArrowDown', 'ArrowRight'], () => suggestions.step(1), walking),
    action('model.previous', 'assist.previous', ['ArrowUp', 'ArrowLeft'], () => suggestions.step(-1), walking),
    action('model.review', 'assist.review', ['Enter'], () => suggestions.step(1), {
      when: () => isReady() && engine.selection.ids().length === 0 && suggestions.shown().length > 0,
    }),
  ];
}
