import type { Source } from '../../../formats/io/source.ts';
import type { PreparedMedia } from '../../../media/media-preparation.ts';
import type { JobRun } from '../../../platform/worker-job.ts';
import { prepareArchiveMedia, type ArchiveMediaJob } from '../../import/archive-media.ts';
import { createArchiveImages } from './archive-images.ts';
import type { InspectedFrame } from './inspect-dataset.ts';

export interface DatasetMediaJob extends ArchiveMediaJob {
  readonly frames: readonly InspectedFrame[];
}

/** Extracts the images of one subset, with their context images, to the folder of its task. */
export function prepareDatasetMedia(job: DatasetMediaJob, run: JobRun): Promise<PreparedMedia> {
  const { frames } = job;
  const wanted = (source: Source) => {
    const images = createArchiveImages(source);
    const files = new Map(frames.map(({ name, entry }) => [name, entry]));
    if (!images.hasRelated) return files;
    return new Map([...files, ...frames.flatMap(({ name, entry }) => images.related(entry, name))]);
  };
  return prepareArchiveMedia(job, { name: 'dataset.zip', wanted, order: frames.map(({ name }) => name) }, run);
}
