/**
 * A queue of threads: shared memory that is handed to each of them. Who asks first goes first. It is a courtesy, no
 * lock: a thread that has waited too long goes ahead, so one that dies in its turn stops nobody for ever.
 */
export type TurnState = Int32Array;

const nextTicketAt = 0;
const servedAt = 1;
const defaultPatienceMs = 5000;

export function createTurnState(): TurnState {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

/** How often somebody has asked for a turn, modulo 2³². */
export const turnsTaken = (state: TurnState): number => Atomics.load(state, nextTicketAt);

/** Waits for the turn, works, and gives the turn on. Calls within a turn go straight on. Blocks the thread. */
export type TakeTurn = <Result>(work: () => Result) => Result;

/** For one thread, or one connection of it. */
export function createTakeTurn(state: TurnState, patienceMs: number = defaultPatienceMs): TakeTurn {
  let isOurs = false;

  /** Numbers wrap around after 2³². One behind ours means that somebody lost patience, and with it the order. */
  function waitFor(ticket: number): void {
    const giveUpMs = performance.now() + patienceMs;
    for (;;) {
      const served = Atomics.load(state, servedAt);
      if (((served - ticket) | 0) >= 0) return;
      const leftMs = giveUpMs - performance.now();
      if (leftMs <= 0 || Atomics.wait(state, servedAt, served, leftMs) === 'timed-out') return;
    }
  }

  /** Forward only: who lost patience may have gone ahead of us. */
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
