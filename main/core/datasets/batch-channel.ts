import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { AppError } from '../../platform/errors.ts';
import type { AnnotationBatch } from './annotation-batch.ts';

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

/** Sends batches; blocks the thread while the writer is behind. */
export function createBatchSender(port: MessagePort, state: Int32Array, checkCancelled: () => void) {
  return (batch: AnnotationBatch): void => {
    port.postMessage(batch, transferable(batch));
    const sent = Atomics.add(state, sentAt, 1) + 1;
    Atomics.notify(state, sentAt);
    for (;;) {
      checkCancelled();
      if (isBroken(state)) throw new AppError('cancelled', 'The writer of this import has stopped.');
      const done = Atomics.load(state, doneAt);
      if (sent - done < window) return;
      Atomics.wait(state, doneAt, done, waitMs);
    }
  };
}

function transferable(batch: AnnotationBatch): ArrayBuffer[] {
  if (batch.kind !== 'shapes') return [];
  return [batch.integers, batch.reals, batch.offsets, batch.points, batch.parents].map(
    // All of them were made by the sink, over buffers of their own.
    (column) => column.buffer as ArrayBuffer,
  );
}

/** Gives the batches one after another, until `end`; blocks the thread while there is none. */
export function* receiveBatches(port: MessagePort, state: Int32Array, checkCancelled: () => void) {
  for (let received = 0; ; received += 1) {
    while (Atomics.load(state, sentAt) === received) {
      checkCancelled();
      if (isBroken(state)) throw new AppError('cancelled', 'The reader of this import has stopped.');
      Atomics.wait(state, sentAt, received, waitMs);
    }
    const { message } = receiveMessageOnPort(port) as { message: AnnotationBatch };
    if (message.kind === 'end') return;
    yield message;
    Atomics.add(state, doneAt, 1);
    Atomics.notify(state, doneAt);
  }
}
