import { InsufficientMemory, placeOnGpus, type GpuRequest, type GpuShare, type Gpu } from './gpu-budget.ts';

/** A function that may be stopped for another one, and the time of its last use. */
export interface Stoppable {
  readonly name: string;
  readonly sinceMs: number;
}

/** False if the memory is in use. @throws AppError if the request can never fit */
function fits(request: GpuRequest, cards: readonly Gpu[], shares: readonly GpuShare[]): boolean {
  try {
    placeOnGpus(request, cards, shares);
    return true;
  } catch (error) {
    if (error instanceof InsufficientMemory) return false;
    throw error;
  }
}

const without = (shares: readonly GpuShare[], names: ReadonlySet<string>): GpuShare[] =>
  shares.filter(({ functionName }) => !names.has(functionName));

/**
 * Chooses functions to stop so that a request fits: as few as possible, longest idle first. Null if stopping all of
 * them is not enough.
 */
export function planEviction(
  request: GpuRequest,
  cards: readonly Gpu[],
  shares: readonly GpuShare[],
  stoppable: readonly Stoppable[],
): readonly string[] | null {
  const inOrder = stoppable
    .filter(({ name }) => name !== request.functionName && shares.some(({ functionName }) => functionName === name))
    .toSorted((a, b) => a.sinceMs - b.sinceMs);
  const stopped = new Set<string>();
  const isEnough = () => fits(request, cards, without(shares, stopped));
  for (const { name } of inOrder) {
    if (isEnough()) break;
    stopped.add(name);
  }
  if (!isEnough()) return null;
  // Drops unnecessary stops, starting with the most recently used function.
  for (const { name } of inOrder.toReversed()) {
    if (!stopped.delete(name)) continue;
    if (!isEnough()) stopped.add(name);
  }
  return inOrder.map(({ name }) => name).filter((name) => stopped.has(name));
}

/** True if the request would fit after all evictable functions and other processes had left. */
export function couldEverFit(
  request: GpuRequest,
  cards: readonly Gpu[],
  shares: readonly GpuShare[],
  mayLeave: (name: string) => boolean,
): boolean {
  const staying = shares.filter((share) => share.isStarting !== true && !mayLeave(share.functionName));
  const empty = cards.map((card) => ({ ...card, externalMiB: 0 }));
  return fits(request, empty, staying);
}
