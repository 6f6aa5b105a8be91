import { MessageChannel } from 'node:worker_threads';
import type { DatasetExportOptions } from '../../../preload/contract/schema/export-options.ts';
import type { Store } from '../../db/store.ts';
import type { FormatCatalog } from '../../formats/format-catalog.ts';
import type { FormatSummary } from '../../formats/kit/report.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import { writeExportFile } from '../../background-requests/export-file.ts';
import type { RequestRun, RequestRunner } from '../../background-requests/request-queue.ts';
import { createChannelState } from '../bulk-writer/batch-channel.ts';
import { createDatasetRepository } from '../bulk-writer/dataset-repository.ts';
import type { DatasetTarget } from '../annotation-reader/stored-view.ts';
import type { ExportJob } from './dataset-export-job.ts';
import type { BucketTarget } from './bucket-target.ts';
import { datasetFileName } from './file-names.ts';
import type { ReadShapesJob } from './read-shapes-job.ts';
import { createMeeting } from './shared-snapshot.ts';

export interface ExportRequest extends BucketTarget {
  readonly format: string;
  readonly saveImages: boolean;
  readonly fileName?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Drops frames without annotations. */
  readonly onlyAnnotated?: boolean;
  readonly exportOptions?: DatasetExportOptions;
}

export interface ExportParameters extends ExportRequest {
  readonly target: DatasetTarget;
}

/** For fewer shapes, starting a second thread takes longer than it saves. */
const shapesWorthAThread = 20_000;

/** Creates the runner of `export:annotations` and `export:dataset`. */
export function createDatasetExportRunner(dependencies: {
  readonly database: Store;
  readonly databaseFile: string;
  readonly dataDirectory: string;
  readonly workers: WorkerPool;
  readonly formats: FormatCatalog;
}): RequestRunner {
  const { database, databaseFile, dataDirectory, workers, formats } = dependencies;
  const { hasShapes } = createDatasetRepository(database);
  return async ({ parameters }, run) => {
    const stated = JSON.parse(parameters) as ExportParameters;
    const { target, format, saveImages, fileName, options = {}, onlyAnnotated = false, exportOptions } = stated;
    run.progress(0, 'Writing the dataset');
    const plugin = await formats.exporterPlugin(format);
    const { resultFile, written } = await writeExportFile(dataDirectory, (destination) => {
      const job = {
        databaseFile,
        dataDirectory,
        target,
        format,
        plugin,
        saveImages,
        options,
        onlyAnnotated,
        exportOptions,
        destination,
      };
      return target.setId === undefined && hasShapes(target, shapesWorthAThread)
        ? exportThroughThreads(workers, job, run)
        : workers.run('exportDataset', job, { signal: run.signal, onProgress: run.progress });
    });
    const ext = (await formats.exporter(format))?.ext ?? 'zip';
    return {
      report: JSON.stringify(written),
      resultFile,
      resultName: fileName ?? datasetFileName(target, { name: format, ext }, saveImages, new Date()),
    };
  };
}

/** Writes a dataset in one thread while another reads the shapes. Both threads have ended when the promise settles. */
async function exportThroughThreads(
  workers: WorkerPool,
  job: ExportJob,
  { signal, progress }: Pick<RequestRun, 'signal' | 'progress'>,
): Promise<FormatSummary> {
  const { port1, port2 } = new MessageChannel();
  const shared = { state: createChannelState(), meeting: createMeeting() };
  const { databaseFile, dataDirectory, target } = job;
  const help: ReadShapesJob = { databaseFile, dataDirectory, target, help: { ...shared, port: port1 } };
  const [written, read] = await Promise.allSettled([
    workers.run(
      'exportDataset',
      { ...job, help: { ...shared, port: port2 } },
      { signal, onProgress: progress, transfer: [port2] },
    ),
    workers.run('readShapes', help, { signal, transfer: [port1] }),
  ]);
  if (written.status === 'fulfilled') return written.value;
  // If reading failed, the writer's error only says that the reader stopped.
  throw read.status === 'rejected' ? read.reason : written.reason;
}
