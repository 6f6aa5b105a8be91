import { AppError } from '../platform/errors.ts';
import { createZipWriter, type ZipWriter } from './io/zip-writer.ts';
import type { ExportOptions } from './plugin.ts';
import type { FrameImage, FrameInfo, TaskData } from './task-data.ts';

/** Writes an archive to `path`; whatever goes wrong, no half-written file stays. */
export async function writeArchive(path: string, write: (zip: ZipWriter) => Promise<void>): Promise<void> {
  const zip = await createZipWriter(path);
  try {
    await write(zip);
    await zip.finish();
  } catch (error) {
    await zip.abort();
    throw error;
  }
}

/** A frame's name in a dataset: video frames have no extension of their own and get `.PNG`, as CVAT writes them. */
export function imageName(task_data: TaskData, frame: FrameInfo): string {
  const { meta } = task_data;
  const task = meta.tasks.find(({ id }) => id === frame.task_id) ?? meta;
  return task.mode === 'interpolation' && !/\.png$/i.test(frame.name) ? `${frame.name}.PNG` : frame.name;
}

async function addImage(zip: ZipWriter, path: string, image: FrameImage): Promise<void> {
  if (image.path !== undefined) await zip.addFile(path, image.path);
  else await zip.add(path, image.bytes ?? new Uint8Array(), { store: true });
}

const maxNamed = 5;

/**
 * Adds the images of all frames under the names that `pathOf` gives; null leaves a frame out, the caller has said why.
 * Images that cannot be read and names that two frames share are left out and reported.
 */
export async function addFrameImages(
  zip: ZipWriter,
  task_data: TaskData,
  { report, signal }: ExportOptions,
  pathOf: (frame: FrameInfo) => string | null,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const written = new Set<string>();
  const missing: string[] = [];
  let missingCount = 0;
  let done = 0;
  for (const frame of task_data.frames) {
    signal.throwIfAborted();
    done += 1;
    onProgress(done / Math.max(1, task_data.frame_count));
    const path = pathOf(frame);
    if (path === null) continue;
    if (written.has(path)) {
      report.warn(
        `Two frames have the image name ${path}: the archive holds the first only. Rename one and export again to have both.`,
      );
      continue;
    }
    const image = await task_data.frame_image(frame);
    if (!image) {
      missingCount += 1;
      if (missing.length < maxNamed) missing.push(frame.name);
      continue;
    }
    written.add(path);
    await addImage(zip, path, image).catch((cause: unknown) => {
      if (cause instanceof AppError) throw cause;
      throw new AppError(
        'internal',
        `The image ${frame.name} could not be copied into the archive. Nothing was exported.`,
        undefined,
        { cause },
      );
    });
  }
  if (missingCount > 0) {
    report.warn(
      `${missingCount} images could not be read and are not in the archive: ${missing.join(', ')}${missingCount > maxNamed ? ', …' : ''}.`,
    );
  }
}
