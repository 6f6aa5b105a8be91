import type { DataMeta, Job } from '../../../../../preload/contract/schema/resources.ts';
import { ApiError } from '../../../../api/api-error.ts';
import { call } from '../../../../api/client.ts';
import type { FrameSizes } from '../../../../canvas/frame-guard.ts';
import type { AnnotateStore, FrameMeta } from '../types.ts';
import { text } from '../../../../i18n/index.ts';
import { imageInWindow, sendImageNow, sendImagesFrom } from '../../../../shared/files/sent-images.ts';
import { jobFrames } from './job-frames.ts';
import { sizeOfFile } from './file-size.ts';

/** Descriptions of a job's frames. Images of a folder that has just been opened have no size until they are read. */
export interface FrameList {
  /** A frame that has no size yet counts as one pixel. */
  metaOf(frame: number): FrameMeta | undefined;
  readonly sizes: FrameSizes;
  /** The description of a frame with its size. Rejects if its file is not an image. */
  read(frame: number): Promise<FrameMeta | undefined>;
}

type ListedJob = Pick<Job, 'id' | 'task_id' | 'start_frame' | 'stop_frame' | 'frame_count'>;

const pollMs = 500;
/** A service that does not answer is asked again; a job that was deleted is not. */
const progressAfter = (error: unknown): 'deleted' | null =>
  error instanceof ApiError && error.kind === 'not-found' ? 'deleted' : null;
const isRead = ({ width }: FrameMeta): boolean => width > 0;

interface FrameListParts {
  readonly job: ListedJob;
  readonly meta: DataMeta;
  readonly store: AnnotateStore;
  readonly closed: AbortSignal;
}

export function createFrameList({ job, meta, store, closed }: FrameListParts): FrameList {
  let frames: FrameMeta[] = [...(meta.frames ?? [])];
  const placeOf = (frame: number): number =>
    // All frames of a video share one description.
    frames.length === 1 ? 0 : frames.length === job.frame_count ? frame - job.start_frame : frame;
  const numbers = jobFrames(job, (frame) => frames[placeOf(frame)]);
  let differing: readonly number[] | null = null;

  const known = (frame: number): FrameMeta | undefined => frames[placeOf(frame)];

  function findDiffering(): readonly number[] {
    const sizes = new Set(numbers.map((frame) => `${known(frame)?.width} ${known(frame)?.height}`));
    return sizes.size > 1 ? numbers : [];
  }

  /** Shows progress until all images are read, and takes their sizes then. */
  async function follow(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      if (closed.aborted) return;
      const reading = await call('getReadingProgress', { params: { id: job.id }, signal: closed }).catch(progressAfter);
      if (closed.aborted) return;
      if (reading === null) continue;
      if (reading === 'deleted') {
        store.setState({ reading: null });
        return;
      }
      if (reading.read < reading.total) {
        store.setState({ reading });
        continue;
      }
      const whole = await call('listJobFrames', { params: { id: job.id }, signal: closed }).catch(() => null);
      if (whole === null) continue;
      frames = whole.frames ?? [];
      differing = null;
      store.setState({ reading: null, deleted: new Set(whole.deleted_frames) });
      return;
    }
  }
  if (meta.frames?.some(({ limner_state: state }) => state === 'unread' || state === 'unsent') === true) void follow();

  /** Size of an image that this window sends, from its own file. Null if the browser cannot decode it. */
  async function readInWindow(frame: number, name: string): Promise<FrameMeta | null> {
    const file = imageInWindow(job.task_id, name);
    if (file === undefined) return null;
    sendImagesFrom(job.task_id, frame);
    const size = await sizeOfFile(file);
    if (size === null) await sendImageNow(job.task_id, frame);
    return size && { name, ...size };
  }

  return {
    metaOf(frame) {
      const meta = known(frame);
      return meta === undefined || isRead(meta) ? meta : { ...meta, width: 1, height: 1 };
    },
    sizes: {
      sizeOf(frame) {
        const meta = known(frame);
        return meta !== undefined && isRead(meta) ? meta : undefined;
      },
      get differing() {
        return (differing ??= findDiffering());
      },
    },
    async read(frame) {
      const meta = known(frame);
      if (meta === undefined || isRead(meta)) return meta;
      const own = await readInWindow(frame, meta.name);
      if (own !== null) {
        frames[placeOf(frame)] = own;
        differing = null;
        return own;
      }
      const { name, width, height, problem, limner_state } = await call('getJobFrame', {
        params: { id: job.id, frame },
      });
      if (limner_state === 'unsent') throw new Error(text('sending.notYet', { name }));
      if (problem !== undefined) {
        const { deleted } = store.getState();
        if (!deleted.has(frame)) store.setState({ deleted: new Set(deleted).add(frame) });
        throw new Error(problem);
      }
      const found = { name, width, height };
      frames[placeOf(frame)] = found;
      differing = null;
      return found;
    },
  };
}
