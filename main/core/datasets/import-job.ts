import type { MessagePort } from 'node:worker_threads';
import { withLabelMapping, type LabelMapping } from '../../formats/label-mapping.ts';
import { runnableImporter } from '../../formats/format-catalog.ts';
import { createFormatReport, type FormatSummary } from '../../formats/report.ts';
import type { PluginReference } from '../../formats/user-plugins/plugin-format.ts';
import { AppError } from '../../platform/errors.ts';
import { createTakeTurn } from '../../platform/turns.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { breakChannel, createBatchSender, receiveBatches } from './batch-channel.ts';
import { createBulkRepository, type TargetSet } from './bulk-repository.ts';
import { createImportSink, type FrameSpan } from './import-sink.ts';
import { createStoredTaskData, labelOwner, openParts, type DatasetTarget } from './stored-task-data.ts';
import { withWorkerContext, type WorkerPaths } from './worker-context.ts';

export interface ImportJob extends WorkerPaths {
  readonly target: DatasetTarget;
  readonly format: string;
  /** Where the format is one that the person brought. */
  readonly plugin?: PluginReference | undefined;
  readonly file: { readonly path: string; readonly name: string };
  readonly options: Readonly<Record<string, unknown>>;
  /** Frames of each target set, in the writer's order. */
  readonly jobs: readonly FrameSpan[];
  readonly port: MessagePort;
  readonly state: Int32Array;
}

export interface WriteJob extends WorkerPaths {
  readonly targets: readonly TargetSet[];
  readonly port: MessagePort;
  readonly state: Int32Array;
}

/** Parses the file and sends what it holds to the writer's thread. */
export function importDataset(job: ImportJob, run: JobRun): Promise<FormatSummary> {
  return withWorkerContext(job, run.turns, async (context) => {
    try {
      const importer = runnableImporter(job.format, job.plugin);
      if (!importer) throw new AppError('invalid', `There is no importer "${job.format}".`);
      const report = createFormatReport();
      const task = openParts(context, job.target).parts[0]?.task;
      if (!task) throw new AppError('not-found', 'The task was deleted meanwhile.');
      const sink = createImportSink(
        context.labels.list(labelOwner(task)),
        job.jobs,
        createBatchSender(job.port, job.state, run.checkCancelled),
      );
      const taskData = createStoredTaskData(context, job.target, { dataDirectory: job.dataDirectory, report, sink });
      const mapping = job.options['label_mapping'] as LabelMapping | undefined;
      await importer.run(job.file, mapping ? withLabelMapping(taskData, mapping) : taskData, {
        conv_mask_to_poly: true,
        ...job.options,
        report,
        signal: run.signal,
        progress: (fraction) => run.progress(fraction),
      });
      sink.end();
      return report.summary();
    } catch (error) {
      breakChannel(job.state);
      throw error;
    } finally {
      job.port.close();
    }
  });
}

/** Writes what the parser sends into pending sets. */
export function writeAnnotations(job: WriteJob, run: JobRun): Promise<{ shapes: number }> {
  // The many rows of one turn are written without asking for it again for each.
  const takeTurn = run.turns ? createTakeTurn(run.turns) : <Result>(write: () => Result) => write();
  return withWorkerContext(job, undefined, (context) => {
    const bulk = createBulkRepository(context.database, job.targets, takeTurn);
    try {
      for (const batch of receiveBatches(job.port, job.state, run.checkCancelled)) bulk.write(batch);
      return bulk.finish();
    } catch (error) {
      breakChannel(job.state);
      throw error;
    } finally {
      job.port.close();
    }
  });
}
