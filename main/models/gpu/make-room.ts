import { NoRoom, placeOnCards, type CardRequest, type CardShare, type GraphicsCard } from './gpu-budget.ts';

/** A function that may be stopped for another, and when it was used last. */
export interface Stoppable {
  readonly name: string;
  readonly sinceMs: number;
}

/** Whether it fits; false where others hold too much. @throws AppError where it never does */
function fits(request: CardRequest, cards: readonly GraphicsCard[], shares: readonly CardShare[]): boolean {
  try {
    placeOnCards(request, cards, shares);
    return true;
  } catch (error) {
    if (error instanceof NoRoom) return false;
    throw error;
  }
}

const without = (shares: readonly CardShare[], names: ReadonlySet<string>): CardShare[] =>
  shares.filter(({ functionName }) => !names.has(functionName));

/**
 * Whom to stop so that a request fits: as few as possible, those that rested the longest first. Null where all of them
 * together would not be enough: then nobody is stopped.
 */
export function planRoom(
  request: CardRequest,
  cards: readonly GraphicsCard[],
  shares: readonly CardShare[],
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
  // Those that were used last stay where they can: a stop that does not help is none.
  for (const { name } of inOrder.toReversed()) {
    if (!stopped.delete(name)) continue;
    if (!isEnough()) stopped.add(name);
  }
  return inOrder.map(({ name }) => name).filter((name) => stopped.has(name));
}

/** Whether a request would fit once those who may ever leave had left, and other programs, too. */
export function couldEverFit(
  request: CardRequest,
  cards: readonly GraphicsCard[],
  shares: readonly CardShare[],
  mayLeave: (name: string) => boolean,
): boolean {
  const staying = shares.filter((share) => share.isStarting !== true && !mayLeave(share.functionName));
  const empty = cards.map((card) => ({ ...card, foreignMiB: 0 }));
  return fits(request, empty, staying);
}
