import { inGroup, type ActionOn } from '../../../canvas/action-table.ts';
import { areaTypes } from '../../../canvas/shapes/shape-rings.ts';
import { saveChoice } from '../model/saved-switches.ts';
import type { AnnotateSession } from '../model/session.ts';
import { frameIsShown } from '../model/types.ts';

const action = inGroup<AnnotateSession>('edit');
const selected: Partial<ActionOn<AnnotateSession>> = {
  scope: 'selection',
  when: ({ engine }) => engine.selection.ids().length > 0,
};

export const editingActions: readonly ActionOn<AnnotateSession>[] = [
  action(
    'edit.pasteInPlace',
    'editing.pasteInPlace',
    ['Mod+Shift+KeyV'],
    (session) => void session.clipboard.paste(true),
    {
      when: ({ store, clipboard }) => frameIsShown(store.getState()) && clipboard.isFilled(),
    },
  ),
  ...areaTypes.map((type) =>
    action(`edit.to.${type}`, `editing.to.${type}`, [], ({ operations }) => operations.convert(type), {
      when: ({ operations }) => operations.canConvert(type),
    }),
  ),
  // Registered before the same key of tracks, because shapes of one frame cannot form a track.
  action('edit.join', 'editing.join', ['KeyJ'], ({ operations }) => operations.join(), {
    scope: 'selection',
    when: ({ store, operations }) => store.getState().merging === null && operations.canJoin(),
  }),
  action('edit.swapSides', 'editing.swapSides', [], ({ skeletons }) => skeletons.swapSides(), {
    ...selected,
    when: ({ skeletons }) => skeletons.canSwap(),
  }),
  action('edit.resetSkeleton', 'editing.resetSkeleton', [], ({ skeletons }) => skeletons.reset(), {
    ...selected,
    when: ({ skeletons }) => skeletons.canReset(),
  }),
  action(
    'edit.selectSameLabel',
    'editing.sameLabel',
    ['Alt+KeyA'],
    ({ engine }) => engine.selection.sameLabel(),
    selected,
  ),
  action('edit.bulk', 'editing.bulk.open', ['Mod+KeyE'], ({ store }) => store.setState({ dialog: 'bulk' })),
  action('edit.invertSelection', 'editing.invert', ['Mod+Shift+KeyA'], ({ engine }) => engine.selection.invert()),
  action('edit.wholeGroups', 'editing.wholeGroups', [], ({ engine: { selection } }) => {
    selection.setWholeGroups(!selection.wholeGroups());
    saveChoice('wholeGroups', selection.wholeGroups());
  }),
];
