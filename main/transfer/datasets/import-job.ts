import type { MessagePort } from 'node:worker_threads';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { runnableImporter } from '../../formats/format-catalog.ts';
import { applyImportChoices, readImportChoices } from '../../formats/import-choices/import-choices.ts';
import { createFormatReport, type FormatSummary } from '../../formats/kit/report.ts';
import type { PluginReference } from '../../formats/user-plugins/plugin-format.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import type { AnnotationBatch } from './annotation-batch.ts';
import { createArrivalCounter } from './arrival-counter.ts';
import { breakChannel, createBatchSender, releaseBatch } from './batch-channel.ts';
import { createImportSink, type FrameSpan } from './import-sink.ts';
import { withOriginalImages } from './original-images.ts';
import { createStoredTaskData, labelOwner, openParts, type DatasetTarget } from './stored-task-data.ts';
import { withWorkerContext, type WorkerPaths } from './worker-context.ts';

export interface ImportJob extends WorkerPaths {
  readonly target: DatasetTarget;
  readonly format: string;
  /** Where the format is one that the person brought. */
  readonly plugin?: PluginReference | undefined;
  readonly file: { readonly path: string; readonly name: string };
  readonly options: Readonly<Record<string, unknown>>;
  /** All labels, where the import brings some that the task does not have yet. */
  readonly labels?: readonly Label[] | undefined;
  /** Frames of each target set, in the writer's order. */
  readonly jobs: readonly FrameSpan[];
  /** To the writer's thread; without it the objects are checked and counted, and go nowhere. */
  readonly channel: { readonly port: MessagePort; readonly state: Int32Array } | null;
}

export interface ImportOutcome {
  readonly summary: FormatSummary;
  /** Objects that lie in the frames of the jobs. */
  readonly arrived: number;
}

/** Parses the file and sends what it holds to the writer's thread. */
export function importDataset(job: ImportJob, run: JobRun): Promise<ImportOutcome> {
  const { channel } = job;
  const arrivals = createArrivalCounter(job.jobs);
  const put = channel ? createBatchSender(channel.port, channel.state, run.checkCancelled) : dropBatch(run);
  return withWorkerContext(job, run.turns, async (context) => {
    try {
      const importer = runnableImporter(job.format, job.plugin);
      if (!importer) throw new AppError('invalid', `There is no importer "${job.format}".`);
      const report = createFormatReport();
      const task = openParts(context, job.target).parts[0]?.task;
      if (!task) throw new AppError('not-found', 'The task was deleted meanwhile.');
      const send = (batch: AnnotationBatch): void => {
        arrivals.add(batch);
        put(batch);
      };
      const owned = job.labels ?? context.labels.list(labelOwner(task));
      const sink = createImportSink(owned, { spans: job.jobs, areOfOneTask: true }, send);
      const { dataDirectory, labels, options } = job;
      await withOriginalImages(dataDirectory, async (images) => {
        const taskData = createStoredTaskData(context, job.target, { images, report, sink, labels });
        const chosen = applyImportChoices(taskData, report, { options, choices: readImportChoices(options, importer) });
        await importer.run(job.file, chosen.task_data, {
          conv_mask_to_poly: true,
          ...chosen.options,
          report: chosen.report,
          signal: run.signal,
          progress: (fraction) => run.progress(fraction),
        });
      });
      sink.end();
      return { summary: report.summary(), arrived: arrivals.count() };
    } catch (error) {
      if (channel) breakChannel(channel.state);
      throw error;
    } finally {
      channel?.port.close();
    }
  });
}

/** In the place of the writer's thread. */
const dropBatch =
  ({ checkCancelled }: JobRun) =>
  (batch: AnnotationBatch): void => {
    checkCancelled();
    releaseBatch(batch);
  };
