import { call } from '../../../../api/client.ts';
import { neighbourKeyframes } from '../../../../canvas/tracks/neighbour-keyframes.ts';
import type { CommandOrigin, FrameDeletion } from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import { notify } from '../../../../ui/notify.ts';
import { notifyAction } from '../../../../ui/notify-action.tsx';
import { isSkipped, type SessionParts } from '../types.ts';
import { jobFrames } from './job-frames.ts';
import type { HistoryNavigator } from './history-navigator.ts';
import { saveChoice } from '../saved-switches.ts';

interface DeletedFramesParts extends SessionParts {
  readonly history: Pick<HistoryNavigator, 'undo'>;
  readonly matches: { forget(): void };
}

/**
 * Deleted frames are neither exported nor played; their annotations remain. Deleting and restoring are commands, so
 * undo covers them.
 */
export function createDeletedFrames(parts: DeletedFramesParts) {
  const { job, engine, store, navigator, metaOf, history, matches } = parts;
  const frames = jobFrames(job, metaOf);
  let last: Promise<void> = Promise.resolve();
  const change = async ({ frame, deleted }: FrameDeletion): Promise<ReadonlySet<number>> => {
    const answer = await call('updateJobFrame', { params: { id: job.id, frame }, body: { deleted } });
    const now = new Set(store.getState().deleted);
    if (answer.deleted) now.add(frame);
    else now.delete(frame);
    return now;
  };
  const carryOut = async (deletion: FrameDeletion, origin: CommandOrigin): Promise<void> => {
    try {
      const deleted = await change(deletion);
      store.setState({ deleted });
      // Keyframes on deleted frames are ignored, so tracks differ on the other frames.
      engine.setTracks(engine.tracks.all(), deleted);
      matches.forget();
      if (deletion.deleted && isSkipped(store.getState(), store.getState().wantedFrame)) await navigator.step(1);
      else await navigator.reload();
    } catch (error) {
      const failed = deletion.deleted ? 'annotate.deleteFrameFailed' : 'annotate.restoreFrameFailed';
      notify.failure(text(failed), error);
      // Reverts the local state through the history without another request.
      stop();
      if (origin === 'undo') engine.redo();
      else engine.undo();
      stop = follow();
    }
  };
  const follow = (): (() => void) =>
    engine.on('command', ({ deletion }, origin) => {
      if (deletion !== undefined) last = last.then(() => carryOut(deletion, origin));
    });
  let stop = follow();

  const remove = (frame: number): void => {
    const { deleted } = store.getState();
    const { to, changes } = neighbourKeyframes(engine.tracks.all(), { frame, frames, deleted });
    const label = text('annotate.frameDeleted', { frame });
    const deletion = { frame, deleted: true };
    if (engine.execute({ kind: 'frame', frame, label, changes, deletion }) === null) return;
    if (changes.length === 0 || to === null) return;
    const told = `${label} ${text('annotate.movedStates', { count: changes.length, to })}`;
    notifyAction('deletedFrame', told, { label: text('actions.edit.undo'), run: history.undo });
  };

  return {
    /** Deletes the frame and goes to the next one, or restores a deleted frame. */
    async toggle(frame: number): Promise<void> {
      await last;
      if (!store.getState().deleted.has(frame)) remove(frame);
      else {
        const label = text('annotate.frameRestored', { frame });
        engine.execute({ kind: 'frame', frame, label, changes: [], deletion: { frame, deleted: false } });
      }
      await last;
    },
    /** Sets if steps include deleted frames, for all jobs. */
    show(showDeleted: boolean) {
      saveChoice('showDeleted', showDeleted);
      store.setState({ showDeleted });
    },
  };
}
