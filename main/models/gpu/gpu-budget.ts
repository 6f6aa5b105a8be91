import { AppError } from '../../platform/errors.ts';

/** A card, as the driver tells of it. Memory in MiB. */
export interface GraphicsCard {
  readonly index: number;
  readonly uuid: string;
  readonly name: string;
  readonly memoryMiB: number;
}

/** Memory that a function holds on a card while it runs. */
export interface CardShare {
  readonly functionName: string;
  readonly uuid: string;
  /** All workers together; null: nobody has declared or measured it. */
  readonly memoryMiB: number | null;
}

export interface CardRequest {
  readonly functionName: string;
  readonly count: number;
  /** Indexes or UUIDs; empty: any cards. */
  readonly devices: readonly string[];
  /** On each card, all workers together; null: unknown. */
  readonly memoryMiB: number | null;
}

export interface Placement {
  readonly cards: readonly GraphicsCard[];
  readonly warnings: readonly string[];
}

/** The cards are there, and other functions hold too much of them. */
export class NoRoom extends AppError {
  constructor(message: string) {
    super('conflict', message);
  }
}

/** Kept free on every card: the driver, the screen, and what a model takes beyond what was measured. */
const reserveShare = 0.1;

export const usableMiB = (card: GraphicsCard): number => Math.floor(card.memoryMiB * (1 - reserveShare));

/** Each worker is a process with a copy of the model of its own. */
export const functionMemoryMiB = (workers: number, perWorkerMiB: number | null): number | null =>
  perWorkerMiB === null ? null : workers * perWorkerMiB;

export function usedMiB(card: GraphicsCard, shares: readonly CardShare[]): number {
  return shares.filter(({ uuid }) => uuid === card.uuid).reduce((sum, share) => sum + (share.memoryMiB ?? 0), 0);
}

/**
 * Chooses cards so that the sum over running functions stays within each card's memory: those named, or the ones with
 * the most room.
 * @throws AppError 409 with the numbers when it does not fit; 400 when a named card is not there
 */
export function placeOnCards(
  request: CardRequest,
  cards: readonly GraphicsCard[],
  shares: readonly CardShare[],
): Placement {
  const others = shares.filter(({ functionName }) => functionName !== request.functionName);
  const free = (card: GraphicsCard) => usableMiB(card) - usedMiB(card, others);
  const candidates = request.devices.length > 0 ? namedCards(request, cards) : byRoom(cards, free);
  if (candidates.length < request.count) {
    throw refused(
      `"${request.functionName}" wants ${count(request.count, 'graphics card')}; this computer has ${cards.length}.`,
    );
  }
  const wanted = request.memoryMiB;
  const fitting = wanted === null ? candidates : candidates.filter((card) => wanted <= free(card));
  if (fitting.length < request.count) {
    throw new NoRoom(shortageText(request, candidates, others, free));
  }
  const chosen = fitting.slice(0, request.count);
  const warnings = wanted === null ? [unknownText(request, chosen, free)] : [];
  return { cards: chosen, warnings };
}

function namedCards({ functionName, devices }: CardRequest, cards: readonly GraphicsCard[]): GraphicsCard[] {
  return devices.map((id) => {
    const card = cards.find(({ index, uuid }) => String(index) === id || uuid === id);
    if (card) return card;
    const known = cards.map(({ index, uuid }) => `${index} (${uuid})`).join(', ') || 'none';
    const message = `"${functionName}" names the graphics card ${id}, which is not there. There are: ${known}.`;
    throw new AppError('invalid', message, { gpu: [message] });
  });
}

const byRoom = (cards: readonly GraphicsCard[], free: (card: GraphicsCard) => number): GraphicsCard[] =>
  cards.toSorted((a, b) => free(b) - free(a) || a.index - b.index);

function shortageText(
  { functionName, memoryMiB }: CardRequest,
  cards: readonly GraphicsCard[],
  shares: readonly CardShare[],
  free: (card: GraphicsCard) => number,
): string {
  const rows = cards.map((card) => {
    const holders = shares
      .filter(({ uuid }) => uuid === card.uuid)
      .map((share) => `${share.functionName} ${share.memoryMiB ?? 'unknown'}`);
    const held = holders.length === 0 ? '' : `, held: ${holders.join(', ')}`;
    return `card ${card.index} (${card.name}): ${Math.max(0, free(card))} of ${usableMiB(card)} MiB free${held}`;
  });
  return (
    `"${functionName}" needs ${memoryMiB} MiB of graphics memory, and no card has that much left. ${rows.join('; ')}. ` +
    'Stop a function, use fewer workers, or let idle functions stop.'
  );
}

function unknownText(
  { functionName }: CardRequest,
  cards: readonly GraphicsCard[],
  free: (card: GraphicsCard) => number,
): string {
  const room = cards.map((card) => `card ${card.index} has ${free(card)} MiB left`).join(', ');
  return (
    `How much graphics memory "${functionName}" takes is not known yet (${room}). It is measured while it runs; ` +
    'declare it to be on the safe side.'
  );
}

const refused = (message: string) => new AppError('conflict', message);
const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? '' : 's'}`;
