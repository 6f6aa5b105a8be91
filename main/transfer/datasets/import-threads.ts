import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { FormatSummary } from '../../formats/kit/report.ts';
import { AppError } from '../../platform/errors.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import { createChannelState } from './batch-channel.ts';
import type { TargetSet } from './bulk-repository.ts';
import type { WorkerPaths } from './worker-context.ts';
import type { WriteJob } from './write-job.ts';

export interface ThreadedImport<Job> {
  /** Export of the worker module that reads the file. */
  readonly name: string;
  readonly job: (port: MessagePort, state: Int32Array) => Job;
  readonly targets: readonly TargetSet[];
  readonly paths: WorkerPaths;
  readonly signal: AbortSignal;
  readonly progress: (fraction: number, message?: string) => void;
}

/** Reads annotations in one thread and writes them into pending sets in another. Both have ended when this has. */
export async function importThroughThreads<Job, Parsed = FormatSummary>(
  workers: WorkerPool,
  { name, job, targets, paths, signal, progress }: ThreadedImport<Job>,
): Promise<Parsed> {
  const { port1, port2 } = new MessageChannel();
  const state = createChannelState();
  const write: WriteJob = { ...paths, targets, port: port2, state };
  const [parsed, written] = await Promise.allSettled([
    workers.run<Job, Parsed>(name, job(port1, state), { signal, onProgress: progress, transfer: [port1] }),
    workers.run<WriteJob, { shapes: number }>('writeAnnotations', write, { signal, transfer: [port2] }),
  ]);
  // When the writer fails (a full disk), the parser only learns that it stopped: the writer's reason comes first.
  if (written.status === 'rejected' && !isStopNotice(written.reason)) throw written.reason;
  if (parsed.status === 'rejected') throw parsed.reason;
  if (written.status === 'rejected') throw written.reason;
  signal.throwIfAborted();
  return parsed.value;
}

function isStopNotice(error: unknown): boolean {
  return error instanceof AppError && error.code === 'cancelled';
}
