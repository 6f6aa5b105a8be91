import { addFrameImages } from './frame-images.ts';
import type { ZipWriter } from '../io/zip-writer.ts';
import type { ExportOptions } from './plugin.ts';
import type { Frame, FrameInfo, TaskData } from './task-data.ts';

/** The two steps of an export and their progress: annotations, then optionally images. */
export interface ExportSteps {
  /** Iterates frames, with progress and cancellation between them. */
  frames(frames?: Iterable<Frame>): Generator<Frame>;
  /** Adds images under the names from `pathOf`; null skips a frame. */
  images(zip: ZipWriter, pathOf: (frame: FrameInfo) => string | null): Promise<void>;
}

/** Fraction of the progress that annotations take in an export with images. */
const annotationShare = 0.5;

export function createExportSteps(task_data: TaskData, options: ExportOptions): ExportSteps {
  const { signal, progress, save_images } = options;
  const share = save_images ? annotationShare : 1;
  let done = 0;
  return {
    *frames(frames = task_data.group_by_frame(true)) {
      for (const frame of frames) {
        signal.throwIfAborted();
        done += 1;
        progress((share * done) / Math.max(1, task_data.frame_count));
        yield frame;
      }
    },
    async images(zip, pathOf) {
      if (!save_images) return;
      await addFrameImages(zip, task_data, options, pathOf, (fraction) => progress(share + (1 - share) * fraction));
    },
  };
}
