import { join } from 'node:path';
import { writeArchive } from '../../formats/kit/frame-images.ts';
import { rawDirectory } from '../../media/media-location.ts';
import type { PreparedFrame, PreparedMedia } from '../../media/media-preparation.ts';
import { createDurableFiles } from '../../platform/durable-files.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { mediaDirectory } from '../../work/tasks/task-media.ts';
import { eachFramePicture, type FramePicturesJob } from './frame-images.ts';

export interface PrepareFramesJob extends FramePicturesJob {
  /** The new task, whose folder is still empty. */
  readonly taskId: number;
}

/** Maximum number of unsynced files: more would delay commits of the store during the sync. */
const filesPerSync = 32;

/** Writes frames as the media of a new task. Files and names are synced to disk when the promise resolves. */
export async function prepareFrames({ taskId, ...job }: PrepareFramesJob, run: JobRun): Promise<PreparedMedia> {
  const raw = rawDirectory({ directory: mediaDirectory(job.dataDirectory, taskId) });
  const disk = createDurableFiles();
  await disk.makeFolder(raw);
  const frames: PreparedFrame[] = [];
  await eachFramePicture(job, run, async ({ name, width, height, bytes }) => {
    await disk.write(join(raw, name), bytes);
    frames.push({ path: name, file: name, identity: null, width, height, related_files: [] });
    if (frames.length % filesPerSync === 0) await disk.sync();
  });
  await disk.sync();
  const numbers = { start_frame: 0, stop_frame: frames.length - 1, frame_step: 1 };
  return { kind: 'images', frames, skipped: [], warnings: [], inPlace: false, ...numbers };
}

export interface ExportFramesJob extends FramePicturesJob {
  readonly destination: string;
}

/** Writes frames to an archive. */
export async function exportFrames({ destination, ...job }: ExportFramesJob, run: JobRun): Promise<void> {
  await writeArchive(destination, (zip) =>
    eachFramePicture(job, run, ({ name, bytes }) => zip.add(name, bytes, { store: true })),
  );
}
