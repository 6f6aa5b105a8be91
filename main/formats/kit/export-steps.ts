import { addFrameImages } from './frame-images.ts';
import type { ZipWriter } from '../io/zip-writer.ts';
import type { ExportOptions } from './plugin.ts';
import type { Frame, FrameInfo, TaskData } from './task-data.ts';

/** The two steps of an export, with the progress of both: annotations first, then images where they are wanted. */
export interface ExportSteps {
  /** The frames, and between them progress and the person's wish to stop. */
  frames(frames?: Iterable<Frame>): Generator<Frame>;
  /** Adds the images under the names that `pathOf` gives; null leaves a frame out. */
  images(zip: ZipWriter, pathOf: (frame: FrameInfo) => string | null): Promise<void>;
}

/** Share of the work that annotations are in a data set with images. */
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
