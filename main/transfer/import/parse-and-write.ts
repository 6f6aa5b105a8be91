import { MessageChannel } from 'node:worker_threads';
import type { FormatSummary } from '../../formats/kit/report.ts';
import { AppError } from '../../platform/errors.ts';
import { createTakeTurn } from '../../platform/turns.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import type { AnnotationBatch, TargetSet } from '../store/annotation-batch.ts';
import {
  breakChannel,
  createBatchSender,
  createChannelState,
  receiveBatches,
  releaseBatch,
  type ChannelEnd,
} from '../store/batch-channel.ts';
import { createBulkRepository } from '../store/bulk-repository.ts';
import { withWorkerContext, type WorkerPaths } from '../store/worker-context.ts';

/** What every parser is given beside its own. */
export interface ParseJob {
  /** To the writer's thread; without it the objects are checked and counted, and go nowhere. */
  readonly channel: ChannelEnd | null;
}

export interface ParseOutcome {
  readonly summary: FormatSummary;
  /** Objects that lie in the frames of the targets, where that is asked. */
  readonly arrived?: number;
}

export interface WriteJob extends WorkerPaths {
  readonly targets: readonly TargetSet[];
  readonly channel: ChannelEnd;
}

/** One file of annotations, or one part of it, and the pending sets that it goes to. */
export interface ImportPass {
  /** Export of the worker module that parses it. */
  readonly parser: string;
  /** What the parser is given, except for its way to the writer. */
  readonly job: object;
  /** Null in a dry run. */
  readonly targets: readonly TargetSet[] | null;
}

/** Parses annotations in one thread and writes them into pending sets in another. Both have ended when this has. */
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
    workers.run<ParseJob, ParseOutcome>(
      parser,
      { ...job, channel },
      { signal, onProgress: progress, transfer: channel ? [channel.port] : [] },
    );
  if (targets === null) return parse(null);
  const { port1, port2 } = new MessageChannel();
  const state = createChannelState();
  const write: WriteJob = { ...paths, targets, channel: { port: port2, state } };
  const [parsed, written] = await Promise.allSettled([
    parse({ port: port1, state }),
    workers.run<WriteJob, void>('writeAnnotations', write, { signal, transfer: [port2] }),
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

/** The parser's side of the channel, in its thread: whatever happens, the writer does not wait for ever. */
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

/** The writer's thread: what the parser sends goes into pending sets. */
export function writeAnnotations({ targets, channel, ...paths }: WriteJob, run: JobRun): Promise<void> {
  // The many rows of one turn are written without asking for it again for each.
  const takeTurn = run.turns ? createTakeTurn(run.turns) : <Result>(write: () => Result) => write();
  return withWorkerContext(paths, undefined, (context) => {
    const bulk = createBulkRepository(context.database, targets, takeTurn);
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
