import { MessageChannel } from 'node:worker_threads';
import type { FormatSummary } from '../../formats/kit/report.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import { createChannelState } from './batch-channel.ts';
import type { ExportJob } from './export-job.ts';
import type { ReadShapesJob } from './read-shapes-job.ts';
import { createMeeting } from './snapshot-meeting.ts';

interface ExportRun {
  readonly signal: AbortSignal;
  readonly progress: (fraction: number, message?: string) => void;
}

/** Writes a dataset in one thread while another reads its shapes. Both have ended when this has. */
export async function exportThroughThreads(
  workers: WorkerPool,
  job: ExportJob,
  { signal, progress }: ExportRun,
): Promise<FormatSummary> {
  const { port1, port2 } = new MessageChannel();
  const shared = { state: createChannelState(), meeting: createMeeting() };
  const { databaseFile, dataDirectory, target } = job;
  const help: ReadShapesJob = { databaseFile, dataDirectory, target, help: { ...shared, port: port1 } };
  const [written, read] = await Promise.allSettled([
    workers.run<ExportJob, FormatSummary>(
      'exportDataset',
      { ...job, help: { ...shared, port: port2 } },
      { signal, onProgress: progress, transfer: [port2] },
    ),
    workers.run<ReadShapesJob, void>('readShapes', help, { signal, transfer: [port1] }),
  ]);
  if (written.status === 'fulfilled') return written.value;
  // Where the reading failed, the writer only knows that its help has stopped.
  throw read.status === 'rejected' ? read.reason : written.reason;
}
