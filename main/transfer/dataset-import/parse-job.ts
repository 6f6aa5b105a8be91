import type { MessagePort } from 'node:worker_threads';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { runnableImporter } from '../../formats/format-catalog.ts';
import type { SourceFile } from '../../formats/kit/plugin.ts';
import type { PluginReference } from '../../formats/user-plugins/plugin-format.ts';
import { createFormatReport, type FormatSummary } from '../../formats/kit/report.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { breakChannel, createBatchSender } from '../datasets/batch-channel.ts';
import { createImportSink, type FrameSpan } from '../datasets/import-sink.ts';
import { createNewTaskData, type NewFrame } from './new-task-data.ts';

export interface ParseDatasetJob {
  readonly format: string;
  /** Where the format is one that the person brought. */
  readonly plugin?: PluginReference | undefined;
  readonly file: SourceFile;
  readonly labels: readonly Label[];
  readonly frames: readonly NewFrame[];
  readonly matches: ReadonlyMap<string, number>;
  /** Frames of each task, in the writer's order. */
  readonly tasks: readonly FrameSpan[];
  readonly port: MessagePort;
  readonly state: Int32Array;
}

/** Parses the annotations of a dataset and sends them to the writer's thread. */
export async function parseDataset(job: ParseDatasetJob, run: JobRun): Promise<FormatSummary> {
  try {
    const importer = runnableImporter(job.format, job.plugin);
    if (!importer) throw new AppError('invalid', `There is no importer "${job.format}".`);
    const report = createFormatReport();
    const send = createBatchSender(job.port, job.state, run.checkCancelled);
    const sink = createImportSink(job.labels, { spans: job.tasks, areOfOneTask: false }, send);
    const { labels, frames, matches } = job;
    await importer.run(job.file, createNewTaskData({ frames, labels, matches, report, sink }), {
      conv_mask_to_poly: true,
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
}
