import type { StoreApi } from 'zustand/vanilla';
import type { Job } from '../../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import type { CanvasEngine } from '../../../canvas/canvas-engine.ts';
import { text } from '../../../i18n/index.ts';
import { notify } from '../../../ui/notify.ts';
import { isSkipped, type AnnotateState } from '../annotate-state.ts';
import { setKeptChoice } from '../kept-switch.ts';
import type { FrameNavigator } from './frame-navigator.ts';

interface DeletedFramesParts {
  readonly job: Pick<Job, 'id'>;
  readonly engine: Pick<CanvasEngine, 'setTracks' | 'tracks'>;
  readonly store: StoreApi<AnnotateState>;
  readonly navigator: Pick<FrameNavigator, 'step' | 'reload'>;
  readonly onChange: () => void;
}

/** Frames that do not count: neither exported nor shown in passing. Their annotations stay with them. */
export function createDeletedFrames({ job, engine, store, navigator, onChange }: DeletedFramesParts) {
  const params = { id: job.id };
  /** As the service has them now: another window may have changed others. */
  const change = async (frame: number, isDeleted: boolean): Promise<ReadonlySet<number>> => {
    const now = new Set((await call('getJobMeta', { params })).deleted_frames);
    if (isDeleted) now.add(frame);
    else now.delete(frame);
    const deleted_frames = [...now].toSorted((a, b) => a - b);
    return new Set((await call('updateJobMeta', { params, body: { deleted_frames } })).deleted_frames);
  };

  return {
    /** Deletes a frame, and goes on to the next one; restores it where it is deleted. */
    async toggle(frame: number): Promise<void> {
      const isDeleted = !store.getState().deleted.has(frame);
      try {
        const deleted = await change(frame, isDeleted);
        store.setState({ deleted });
        // Keyframes on deleted frames do not count: tracks look different on the others.
        engine.setTracks(engine.tracks.all(), deleted);
        onChange();
        if (isDeleted && isSkipped(store.getState(), store.getState().wantedFrame)) await navigator.step(1);
        else await navigator.reload();
      } catch (error) {
        notify.failure(
          text(isDeleted ? 'annotate.deleteFrameFailed' : 'annotate.restoreFrameFailed'),
          messageOf(error),
        );
      }
    },
    /** Whether steps go to them too; for every job. */
    show(showDeleted: boolean) {
      setKeptChoice('showDeleted', showDeleted);
      store.setState({ showDeleted });
    },
  };
}
