import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { AppError } from '../../platform/errors.ts';
import type { AnnotationBatch } from './annotation-batch.ts';

export interface ChannelEnd {
  readonly port: MessagePort;
  readonly state: Int32Array;
}

/** Shared counters of a channel: batches sent, batches written, and a flag set when one side stops. */
const sentAt = 0;
const doneAt = 1;
const brokenAt = 2;
/**
 * Batches (some 50,000 shapes, 9 MB) that the writer sorts by frame before writing. Files list annotations in any
 * order, and reads are three times faster if the shapes of a frame are adjacent.
 */
export const sortedBatches = 25;
/** Maximum number of unwritten batches: the parser fills the next group while the writer writes one. */
const window = sortedBatches + 3;
const waitMs = 200;

export function createChannelState(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
}

/** Marks the channel as broken, so that the other side does not wait forever. */
export function breakChannel(state: Int32Array): void {
  Atomics.store(state, brokenAt, 1);
  Atomics.notify(state, sentAt);
  Atomics.notify(state, doneAt);
}

const isBroken = (state: Int32Array) => Atomics.load(state, brokenAt) === 1;

/** Sends batches. Blocks the thread while the receiver is behind. */
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
      if (isBroken(state)) throw new AppError('cancelled', 'The writer thread has stopped.');
      const done = Atomics.load(state, doneAt);
      if (sent - done < window) return;
      Atomics.wait(state, doneAt, done, waitMs);
    }
  };
}

/** Buffers of typed arrays are transferred, everything else is copied. */
interface Sent {
  readonly kind: string;
}

function transferable(batch: Sent): ArrayBuffer[] {
  return Object.values(batch).flatMap((column) =>
    ArrayBuffer.isView(column) && column.buffer instanceof ArrayBuffer ? [column.buffer] : [],
  );
}

/**
 * Frees the memory of a processed batch immediately, because the garbage collector runs too late for external buffers.
 */
export function releaseBatch(batch: Sent): void {
  for (const buffer of transferable(batch)) buffer.transfer(0);
}

/** Yields batches until `end`. Blocks the thread while there is none. */
export function* receiveBatches<Batch extends Sent = AnnotationBatch>(
  { port, state }: ChannelEnd,
  checkCancelled: () => void,
): Generator<Exclude<Batch, { kind: 'end' }>> {
  for (let received = 0; ; received += 1) {
    while (Atomics.load(state, sentAt) === received) {
      checkCancelled();
      if (isBroken(state)) throw new AppError('cancelled', 'The parser thread has stopped.');
      Atomics.wait(state, sentAt, received, waitMs);
    }
    const { message } = receiveMessageOnPort(port) as { message: Batch };
    if (message.kind === 'end') return;
    yield message as Exclude<Batch, { kind: 'end' }>;
    Atomics.add(state, doneAt, 1);
    Atomics.notify(state, doneAt);
  }
}
