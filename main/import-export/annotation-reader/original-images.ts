import type { FrameImage } from '../../formats/kit/task-data.ts';
import { frameState } from '../../media/image-identity.ts';
import type { Encoding } from '../../media/encode-image.ts';
import { createMediaFrames } from '../../media/media-frames.ts';
import { encodePixels } from '../../media/video/encode-frame.ts';
import { createVideoWalk, type VideoWalk } from '../../media/video/sequential-frames.ts';
import { frameStep, type FrameRow, type MediaRow } from '../../work/tables/media-repository.ts';
import { mediaLocation, storedFrame } from '../../work/tasks/task-media.ts';

/** Images of stored frames for exports: files unchanged, video frames as PNG or the requested format. */
export interface OriginalImages {
  /**
   * Null if the image file is missing; an export continues without it.
   * @param coming Frames of the task that will be requested, including this one; default: all.
   */
  image(
    taskId: number,
    media: MediaRow,
    frame: FrameRow,
    coming?: ReadonlySet<number>,
  ): Promise<(FrameImage & { readonly bytes?: Buffer }) | null>;
}

/** Video frames decoded in one run, because exports read them in order. */
const runFrames = 200;

/** Valid for one worker task. A decoder that waits for the next request is ended with it. */
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
          return { extension, isReplaced: state === 'replaced', path };
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

/** Indices of a task's frames after `index`, up to the length of a run. */
function following(media: MediaRow, index: number, coming: ReadonlySet<number> | undefined): number[] {
  const step = frameStep(media.frame_filter);
  const found: number[] = [];
  const start = Math.round((index - media.start_frame) / step);
  for (let frame = start + 1; frame < media.size && found.length < runFrames - 1; frame += 1) {
    if (!coming || coming.has(frame)) found.push(media.start_frame + frame * step);
  }
  return found;
}
