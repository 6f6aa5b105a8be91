import type { Store } from '../../db/store.ts';

/** Shared memory that synchronizes the start of two read transactions. */
export type Meeting = Int32Array;

const isUpAt = 0;
const mayBeginAt = 1;
const hasBegunAt = 2;
/** A thread needs some 200 ms to start. One that waits for another task would be too late. */
const arrivalMs = 1000;
const beginMs = 1000;
const idleMs = 10_000;

export function createMeeting(): Meeting {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
}

function raise(meeting: Meeting, flag: number): void {
  Atomics.store(meeting, flag, 1);
  Atomics.notify(meeting, flag);
}

function waitFor(meeting: Meeting, flag: number, limitMs: number): boolean {
  const untilMs = performance.now() + limitMs;
  while (Atomics.load(meeting, flag) === 0) {
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) return false;
    Atomics.wait(meeting, flag, 0, leftMs);
  }
  return true;
}

/**
 * Begins a read transaction on the same snapshot as the other thread, while no other writes happen in this process.
 * Returns false if the other thread did not start in time; then this one reads alone.
 */
export function beginWithHelper(database: Store, meeting: Meeting): boolean {
  if (!waitFor(meeting, isUpAt, arrivalMs)) {
    database.beginSnapshot();
    return false;
  }
  return database.holdWrites(() => {
    raise(meeting, mayBeginAt);
    database.beginSnapshot();
    return waitFor(meeting, hasBegunAt, beginMs);
  });
}

/** The helper's side. Returns false if the exporter no longer waits. */
export function beginAsHelper(database: Store, meeting: Meeting): boolean {
  raise(meeting, isUpAt);
  if (!waitFor(meeting, mayBeginAt, idleMs)) return false;
  database.beginSnapshot();
  raise(meeting, hasBegunAt);
  return true;
}
