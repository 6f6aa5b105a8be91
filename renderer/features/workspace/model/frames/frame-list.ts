import type { DataMeta, Job } from '../../../../../preload/contract/schema/resources.ts';
import { ApiError } from '../../../../api/api-error.ts';
import { call } from '../../../../api/client.ts';
import { framesAtOnce } from '../../../../api/queries.ts';
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

type ListedFrame = NonNullable<DataMeta['frames']>[number];
type ListedJob = Pick<Job, 'id' | 'task_id' | 'start_frame' | 'stop_frame'>;

const pollMs = 500;
/** A service that does not answer is asked again; a job that was deleted is not. */
const progressAfter = (error: unknown): 'deleted' | null =>
  error instanceof ApiError && error.kind === 'not-found' ? 'deleted' : null;
const isRead = ({ width }: Pick<FrameMeta, 'width'>): boolean => width > 0;

interface FrameListParts {
  readonly job: ListedJob;
  /** Lists the frames around the first displayed one; see `firstFrames`. */
  readonly meta: DataMeta;
  /** The first frame that `meta` lists. */
  readonly listedFrom: number;
  readonly store: AnnotateStore;
  readonly closed: AbortSignal;
}

const notListed: FrameMeta = { name: '', width: 0, height: 0 };
const isUnread = ({ limner_state: state }: ListedFrame): boolean => state === 'unread' || state === 'unsent';

export function createFrameList({ job, meta, listedFrom, store, closed }: FrameListParts): FrameList {
  const { start_frame: first, stop_frame: last } = job;
  const frames = new Map<number, FrameMeta>();
  // All frames of a video share one description.
  const shared = meta.chapters === null ? undefined : meta.frames?.[0];
  const numbers = jobFrames(job, known);
  let differing: readonly number[] | null = null;
  let isFollowed = false;

  function known(frame: number): FrameMeta | undefined {
    return frame < first || frame > last ? undefined : (shared ?? frames.get(frame) ?? notListed);
  }
  function keep(frame: number, found: FrameMeta): void {
    frames.set(frame, found);
    differing = null;
  }

  function findDiffering(): readonly number[] {
    const sizes = new Set(numbers.map((frame) => `${known(frame)?.width} ${known(frame)?.height}`));
    return sizes.size > 1 ? numbers : [];
  }

  /** The size of an image that this window sends is known before the service has it. */
  function take(from: number, listed: readonly ListedFrame[]): void {
    for (const [index, found] of listed.entries())
      if (isRead(found) || !isRead(frames.get(from + index) ?? notListed)) keep(from + index, found);
    if (isFollowed || !listed.some(isUnread)) return;
    isFollowed = true;
    void follow();
  }

  /** Lists frames in parts. Repeats a part that the service did not answer. Returns the deleted frames. */
  async function listAll(isListed: (frame: number) => boolean): Promise<readonly number[]> {
    let deleted: readonly number[] = [];
    for (let from = first; from <= last && !closed.aborted;) {
      const query = { frame: from, count: framesAtOnce };
      const answer = isListed(from)
        ? 'listed'
        : await call('listJobFrames', { params: { id: job.id }, query, signal: closed }).catch(progressAfter);
      if (answer === 'deleted') return deleted;
      if (answer === 'listed') from += 1;
      else if (answer === null) await new Promise((resolve) => setTimeout(resolve, pollMs));
      else {
        take(from, answer.frames ?? []);
        deleted = answer.deleted_frames;
        from += framesAtOnce;
      }
    }
    return deleted;
  }

  /** Lists the other frames when an image is shown. */
  async function listOthers(): Promise<void> {
    if (shared === undefined && frames.size < numbers.length) {
      const { promise: shown, resolve } = Promise.withResolvers<void>();
      const stop = store.subscribe((state) => state.shown && resolve());
      await shown;
      stop();
      await listAll((frame) => frames.has(frame));
    }
    if (!closed.aborted) store.setState({ listed: true });
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
      const deleted = await listAll(() => false);
      if (!closed.aborted) store.setState({ reading: null, deleted: new Set(deleted) });
      return;
    }
  }

  /** Size of an image that this window sends, from its own file. Null if the browser cannot decode it. */
  async function readInWindow(frame: number, name: string): Promise<FrameMeta | null> {
    const opening = imageInWindow(job.task_id, name);
    if (opening === undefined) return null;
    sendImagesFrom(job.task_id, frame);
    const file = await opening.catch(() => null);
    const size = file && (await sizeOfFile(file));
    if (size === null) await sendImageNow(job.task_id, frame);
    return size && { name, ...size };
  }
  const described = (frame: number) => call('getJobFrame', { params: { id: job.id, frame } });

  if (shared === undefined) take(listedFrom, meta.frames ?? []);
  void listOthers();

  return {
    metaOf(frame) {
      const found = known(frame);
      return found === undefined || isRead(found) ? found : { ...found, width: 1, height: 1 };
    },
    sizes: {
      sizeOf(frame) {
        const found = known(frame);
        return found !== undefined && isRead(found) ? found : undefined;
      },
      get differing() {
        return (differing ??= findDiffering());
      },
    },
    async read(frame) {
      const listed = known(frame);
      if (listed === undefined || isRead(listed)) return listed;
      const own = await readInWindow(frame, listed === notListed ? (await described(frame)).name : listed.name);
      if (own !== null) {
        keep(frame, own);
        return own;
      }
      const { name, width, height, problem, limner_state } = await described(frame);
      if (limner_state === 'unsent') throw new Error(text('sending.notYet', { name }));
      if (problem !== undefined) {
        const { deleted } = store.getState();
        if (!deleted.has(frame)) store.setState({ deleted: new Set(deleted).add(frame) });
        throw new Error(problem);
      }
      const found = { name, width, height };
      keep(frame, found);
      return found;
    },
  };
}
