import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { text } from '../../../../i18n/index.ts';
import { shortcutText } from '../../../../shared/keys/keymap-store.ts';
import { notifyAction } from '../../../../ui/notify-action.tsx';

interface DeletedTracksParts {
  readonly engine: Pick<CanvasEngine, 'on'>;
  readonly undo: () => void;
}

/** Key that deletes a track from the displayed frame on. */
export const removeFromKey = 'Mod+Delete';

/** Delete removes a track from all frames, not only the displayed one, so a notice appears. @returns stop function */
export const tellDeletedTracks = ({ engine, undo }: DeletedTracksParts): (() => void) =>
  engine.on('command', ({ kind, changes }, origin) => {
    const count = changes.filter(({ before, after }) => before?.kind === 'track' && after === null).length;
    if (kind !== 'delete' || origin !== 'do' || count === 0) return;
    const told = text('track.deletedWhole', { count, key: shortcutText(removeFromKey) });
    notifyAction('deletedTrack', told, { label: text('actions.edit.undo'), run: undo });
  });
