import { inGroup, type ActionOn } from '../../../canvas/action-table.ts';
import type { AnnotateSession } from '../model/session.ts';
import { removeFromKey } from '../model/tracks/track-controller.ts';

const action = inGroup<AnnotateSession>('track');
type Extra = Partial<ActionOn<AnnotateSession>>;
const isMerging = ({ store }: AnnotateSession): boolean => store.getState().merging !== null;
const ofTracks: Extra = { scope: 'selection', when: ({ trackController }) => trackController.selected().length > 0 };
const ofShapes: Extra = { scope: 'selection', when: ({ trackController }) => trackController.shapes().length > 0 };

type Edit = 'toggleKeyframe' | 'split' | 'merge' | 'join' | 'stopMerging' | 'removeFrom' | 'removeBefore' | 'toTrack';
const edit =
  (name: Edit) =>
  ({ trackController }: AnnotateSession): void =>
    trackController[name]();
const toKeyframe =
  (by: 1 | -1) =>
  ({ trackController }: AnnotateSession): void =>
    trackController.goToKeyframe(by);

/** Actions on tracks, with the keys of CVAT's default keymap if it has one. */
export const trackActions: readonly ActionOn<AnnotateSession>[] = [
  action('track.draw', 'track.asTrack', ['Shift+KeyT'], ({ trackController, store }) =>
    trackController.setAsTrack(!store.getState().asTrack),
  ),
  action('track.keyframe', 'track.keyframe', ['KeyK'], edit('toggleKeyframe'), ofTracks),
  action('track.previousKeyframe', 'track.previousKeyframe', ['KeyE'], toKeyframe(-1), ofTracks),
  action('track.nextKeyframe', 'track.nextKeyframe', ['KeyR'], toKeyframe(1), ofTracks),
  action('track.split', 'track.split', ['Alt+KeyM'], edit('split'), ofTracks),
  action('track.merge', 'track.merge', ['KeyM'], edit('merge')),
  action('track.join', 'track.join', ['KeyJ'], edit('join'), {
    when: (session) => isMerging(session) || session.engine.selection.ids().length > 1,
  }),
  action('track.stopMerging', 'track.stopMerging', ['Escape'], edit('stopMerging'), {
    scope: 'drawing',
    when: isMerging,
  }),
  action('track.removeFrom', 'track.removeFrom', [removeFromKey], edit('removeFrom'), ofTracks),
  action('track.removeBefore', 'track.removeBefore', [], edit('removeBefore'), ofTracks),
  action('track.toTrack', 'track.toTrack', [], edit('toTrack'), ofShapes),
  action('track.toShapes', 'track.toShapes', [], ({ store }) => store.setState({ dialog: 'shapes' }), ofTracks),
  action(
    'track.propagate',
    'track.propagate',
    ['Mod+KeyB'],
    ({ store }) => store.setState({ dialog: 'propagate' }),
    ofShapes,
  ),
];
