import type { DatasetExportOptions } from '../../../preload/contract/schema/export-options.ts';
import { runnableExporter } from '../../formats/runnable-formats.ts';
import { createFormatReport, type FormatSummary } from '../../formats/kit/report.ts';
import type { PluginReference } from '../../formats/user-plugins/plugin-format.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import type { Store } from '../../db/store.ts';
import { warnOfSimilarNames } from './similar-names.ts';
import { applyExportOptions } from '../export-options/apply-export-options.ts';
import { createImageCopier } from '../export-options/copy-image.ts';
import { withUprightImages } from './upright-images.ts';
import { breakChannel } from '../bulk-writer/batch-channel.ts';
import { withOriginalImages, type OriginalImages } from '../annotation-reader/original-images.ts';
import type { ExportHelp } from './read-shapes-job.ts';
import { receiveShapes } from './shape-stream.ts';
import { beginWithHelper } from './shared-snapshot.ts';
import { createStoredView, type DatasetTarget } from '../annotation-reader/stored-view.ts';
import { withWorkerContext, type WorkerContext, type WorkerPaths } from '../bulk-writer/worker-context.ts';
import { defined } from '../../platform/defined.ts';

export interface ExportJob extends WorkerPaths {
  readonly target: DatasetTarget;
  readonly format: string;
  /** Set if the format is a user's plug-in. */
  readonly plugin?: PluginReference;
  readonly saveImages: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly onlyAnnotated: boolean;
  /** Export options applied to the data. */
  readonly exportOptions?: DatasetExportOptions;
  readonly destination: string;
  /** A second thread that reads the shapes. */
  readonly help?: ExportHelp;
}

/** Writes a dataset in one read transaction, so that the file is a consistent snapshot. */
export function exportDataset(job: ExportJob, run: JobRun): Promise<FormatSummary> {
  return withWorkerContext(job, run, async (own) => {
    // Checkpoints the WAL in this thread before the long read. Otherwise an edit that finds a long WAL would do it, and
    // block all other edits while the disk is busy with this export.
    own.database.pragma('wal_checkpoint(PASSIVE)');
    const help = job.help && beginHelped(own.database, job.help, run);
    if (!job.help) own.database.beginSnapshot();
    try {
      return await withOriginalImages(job.dataDirectory, (images) =>
        write(job, run, help ? withHelp(own, help) : own, images),
      );
    } finally {
      help?.stop();
      job.help?.port.close();
    }
  });
}

type Help = ReturnType<typeof receiveShapes>;

function beginHelped(database: Store, help: ExportHelp, run: JobRun): Help | undefined {
  if (beginWithHelper(database, help.meeting)) return receiveShapes(help, run.checkCancelled);
  breakChannel(help.state);
  return undefined;
}

function withHelp(context: WorkerContext, help: Help): WorkerContext {
  const { datasets } = context;
  const shapeBatches = (jobId: number) => help.ofJob(jobId) ?? datasets.shapeBatches(jobId);
  return { ...context, datasets: { ...datasets, shapeBatches } };
}

async function write(
  job: ExportJob,
  run: JobRun,
  context: WorkerContext,
  images: OriginalImages,
): Promise<FormatSummary> {
  const exporter = runnableExporter(job.format, job.plugin);
  if (!exporter) throw new AppError('invalid', `No exporter for "${job.format}".`);
  const report = createFormatReport();
  const choice = job.onlyAnnotated ? 'annotated' : undefined;
  const stored = createStoredView(context, job.target, { images, report, choice });
  const { exportOptions } = job;
  const arranged = exportOptions
    ? applyExportOptions(stored, {
        exportOptions,
        onlyAnnotated: job.onlyAnnotated,
        report,
        copyPicture: createImageCopier(exportOptions.images),
        checkCancelled: run.checkCancelled,
      }).view
    : stored;
  const upright = withUprightImages(arranged, exportOptions?.images?.orientation);
  await exporter.run({ path: job.destination }, upright.task_data, {
    ...job.options,
    ...defined({ first_class_id: exportOptions?.first_class_id }),
    save_images: job.saveImages,
    report,
    signal: run.signal,
    progress: (fraction) => run.progress(fraction),
  });
  upright.tell(report);
  context.database.endSnapshot();
  await warnOfSimilarNames(job.destination, report);
  run.checkCancelled();
  return report.summary();
}
