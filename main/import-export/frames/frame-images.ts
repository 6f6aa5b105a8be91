import type { FrameImages } from '../../../preload/contract/schema/frames.ts';
import type { Encoding } from '../../media/encode-image.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { withWorkerContext, type WorkerPaths } from '../bulk-writer/worker-context.ts';
import { withOriginalImages } from '../annotation-reader/original-images.ts';

/** Frames of a video task and the options for their images. */
export interface FramePicturesJob extends WorkerPaths {
  readonly sourceTaskId: number;
  /** Frame numbers in the task, ascending. */
  readonly frames: readonly number[];
  readonly image: FrameImages;
}

export interface FramePicture {
  /** Name with the frame number in the video: `frame_000123.jpg`. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

const defaultQuality = 95;

const encodingOf = ({ image_format: format, image_quality: quality = defaultQuality }: FrameImages): Encoding =>
  format === 'png' ? { format } : { format, quality };

/** Decodes frames in sequences, as exports do, and passes each on before the next one is encoded. */
export function eachFramePicture(
  { sourceTaskId, frames, image, ...paths }: FramePicturesJob,
  run: JobRun,
  take: (picture: FramePicture) => Promise<void>,
): Promise<void> {
  const wanted = new Set(frames);
  return withWorkerContext(paths, run, ({ tasks, media }) => {
    const mediaId = tasks.get(sourceTaskId)?.media_id ?? null;
    const row = mediaId === null ? undefined : media.get(mediaId);
    if (!row) throw new AppError('not-found', 'The task was deleted while its frames were read. Nothing was created.');
    const work: Parameters<typeof withOriginalImages<void>>[1] = async (images) => {
      for (const [index, frame] of frames.entries()) {
        run.checkCancelled();
        const known = media.frame(row.id, frame);
        const picture = known && (await images.image(sourceTaskId, row, known, wanted));
        if (!known || !picture?.bytes) throw new AppError('internal', `Frame ${frame} has no image.`);
        const { width, height, name } = known;
        await take({ name: `${name}${picture.extension}`, width, height, bytes: picture.bytes });
        run.progress((index + 1) / frames.length);
      }
    };
    return withOriginalImages(paths.dataDirectory, work, encodingOf(image));
  });
}
