import type { CanvasEngine } from '../../../canvas/canvas-engine.ts';
import { text } from '../../../i18n/index.ts';
import { shortcutText } from '../../../parts/keys/keymap-store.ts';
import { notifyAction } from '../../../ui/notify-action.tsx';

interface DeletedTracksParts {
  readonly engine: Pick<CanvasEngine, 'on'>;
  readonly undo: () => void;
}

/** The key that deletes a track from the shown frame on. */
export const removeFromKey = 'Mod+Delete';

/** Delete takes a track from all frames, not only from the one that is seen: that is said. @returns how to stop */
export const tellDeletedTracks = ({ engine, undo }: DeletedTracksParts): (() => void) =>
  engine.on('command', ({ kind, changes }, origin) => {
    const count = changes.filter(({ before, after }) => before?.kind === 'track' && after === null).length;
    if (kind !== 'delete' || origin !== 'do' || count === 0) return;
    const told = text('track.deletedWhole', { count, key: shortcutText(removeFromKey) });
    notifyAction('deletedTrack', told, { label: text('actions.edit.undo'), run: undo });
  });
