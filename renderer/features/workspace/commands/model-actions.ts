import { inGroup, type ActionOn } from '../../../canvas/action-table.ts';
import type { AnnotateSession } from '../model/session.ts';
import { frameIsShown } from '../model/types.ts';

const action = inGroup<AnnotateSession>('model');
const isReady = ({ store }: AnnotateSession): boolean => frameIsShown(store.getState());
const ready = { when: isReady };
/** Only while a proposal is selected, because the keys have other actions on ordinary objects. */
const onSelected: Partial<ActionOn<AnnotateSession>> = {
  scope: 'suggestion',
  when: (session) => isReady(session) && session.models.suggestions.selected().length > 0,
};
const walking = { ...onSelected, repeats: true };

const step =
  (by: 1 | -1) =>
  ({ models }: AnnotateSession): void =>
    models.suggestions.step(by);
const answer =
  (kind: 'accept' | 'reject', which: 'selected' | 'all') =>
  ({ models: { suggestions } }: AnnotateSession): void =>
    suggestions[kind](which === 'all' ? suggestions.shown().map(({ clientId }) => clientId) : suggestions.selected());

function detect({ models }: AnnotateSession): void {
  const { chosen } = models.state.getState();
  models.openPanel();
  if (chosen?.kind === 'detector') void models.detection.run(chosen);
}

export const modelActions: readonly ActionOn<AnnotateSession>[] = [
  action('model.panel', 'assist.open', ['Shift+KeyM'], ({ models }) => models.openPanel(), ready),
  action('model.detect', 'assist.detectNow', ['Shift+KeyD'], detect, ready),
  action('model.point', 'assist.point', ['Shift+KeyI'], ({ models }) => void models.point(), ready),
  action('model.accept', 'assist.accept', ['Enter'], answer('accept', 'selected'), onSelected),
  action('model.reject', 'assist.reject', ['Delete', 'Backspace'], answer('reject', 'selected'), onSelected),
  action('model.acceptAll', 'assist.acceptAll', ['Shift+Enter'], answer('accept', 'all'), onSelected),
  action('model.rejectAll', 'assist.rejectAll', ['Shift+Delete'], answer('reject', 'all'), onSelected),
  action('model.next', 'assist.next', ['ArrowDown', 'ArrowRight'], step(1), walking),
  action('model.previous', 'assist.previous', ['ArrowUp', 'ArrowLeft'], step(-1), walking),
  action('model.review', 'assist.review', ['Enter'], step(1), {
    when: (session) =>
      isReady(session) && session.engine.selection.ids().length === 0 && session.models.suggestions.shown().length > 0,
  }),
];
