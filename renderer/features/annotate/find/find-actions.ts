import { inGroup, type Action } from '../../../canvas/actions.ts';
import type { AnnotateSession } from '../session.ts';

/** The filter, and the ways from match to match. */
export function findActions({ find }: AnnotateSession): Action[] {
  const action = inGroup('find');
  const { filter } = find;
  const isOn = (): boolean => filter.state.getState().logic !== null;
  return [
    action('filter.open', 'find.filter.open', ['KeyT KeyF'], () => filter.setOpen(!filter.state.getState().open)),
    action('filter.clear', 'find.filter.clear', ['KeyT KeyC'], filter.clear, { when: isOn }),
  ];
}
