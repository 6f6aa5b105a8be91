import { inGroup, type Action } from '../../../canvas/action-table.ts';
import { areaTypes } from '../../../canvas/shapes/shape-rings.ts';
import { frameIsShown, type WorkspaceDialog } from '../model/types.ts';
import { saveChoice } from '../model/saved-switches.ts';
import type { AnnotateSession } from '../model/session.ts';

export function editingActions(
  { engine, operations, skeletons, clipboard, store }: AnnotateSession,
  openDialog: (dialog: WorkspaceDialog) => void,
): Action[] {
  const { selection } = engine;
  const action = inGroup('edit');
  const selected = { scope: 'selection', when: () => selection.ids().length > 0 } as const;
  return [
    action('edit.pasteInPlace', 'editing.pasteInPlace', ['Mod+Shift+KeyV'], () => void clipboard.paste(true), {
      when: () => frameIsShown(store.getState()) && clipboard.isFilled(),
    }),
    ...areaTypes.map((type) =>
      action(`edit.to.${type}`, `editing.to.${type}`, [], () => operations.convert(type), {
        when: () => operations.canConvert(type),
      }),
    ),
    // Registered before the same key of tracks, because shapes of one frame cannot form a track.
    action('edit.join', 'editing.join', ['KeyJ'], () => operations.join(), {
      scope: 'selection',
      when: () => store.getState().merging === null && operations.canJoin(),
    }),
    action('edit.swapSides', 'editing.swapSides', [], skeletons.swapSides, { ...selected, when: skeletons.canSwap }),
    action('edit.resetSkeleton', 'editing.resetSkeleton', [], skeletons.reset, {
      ...selected,
      when: skeletons.canReset,
    }),
    action('edit.selectSameLabel', 'editing.sameLabel', ['Alt+KeyA'], () => selection.sameLabel(), selected),
    action('edit.bulk', 'editing.bulk.open', ['Mod+KeyE'], () => openDialog('bulk')),
    action('edit.invertSelection', 'editing.invert', ['Mod+Shift+KeyA'], () => selection.invert()),
    action('edit.wholeGroups', 'editing.wholeGroups', [], () => {
      selection.setWholeGroups(!selection.wholeGroups());
      saveChoice('wholeGroups', selection.wholeGroups());
    }),
  ];
}
