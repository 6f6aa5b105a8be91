import { AppError } from '../../platform/errors.ts';
import {
  InsufficientMemory,
  placeOnGpus,
  usableMiB,
  type GpuNeed,
  type GpuShare,
  type Gpu,
} from '../gpu/gpu-budget.ts';
import { couldEverFit, planEviction } from '../gpu/evict.ts';
import { requestOf, type GpuLedger } from './gpu-ledger.ts';

export interface GpuChoice {
  /** UUIDs of GPUs; a count if Docker's GPUs are unknown; null for none. */
  readonly cards: readonly string[] | number | null;
  readonly warnings: readonly string[];
}

/** A function that may release its GPUs to another one. */
export interface Resident {
  readonly name: string;
  /** True if its owner allows idle stops. */
  mayRest(): boolean;
  /** Null while the function is called, holds no GPU, or must not stop. */
  idleSinceMs(): number | null;
  /** Start of its current time slice; null while it is not running. */
  readySinceMs(): number | null;
  /** Makes new calls wait until the function has stopped or may continue. */
  yieldGpus(): void;
  resume(): void;
  /** Returns false if the function cannot stop when its turn comes. */
  rest(): Promise<boolean>;
}

export interface PlaceHow {
  readonly signal?: AbortSignal;
  readonly onWait?: (message: string) => void;
}

export interface Waiting {
  readonly position: number;
  readonly message: string;
}

export interface Ticket {
  readonly need: GpuNeed;
  readonly how: PlaceHow;
  readonly residents: () => readonly Resident[];
  readonly answer: (choice: GpuChoice) => void;
  readonly refuse: (error: unknown) => void;
  shortage: string;
}

/** Polling interval for memory that other programs release. */
const lookAgainMs = 2000;
/** Minimum time slice of a started function, because models load slowly. */
const turnMs = 30_000;

/** Functions that can stop now for a ticket, and those that must finish calls first. */
function preemptable({ need, residents }: Ticket, nowMs: number) {
  const others = residents().filter((one) => one.name !== need.functionName && one.mayRest());
  const isOver = (one: Resident) => nowMs - (one.readySinceMs() ?? nowMs) >= turnMs;
  return {
    resting: others.filter((one) => one.idleSinceMs() !== null),
    busy: others.filter((one) => one.idleSinceMs() === null && one.readySinceMs() !== null && isOver(one)),
    mayLeave: (name: string) => others.some((one) => one.name === name),
  };
}

const stoppable = (list: readonly Resident[]) =>
  list.map((one) => ({ name: one.name, sinceMs: one.idleSinceMs() ?? Number.MAX_SAFE_INTEGER }));

export function unmonitored(need: GpuNeed): GpuChoice {
  if (need.count === 0) return { cards: null, warnings: [] };
  return {
    cards: need.devices.length > 0 ? need.devices : need.count,
    // Without `nvidia-smi` (virtual machine or no GPU), Docker decides or reports the reason.
    warnings: ['The GPUs of the Engine could not be listed, so their memory is not monitored.'],
  };
}

function shortageOf({ need }: Ticket, cards: readonly Gpu[], shares: readonly GpuShare[]): string | null {
  try {
    placeOnGpus(requestOf(need), cards, shares);
    return null;
  } catch (error) {
    return error instanceof InsufficientMemory ? error.shortage : null;
  }
}

function waitMessage(line: readonly Ticket[], index: number): string {
  const before = line.slice(0, index).map(({ need }) => need.functionName);
  const place = before.length === 0 ? 'It is first in the queue.' : `Before it in the queue: ${before.join(', ')}.`;
  return `It waits for a GPU. ${place} ${line[index]?.shortage ?? ''}`.trim();
}

/**
 * Preempted functions: their time slice is over and a queued request needs their GPUs, so their calls wait until they
 * have stopped.
 */
function createPreemption() {
  const requested = new Map<string, Resident>();
  return {
    isEmpty: () => requested.size === 0,
    ask(residents: readonly Resident[]): void {
      for (const one of residents.filter(({ name }) => !requested.has(name))) {
        requested.set(one.name, one);
        one.yieldGpus();
      }
    },
    keepOnly(wanted: ReadonlySet<string>): void {
      for (const [name, one] of requested) {
        if (wanted.has(name)) continue;
        requested.delete(name);
        one.resume();
      }
    },
  };
}

/** Stops functions and assigns their GPUs. Returns false if one of them did not stop, which invalidates the plan. */
async function makeRoomFor(ticket: Ticket, stopped: readonly Resident[], choice: GpuChoice): Promise<boolean> {
  // Synchronously, so that no call starts between the plan and the stop.
  for (const one of stopped) one.yieldGpus();
  try {
    const rested = await Promise.all(stopped.map((one) => one.rest()));
    if (!rested.every(Boolean)) return false;
    ticket.answer(choice);
  } catch (error) {
    ticket.refuse(error);
  } finally {
    for (const one of stopped) one.resume();
  }
  return true;
}

/**
 * FIFO queue for GPUs. A request never overtakes an earlier one for the same GPU. A function that may stop is preempted
 * after its time slice.
 */
