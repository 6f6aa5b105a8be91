import { inGroup, type Action } from '../../../canvas/action-table.ts';
import type { WorkspaceDialog } from '../model/types.ts';
import type { AnnotateSession } from '../model/session.ts';
import { removeFromKey } from '../model/tracks/deleted-tracks.ts';

/** Actions on tracks, with the keys of CVAT's default keymap if it has one. */
export function trackActions(
  { trackController: controller, store, engine }: AnnotateSession,
  openDialog: (dialog: WorkspaceDialog) => void,
): Action[] {
  const action = inGroup('track');
  const merging = (): boolean => store.getState().merging !== null;
  const ofTracks = { scope: 'selection', when: () => controller.selected().length > 0 } as const;
  const ofShapes = { scope: 'selection', when: () => controller.shapes().length > 0 } as const;
  return [
    action('track.draw', 'track.asTrack', ['Shift+KeyT'], () => controller.setAsTrack(!store.getState().asTrack)),
    action('track.keyframe', 'track.keyframe', ['KeyK'], controller.toggleKeyframe, ofTracks),
    action('track.previousKeyframe', 'track.previousKeyframe', ['KeyE'], () => controller.goToKeyframe(-1), ofTracks),
    action('track.nextKeyframe', 'track.nextKeyframe', ['KeyR'], () => controller.goToKeyframe(1), ofTracks),
    action('track.split', 'track.split', ['Alt+KeyM'], controller.split, ofTracks),
    action('track.merge', 'track.merge', ['KeyM'], controller.merge),
    action('track.join', 'track.join', ['KeyJ'], controller.join, {
      when: () => merging() || engine.selection.ids().length > 1,
    }),
    action('track.stopMerging', 'track.stopMerging', ['Escape'], controller.stopMerging, {
      scope: 'drawing',
      when: merging,
    }),
    action('track.removeFrom', 'track.removeFrom', [removeFromKey], controller.removeFrom, ofTracks),
    action('track.removeBefore', 'track.removeBefore', [], controller.removeBefore, ofTracks),
    action('track.toTrack', 'track.toTrack', [], controller.toTrack, ofShapes),
    action('track.toShapes', 'track.toShapes', [], () => openDialog('shapes'), ofTracks),
    action('track.propagate', 'track.propagate', ['Mod+KeyB'], () => openDialog('propagate'), ofShapes),
  ];
}
