import type { FrameImage } from '../../formats/kit/task-data.ts';
import { frameState } from '../../media/image-identity.ts';
import type { Encoding } from '../../media/encode-picture.ts';
import { createMediaFrames } from '../../media/media-frames.ts';
import { encodePixels } from '../../media/video/encode-frame.ts';
import { createVideoWalk, type VideoWalk } from '../../media/video/video-walk.ts';
import { frameStep, type FrameRow, type MediaRow } from '../../work/tasks/media-repository.ts';
import { mediaLocation, storedFrame } from '../../work/tasks/task-media.ts';

/** The images of stored frames, as an export writes them: files as they are, frames of videos as PNG or as told. */
export interface OriginalImages {
  /**
   * Null where the image's file is missing: an export goes on without it.
   * @param coming frames of the task that will be asked for, this one among them; all without it
   */
  image(
    taskId: number,
    media: MediaRow,
    frame: FrameRow,
    coming?: ReadonlySet<number>,
  ): Promise<(FrameImage & { readonly bytes?: Buffer }) | null>;
}

/** So many frames of a video are decoded in one run: exports go from front to back. */
const runFrames = 200;

/** For the length of one job: a decoder that waits for the next frame is ended with it. */
export async function withOriginalImages<Result>(
  dataDirectory: string,
  work: (images: OriginalImages) => Promise<Result>,
  encoding: Encoding = { format: 'png' },
): Promise<Result> {
  const frames = createMediaFrames();
  let current: { readonly taskId: number; readonly walk: VideoWalk } | undefined;

  async function walkOf(
    taskId: number,
    media: MediaRow,
    file: string,
    coming: ReadonlySet<number> | undefined,
  ): Promise<VideoWalk> {
    if (current?.taskId === taskId) return current.walk;
    await current?.walk.close();
    const videos = await frames.of(mediaLocation(dataDirectory, taskId, media)).videos();
    const walk = createVideoWalk(videos, file, (index) => following(media, index, coming));
    current = { taskId, walk };
    return walk;
  }

  try {
    return await work({
      async image(taskId, media, frame, coming) {
        const store = frames.of(mediaLocation(dataDirectory, taskId, media));
        const stored = storedFrame(media, frame);
        if (stored.videoFrame === undefined) {
          const state = await frameState(store.location, stored, frame.identity ?? null);
          if (state === 'missing') return null;
          const { path, extension } = await store.originalFrame(stored);
          return { extension, isReplaced: state === 'replaced', ...(path === undefined ? {} : { path }) };
        }
        const walk = await walkOf(taskId, media, (await store.frameFile(stored)).path, coming);
        const pixels = await walk.frame(stored.videoFrame);
        const extension = encoding.format === 'jpeg' ? '.jpg' : `.${encoding.format}`;
        return { extension, bytes: await encodePixels(pixels, encoding) };
      },
    });
  } finally {
    await current?.walk.close();
    await frames.dispose();
  }
}

/** Indices of a task's frames behind one, up to a run's length. */
function following(media: MediaRow, index: number, coming: ReadonlySet<number> | undefined): number[] {
  const step = frameStep(media.frame_filter);
  const found: number[] = [];
  const start = Math.round((index - media.start_frame) / step);
  for (let frame = start + 1; frame < media.size && found.length < runFrames - 1; frame += 1) {
    if (!coming || coming.has(frame)) found.push(media.start_frame + frame * step);
  }
  return found;
}
