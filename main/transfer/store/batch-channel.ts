import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { AppError } from '../../platform/errors.ts';
import type { AnnotationBatch } from './annotation-batch.ts';

/** What a thread holds of a channel. */
export interface ChannelEnd {
  readonly port: MessagePort;
  readonly state: Int32Array;
}

/** Shared counters of a channel: batches sent, batches written, and whether the other side has given up. */
const sentAt = 0;
const doneAt = 1;
const brokenAt = 2;
/**
 * Batches, some 50,000 shapes and 9 MB, that the writer puts in the order of their frames before it writes them. Files
 * list annotations in any order; shapes of a frame that lie near each other are read three times faster, for ever.
 */
export const sortedBatches = 25;
/** Batches that may be under way: the parser fills the next lot while the writer writes one. */
const window = sortedBatches + 3;
const waitMs = 200;

export function createChannelState(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
}

/** Marks the channel as broken, whichever side does it, so that the other does not wait for ever. */
export function breakChannel(state: Int32Array): void {
  Atomics.store(state, brokenAt, 1);
  Atomics.notify(state, sentAt);
  Atomics.notify(state, doneAt);
}

const isBroken = (state: Int32Array) => Atomics.load(state, brokenAt) === 1;

/** Sends batches; blocks the thread while the other one is behind. */
export function createBatchSender<Batch extends Sent = AnnotationBatch>(
  { port, state }: ChannelEnd,
  checkCancelled: () => void,
) {
  return (batch: Batch): void => {
    port.postMessage(batch, transferable(batch));
    const sent = Atomics.add(state, sentAt, 1) + 1;
    Atomics.notify(state, sentAt);
    for (;;) {
      checkCancelled();
      if (isBroken(state)) throw new AppError('cancelled', 'The thread that takes the annotations has stopped.');
      const done = Atomics.load(state, doneAt);
      if (sent - done < window) return;
      Atomics.wait(state, doneAt, done, waitMs);
    }
  };
}

/** What travels: columns in typed arrays over buffers of their own are handed over, all else is copied. */
interface Sent {
  readonly kind: string;
}

function transferable(batch: Sent): ArrayBuffer[] {
  return Object.values(batch).flatMap((column) =>
    ArrayBuffer.isView(column) && column.buffer instanceof ArrayBuffer ? [column.buffer] : [],
  );
}

/** Gives back the memory of a batch that was dealt with: the collector sees little of it, and comes late. */
export function releaseBatch(batch: Sent): void {
  for (const buffer of transferable(batch)) buffer.transfer(0);
}

/** Gives the batches one after another, until `end`; blocks the thread while there is none. */
export function* receiveBatches<Batch extends Sent = AnnotationBatch>(
  { port, state }: ChannelEnd,
  checkCancelled: () => void,
): Generator<Exclude<Batch, { kind: 'end' }>> {
  for (let received = 0; ; received += 1) {
    while (Atomics.load(state, sentAt) === received) {
      checkCancelled();
      if (isBroken(state)) throw new AppError('cancelled', 'The thread that brings the annotations has stopped.');
      Atomics.wait(state, sentAt, received, waitMs);
    }
    const { message } = receiveMessageOnPort(port) as { message: Batch };
    if (message.kind === 'end') return;
    yield message as Exclude<Batch, { kind: 'end' }>;
    Atomics.add(state, doneAt, 1);
    Atomics.notify(state, doneAt);
  }
}
