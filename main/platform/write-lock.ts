/**
 * A first-come, first-served write queue between threads, in shared memory. It is advisory: a thread that has waited
 * too long proceeds, so a thread that dies in its turn blocks the others only briefly.
 */
export type WriteLockState = Int32Array;

const nextTicketAt = 0;
const servedAt = 1;
const defaultPatienceMs = 5000;

export function createWriteLockState(): WriteLockState {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

export const locksTaken = (state: WriteLockState): number => Atomics.load(state, nextTicketAt);

/** Waits for the turn, runs the work, and passes the turn on. Nested calls run immediately. Blocks the thread. */
export type WithWriteLock = <Result>(work: () => Result) => Result;

/** For one thread, or one connection of it. */
export function createWriteLock(state: WriteLockState, patienceMs: number = defaultPatienceMs): WithWriteLock {
  let isOurs = false;

  /** Numbers wrap around after 2³². A later number than ours means that a thread timed out and broke the order. */
  function waitFor(ticket: number): void {
    const giveUpMs = performance.now() + patienceMs;
    for (;;) {
      const served = Atomics.load(state, servedAt);
      if (((served - ticket) | 0) >= 0) return;
      const leftMs = giveUpMs - performance.now();
      if (leftMs <= 0 || Atomics.wait(state, servedAt, served, leftMs) === 'timed-out') return;
    }
  }

  /** Only moves forward, because a thread that timed out may have passed us. */
  function pass(ticket: number): void {
    const next = (ticket + 1) | 0;
    for (;;) {
      const served = Atomics.load(state, servedAt);
      if (((next - served) | 0) <= 0) break;
      if (Atomics.compareExchange(state, servedAt, served, next) === served) break;
    }
    Atomics.notify(state, servedAt);
  }

  return (work) => {
    if (isOurs) return work();
    const ticket = Atomics.add(state, nextTicketAt, 1);
    waitFor(ticket);
    isOurs = true;
    try {
      return work();
    } finally {
      isOurs = false;
      pass(ticket);
    }
  };
}
