import type { FrameImage } from '../../formats/kit/task-data.ts';
import { fromRgb } from '../../media/decode.ts';
import { frameState } from '../../media/image-identity.ts';
import { createMediaFrames } from '../../media/media-frames.ts';
import { createVideoWalk, type VideoWalk } from '../../media/video/video-walk.ts';
import { frameStep, type FrameRow, type MediaRow } from '../../work/tasks/media-repository.ts';
import { mediaLocation, storedFrame } from '../../work/tasks/task-media.ts';

/** The images of stored frames, as an export writes them: files as they are, frames of videos as PNG. */
export interface OriginalImages {
  /** Null where the image's file is missing: an export goes on without it. */
  image(taskId: number, media: MediaRow, frame: FrameRow): Promise<FrameImage | null>;
}

/** So many frames of a video are decoded in one run: exports go from front to back. */
const runFrames = 200;

/** For the length of one job: a decoder that waits for the next frame is ended with it. */
export async function withOriginalImages<Result>(
  dataDirectory: string,
  work: (images: OriginalImages) => Promise<Result>,
): Promise<Result> {
  const frames = createMediaFrames();
  let current: { readonly taskId: number; readonly walk: VideoWalk } | undefined;

  async function walkOf(taskId: number, media: MediaRow, file: string): Promise<VideoWalk> {
    if (current?.taskId === taskId) return current.walk;
    await current?.walk.close();
    const videos = await frames.of(mediaLocation(dataDirectory, taskId, media)).videos();
    const walk = createVideoWalk(videos, file, (index) => following(media, index));
    current = { taskId, walk };
    return walk;
  }

  try {
    return await work({
      async image(taskId, media, frame) {
        const store = frames.of(mediaLocation(dataDirectory, taskId, media));
        const stored = storedFrame(media, frame);
        if (stored.videoFrame === undefined) {
          const state = await frameState(store.location, stored, frame.identity ?? null);
          if (state === 'missing') return null;
          const { path, extension } = await store.originalFrame(stored);
          return { extension, isReplaced: state === 'replaced', ...(path === undefined ? {} : { path }) };
        }
        const walk = await walkOf(taskId, media, (await store.frameFile(stored)).path);
        const pixels = await walk.frame(stored.videoFrame);
        return { extension: '.png', bytes: await (await fromRgb(pixels)).png().toBuffer() };
      },
    });
  } finally {
    await current?.walk.close();
    await frames.dispose();
  }
}

/** Indices of a task's frames behind one, up to a run's length. */
function following(media: MediaRow, index: number): number[] {
  const step = frameStep(media.frame_filter);
  const left = Math.floor((media.start_frame + (media.size - 1) * step - index) / step);
  return Array.from({ length: Math.max(0, Math.min(runFrames - 1, left)) }, (_, count) => index + (count + 1) * step);
}
