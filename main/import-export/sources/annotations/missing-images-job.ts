import { openSource } from '../../../formats/io/open-source.ts';
import { createPathFinder } from '../../../formats/kit/path-finder.ts';
import type { PreparedMedia } from '../../../media/media-preparation.ts';
import type { JobRun } from '../../../platform/worker-job.ts';
import { prepareArchiveMedia, type ArchiveMediaJob } from '../../import/archive-media.ts';
import { withWorkerContext, type WorkerPaths } from '../../bulk-writer/worker-context.ts';
import { createArchiveImages } from '../dataset/archive-images.ts';

export interface MissingImagesJob extends ArchiveMediaJob, WorkerPaths {
  readonly mediaId: number;
  readonly size: number;
  /** Folder below `raw/` for the images; null only names them. */
  readonly into: string | null;
}

export interface MissingImages {
  /** Names of the images that the task lacks. */
  readonly names: readonly string[];
  /** Null if there are none, or if they are only named. */
  readonly prepared: PreparedMedia | null;
}

/** Finds images of an archive that no frame of a task matches, and unpacks them into the task's folder. */
export async function prepareMissingImages(job: MissingImagesJob, run: JobRun): Promise<MissingImages> {
  const entries = await missingEntries(job, run);
  const names = [...entries.keys()];
  if (names.length === 0 || job.into === null) return { names, prepared: null };
  const wanted = () => entries;
  const media = { name: 'dataset.zip', wanted, order: names, into: job.into } as const;
  return { names, prepared: await prepareArchiveMedia(job, media, run) };
}

/** Paths in the archive by the name in the task. */
async function missingEntries({ file, mediaId, size, ...paths }: MissingImagesJob, run: JobRun) {
  const source = await openSource(file);
  try {
    const images = createArchiveImages(source).others(new Set(), new Set());
    return await withWorkerContext(paths, run, async ({ media }) => {
      const find = createPathFinder({
        *paths() {
          for (const { name, frame } of media.frames(mediaId, 0, size - 1)) yield [name, frame];
        },
      });
      return new Map(
        images.filter(({ entry }) => find({ name: entry }) === undefined).map(({ name, entry }) => [name, entry]),
      );
    });
  } finally {
    await source.close();
  }
}
