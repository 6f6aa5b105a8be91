import { MessageChannel } from 'node:worker_threads';
import type { FormatSummary } from '../../formats/kit/report.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import type { PayloadOf, ResultOf, TaskName, WorkerPool } from '../../platform/worker-pool.ts';
import type { AnnotationBatch, TargetSet } from '../bulk-writer/annotation-batch.ts';
import {
  breakChannel,
  createBatchSender,
  createChannelState,
  receiveBatches,
  releaseBatch,
  type ChannelEnd,
} from '../bulk-writer/batch-channel.ts';
import { createBulkRepository } from '../bulk-writer/bulk-repository.ts';
import { withWorkerContext, type WorkerPaths } from '../bulk-writer/worker-context.ts';

/** Parameters of every parser. */
export interface ParseJob {
  /** Channel to the writer thread. Without it, objects are only checked and counted. */
  readonly channel: ChannelEnd | null;
}

export interface ParseOutcome {
  readonly summary: FormatSummary;
  /** Number of objects on frames of the targets, if counted. */
  readonly arrived?: number;
}

export interface WriteJob extends WorkerPaths {
  readonly targets: readonly TargetSet[];
  readonly channel: ChannelEnd;
}

type Parser = {
  [Name in TaskName]: [PayloadOf<Name>, ResultOf<Name>] extends [ParseJob, ParseOutcome] ? Name : never;
}[TaskName];

/** A worker task that parses annotations, and its payload without the channel. */
export type ParserCall = {
  [Name in Parser]: { readonly parser: Name; readonly job: Omit<PayloadOf<Name>, 'channel'> };
}[Parser];

/** One annotation file, or a part of it, and its pending sets (null in a dry run). */
export type ImportPass = ParserCall & { readonly targets: readonly TargetSet[] | null };

/**
 * Parses annotations in one thread and writes them to pending sets in another. Both threads have ended when the promise
 * settles.
 */
export async function parseAndWrite(
  workers: WorkerPool,
  { parser, job, targets }: ImportPass,
  {
    paths,
    signal,
    progress,
  }: {
    readonly paths: WorkerPaths;
    readonly signal: AbortSignal;
    readonly progress: (fraction: number, message?: string) => void;
  },
): Promise<ParseOutcome> {
  const parse = (channel: ChannelEnd | null) =>
    workers.run(parser, { ...job, channel }, { signal, onProgress: progress, transfer: channel ? [channel.port] : [] });
  if (targets === null) return parse(null);
  const { port1, port2 } = new MessageChannel();
  const state = createChannelState();
  const write: WriteJob = { ...paths, targets, channel: { port: port2, state } };
  const [parsed, written] = await Promise.allSettled([
    parse({ port: port1, state }),
    workers.run('writeAnnotations', write, { signal, transfer: [port2] }),
  ]);
  // If the writer fails (for example on a full disk), the parser's error only says that it stopped, so the writer's is
  // thrown.
  if (written.status === 'rejected' && !isStopNotice(written.reason)) throw written.reason;
  if (parsed.status === 'rejected') throw parsed.reason;
  if (written.status === 'rejected') throw written.reason;
  signal.throwIfAborted();
  return parsed.value;
}

function isStopNotice(error: unknown): boolean {
  return error instanceof AppError && error.code === 'cancelled';
}

/** The parser's side of the channel. Always ends it, so that the writer does not wait forever. */
export async function sendingBatches<Result>(
  { channel }: ParseJob,
  { checkCancelled }: JobRun,
  parse: (send: (batch: AnnotationBatch) => void) => Promise<Result>,
): Promise<Result> {
  const drop = (batch: AnnotationBatch): void => {
    checkCancelled();
    releaseBatch(batch);
  };
  try {
    return await parse(channel ? createBatchSender(channel, checkCancelled) : drop);
  } catch (error) {
    if (channel) breakChannel(channel.state);
    throw error;
  } finally {
    channel?.port.close();
  }
}

export function writeAnnotations({ targets, channel, ...paths }: WriteJob, run: JobRun): Promise<void> {
  // The rows are invisible until the store's main connection publishes them. That commit is synced, with everything
  // before it. A checkpoint within a commit would make other writers wait for the disk.
  const options = { turns: run.turns, sync: 'checkpoint', checkpointed: true } as const;
  return withWorkerContext(paths, options, (context) => {
    const bulk = createBulkRepository(context.database, targets);
    try {
      for (const batch of receiveBatches(channel, run.checkCancelled)) bulk.write(batch);
      bulk.finish();
    } catch (error) {
      breakChannel(channel.state);
      throw error;
    } finally {
      channel.port.close();
    }
  });
}