export function createGpuQueue(dependencies: {
  readonly ledger: GpuLedger;
  readonly nowMs: () => number;
  readonly later: (work: () => void, milliseconds: number) => void;
}) {
  const { ledger, nowMs, later } = dependencies;
  const { shares } = ledger;
  const line: Ticket[] = [];
  const giving = createPreemption();
  let looking: Promise<void> | null = null;
  let hasChanged = false;

  const leavers = (ticket: Ticket) => preemptable(ticket, nowMs());

  function leave(ticket: Ticket): void {
    const index = line.indexOf(ticket);
    if (index >= 0) line.splice(index, 1);
  }

  /** Tries to assign GPUs to a ticket and evicts idle functions for it. Returns false if the ticket keeps waiting. */
  async function serve(ticket: Ticket, cards: readonly Gpu[], wanted: Set<string>): Promise<boolean> {
    const request = requestOf(ticket.need);
    const now = shares();
    const { resting, busy, mayLeave } = leavers(ticket);
    const stops = planEviction(request, cards, now, stoppable(resting));
    if (stops !== null) {
      const remaining = now.filter(({ functionName }) => !stops.includes(functionName));
      const { cards: chosen, warnings } = placeOnGpus(request, cards, remaining);
      const uuids = ledger.hold(ticket.need, chosen);
      leave(ticket);
      const stopped = resting.filter(({ name }) => stops.includes(name));
      if (await makeRoomFor(ticket, stopped, { cards: uuids, warnings })) return true;
      // A function exited or was deployed before its stop, so the plan is outdated.
      ledger.drop(ticket.need.functionName);
      line.unshift(ticket);
      hasChanged = true;
      return true;
    }
    if (!couldEverFit(request, cards, now, mayLeave)) {
      placeOnGpus(request, cards, now);
    }
    const turns = planEviction(request, cards, now, stoppable([...resting, ...busy]));
    for (const name of turns ?? []) wanted.add(name);
    giving.ask(busy.filter(({ name }) => turns?.includes(name)));
    return false;
  }

  /** Serves the queue once, in order. A waiting ticket reserves its candidate GPUs against later ones. */
  async function goThrough(): Promise<void> {
    const cards = await ledger.look();
    const kept = new Set<string>();
    const wanted = new Set<string>();
    for (const ticket of line.slice()) {
      if (!line.includes(ticket)) continue;
      if (cards.length === 0) {
        leave(ticket);
        ticket.answer(unmonitored(ticket.need));
        continue;
      }
      try {
        const open = cards.map((card) => (kept.has(card.uuid) ? { ...card, externalMiB: usableMiB(card) } : card));
        if (await serve(ticket, open, wanted)) continue;
        placeOnGpus(requestOf(ticket.need), open, shares());
      } catch (error) {
        if (error instanceof InsufficientMemory && isOnlyLate(ticket, cards)) {
          // Names the real shortage and ignores reservations for other tickets.
          ticket.shortage = shortageOf(ticket, cards, shares()) ?? error.shortage;
          for (const uuid of error.candidates) kept.add(uuid);
        } else {
          leave(ticket);
          ticket.refuse(error);
        }
      }
    }
    giving.keepOnly(wanted);
    for (const [index, { how }] of line.entries()) how.onWait?.(waitMessage(line, index));
  }

  function isOnlyLate(ticket: Ticket, cards: readonly Gpu[]): boolean {
    return couldEverFit(requestOf(ticket.need), cards, shares(), leavers(ticket).mayLeave);
  }

  /** Serves the queue again after a possible change. */
  function news(): void {
    if (line.length === 0 && giving.isEmpty()) return;
    hasChanged = true;
    looking ??= (async () => {
      try {
        while (hasChanged) {
          hasChanged = false;
          await goThrough();
        }
      } finally {
        looking = null;
        if (line.length > 0) later(news, lookAgainMs);
      }
    })();
    looking.catch((error: unknown) => {
      for (const ticket of line.splice(0)) ticket.refuse(error);
    });
  }

  return {
    news,
    isEmpty: () => line.length === 0,
    /** Waits for GPUs. @throws AppError if the request can never fit or the signal aborts */
    async stand(need: GpuNeed, residents: () => readonly Resident[], how: PlaceHow): Promise<GpuChoice> {
      how.signal?.throwIfAborted();
      const { promise, resolve: answer, reject: refuse } = Promise.withResolvers<GpuChoice>();
      const ticket: Ticket = { need, how, residents, answer, refuse, shortage: '' };
      const giveUp = () => {
        if (!line.includes(ticket)) return;
        leave(ticket);
        const reason: unknown = how.signal?.reason;
        refuse(reason instanceof AppError ? reason : cancelled(need, ticket.shortage));
        news();
      };
      how.signal?.addEventListener('abort', giveUp);
      line.push(ticket);
      news();
      try {
        return await promise;
      } finally {
        how.signal?.removeEventListener('abort', giveUp);
      }
    },
    /** Queue position of a function; null if it does not wait. */
    waiting(functionName: string): Waiting | null {
      const index = line.findIndex(({ need }) => need.functionName === functionName);
      return index < 0 ? null : { position: index + 1, message: waitMessage(line, index) };
    },
  };
}

function cancelled({ functionName }: GpuNeed, shortage: string): AppError {
  const message = `"${functionName}" no longer waits for a GPU. ${shortage}`.trim();
  return new AppError('unavailable', message, message);
}
