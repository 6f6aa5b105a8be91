import { inGroup, type Action } from '../../../canvas/actions.ts';
import { setKeptChoice } from '../kept-switch.ts';
import type { AnnotateSession } from '../session.ts';

/** What is selected, and what is done with several objects. */
export function editingActions({ engine }: AnnotateSession): Action[] {
  const { selection } = engine;
  const action = inGroup('edit');
  const selected = { scope: 'selection', when: () => selection.ids().length > 0 } as const;
  return [
    action('edit.selectSameLabel', 'editing.sameLabel', ['Alt+KeyA'], () => selection.sameLabel(), selected),
    action('edit.invertSelection', 'editing.invert', ['Mod+Shift+KeyA'], () => selection.invert()),
    action('edit.wholeGroups', 'editing.wholeGroups', [], () => {
      selection.setWholeGroups(!selection.wholeGroups());
      setKeptChoice('wholeGroups', selection.wholeGroups());
    }),
  ];
}
