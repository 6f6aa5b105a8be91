import { findExporter } from '../../formats/registry.ts';
import { createFormatReport, type FormatSummary } from '../../formats/report.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { createStoredTaskData, type DatasetTarget } from './stored-task-data.ts';
import { withWorkerContext, type WorkerPaths } from './worker-context.ts';

export interface ExportJob extends WorkerPaths {
  readonly target: DatasetTarget;
  readonly format: string;
  readonly saveImages: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly destination: string;
}

/** Writes a dataset file. One read transaction: the file shows one moment, however long it takes to write. */
export function exportDataset(job: ExportJob, run: JobRun): Promise<FormatSummary> {
  return withWorkerContext(job, run.turns, async (context) => {
    const exporter = findExporter(job.format);
    if (!exporter) throw new AppError('invalid', `There is no exporter "${job.format}".`);
    const report = createFormatReport();
    context.database.exec('BEGIN');
    const taskData = createStoredTaskData(context, job.target, { dataDirectory: job.dataDirectory, report });
    await exporter.run({ path: job.destination }, taskData, {
      ...job.options,
      save_images: job.saveImages,
      report,
      signal: run.signal,
      progress: (fraction) => run.progress(fraction),
    });
    context.database.exec('COMMIT');
    run.checkCancelled();
    return report.summary();
  });
}
