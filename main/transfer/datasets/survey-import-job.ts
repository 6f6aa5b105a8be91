import { runnableImporter } from '../../formats/format-catalog.ts';
import { applyImportChoices, readImportChoices } from '../../formats/import-choices/import-choices.ts';
import type { PluginReference } from '../../formats/user-plugins/plugin-format.ts';
import { createFormatReport } from '../../formats/kit/report.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { surveyImport, type SurveyedImport } from './import-survey.ts';
import { withOriginalImages } from './original-images.ts';
import { createStoredTaskData, type DatasetTarget } from './stored-task-data.ts';
import { withWorkerContext, type WorkerPaths } from './worker-context.ts';

export interface SurveyImportJob extends WorkerPaths {
  readonly target: DatasetTarget;
  readonly format: string;
  readonly plugin?: PluginReference | undefined;
  readonly file: { readonly path: string; readonly name: string };
  readonly options: Readonly<Record<string, unknown>>;
}

/** A file is read at most so often to be surveyed. */
const passes = 2;

/** Looks through a file of annotations for a task or a job. Writes nothing. */
export function surveyAnnotations(job: SurveyImportJob, run: JobRun): Promise<SurveyedImport> {
  return withWorkerContext(job, run.turns, async (context) => {
    const importer = runnableImporter(job.format, job.plugin);
    if (!importer) throw new AppError('invalid', `There is no importer "${job.format}".`);
    const choices = { ...readImportChoices(job.options, importer), label_mapping: undefined, masks: undefined };
    return withOriginalImages(job.dataDirectory, async (images) => {
      const plain = createStoredTaskData(context, job.target, { images, report: createFormatReport() });
      const { task_data } = applyImportChoices(plain, createFormatReport(), { options: job.options, choices });
      let pass = 0;
      return surveyImport(task_data, plain, {
        matching: choices.frame_matching,
        async run(surveyed) {
          const before = pass;
          pass += 1;
          await importer.run(job.file, surveyed, {
            ...job.options,
            // Masks are counted as masks, and not turned into polygons for nothing.
            conv_mask_to_poly: false,
            report: createFormatReport(),
            signal: run.signal,
            progress: (fraction) => run.progress(Math.min(1, (before + fraction) / passes)),
          });
        },
      });
    });
  });
}
