import { breakChannel, createBatchSender, receiveBatches, type ChannelEnd } from '../bulk-writer/batch-channel.ts';
import type { StoredShapeBatch } from '../bulk-writer/stored-shape-batch.ts';

/** Rows of the store, sent from the reading to the writing thread. */
interface RowBatch extends StoredShapeBatch {
  readonly kind: 'rows';
}
/** Precedes the rows of a job. */
interface JobMark {
  readonly kind: 'job';
  readonly jobId: number;
}
type StreamMessage = RowBatch | JobMark | { readonly kind: 'end' };

/** Sends the rows of each job in sequence. Blocks while the receiver is behind. */
export function sendShapes(
  channel: ChannelEnd,
  jobIds: Iterable<number>,
  read: (jobId: number) => Iterable<StoredShapeBatch>,
  checkCancelled: () => void,
): void {
  const send = createBatchSender<StreamMessage>(channel, checkCancelled);
  for (const jobId of jobIds) {
    send({ kind: 'job', jobId });
    for (const batch of read(jobId)) send({ kind: 'rows', ...batch });
  }
  send({ kind: 'end' });
}

/**
 * Receives the rows of each job once, in the order of sending. Returns null for a job out of order and from then on;
 * the caller then reads from the store.
 */
export function receiveShapes(channel: ChannelEnd, checkCancelled: () => void) {
  const messages = receiveBatches<StreamMessage>(channel, checkCancelled);
  let next: IteratorResult<RowBatch | JobMark> | null = null;
  let isOver = false;

  function stop(): void {
    isOver = true;
    breakChannel(channel.state);
  }

  function* batchesOfJob(): Generator<StoredShapeBatch> {
    let isComplete = false;
    try {
      for (next = messages.next(); !next.done && next.value.kind === 'rows'; next = messages.next()) yield next.value;
      isComplete = true;
    } finally {
      if (!isComplete) stop();
    }
  }

  return {
    ofJob(jobId: number): Iterable<StoredShapeBatch> | null {
      if (isOver) return null;
      next ??= messages.next();
      if (next.done || next.value.kind !== 'job' || next.value.jobId !== jobId) {
        stop();
        return null;
      }
      return batchesOfJob();
    },
    stop,
  };
}
