import { runnableImporter } from '../../formats/format-catalog.ts';
import { openSource, withSource } from '../../formats/io/source.ts';
import type { SourceFile } from '../../formats/kit/plugin.ts';
import type { PluginReference } from '../../formats/user-plugins/plugin-format.ts';
import { prepareTaskMedia, type PreparedMedia } from '../../media/prepare.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { mediaDirectory } from '../../work/tasks/task-media.ts';
import { archiveView } from './archive-view.ts';
import { createArchiveImages } from './archive-images.ts';
import { createSurveyData, type DatasetSurvey, type SurveyedFrame } from './dataset-survey.ts';

export interface SurveyJob {
  readonly format: string;
  /** Where the format is one that the person brought. */
  readonly plugin?: PluginReference | undefined;
  readonly file: SourceFile;
}

const withoutMedia = "Can't import media data from the annotation file. Please upload full dataset as a zip archive.";

/** Finds out what tasks and labels a dataset archive makes. Writes nothing. */
export function surveyDataset({ format, file, plugin }: SurveyJob, run: JobRun): Promise<DatasetSurvey> {
  return withSource(file, async (source) => {
    if (source.kind === 'file') throw new AppError('invalid', withoutMedia, [withoutMedia]);
    const importer = runnableImporter(format, plugin);
    if (!importer) throw new AppError('invalid', `There is no importer "${format}".`);
    const images = createArchiveImages(source);
    const survey = createSurveyData(images);
    await importer.run(file, survey.data, {
      conv_mask_to_poly: true,
      report: survey.report,
      signal: run.signal,
      progress: (fraction) => run.progress(fraction),
    });
    const result = survey.result();
    if (result.subsets.length > 0) return result;
    throw new AppError(
      'invalid',
      images.count === 0
        ? `${file.name} holds no images, and a project takes whole datasets. Put the images into the archive, or import the annotations into a task that has them. Nothing was changed.`
        : `None of the ${images.count} pictures in ${file.name} is one that its annotations speak of. Nothing was changed; check the format.`,
    );
  });
}

export interface SubsetMediaJob {
  readonly dataDirectory: string;
  readonly taskId: number;
  readonly file: SourceFile;
  readonly frames: readonly SurveyedFrame[];
}

/** Brings the images of one subset out of the archive into the media folder of its task. */
export async function prepareSubsetMedia(job: SubsetMediaJob, run: JobRun): Promise<PreparedMedia> {
  const names = job.frames.map(({ name }) => name);
  const openView = async () => {
    const source = await openSource(job.file);
    const images = createArchiveImages(source);
    const wanted = new Map(job.frames.map(({ name, entry }) => [name, entry]));
    if (images.hasRelated) {
      for (const { name, entry } of job.frames) {
        for (const [path, from] of images.related(entry, name)) wanted.set(path, from);
      }
    }
    return archiveView(source, wanted);
  };
  return prepareTaskMedia(
    {
      location: { directory: mediaDirectory(job.dataDirectory, job.taskId) },
      // The name says that it is an archive, whatever the uploaded file is called.
      uploads: [{ name: 'dataset.zip', file: job.file.path }],
      sorting_method: 'predefined',
      upload_file_order: names,
    },
    { signal: run.signal, progress: (fraction) => run.progress(fraction), openSource: openView },
  );
}
