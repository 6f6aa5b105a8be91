import { AppError } from '../../platform/errors.ts';

/** A card or a slice of one (MIG), as the driver tells of it. Memory in MiB. */
export interface GraphicsCard {
  readonly index: number;
  readonly uuid: string;
  readonly name: string;
  readonly memoryMiB: number;
  /** What programs that are no functions of this Limner hold of it now; left out where nobody can tell. */
  readonly foreignMiB?: number;
  /** The most that functions may hold of it together; left out: as much as it has. */
  readonly budgetMiB?: number;
}

/** Memory that a function holds on a card while it runs. */
export interface CardShare {
  readonly functionName: string;
  readonly uuid: string;
  /** All workers together; null: nobody has declared or measured it. */
  readonly memoryMiB: number | null;
  /** It is being started, so that the driver does not see all of it yet. */
  readonly isStarting?: boolean;
}

/** What a function asks of the cards. */
export interface CardNeed {
  readonly functionName: string;
  readonly count: number;
  /** Indexes or UUIDs; empty: any cards. */
  readonly devices: readonly string[];
  /** Cards that its container, which stands ready, was made for: taken where they have the room. */
  readonly preferred?: readonly string[];
  readonly workers: number;
  /** As declared, or the most that was measured on any card; null: unknown. */
  readonly perWorkerMiB: number | null;
  /** For cards on which it was measured. */
  readonly measured?: Readonly<Record<string, number>>;
}

export interface CardRequest extends Pick<CardNeed, 'functionName' | 'count' | 'devices' | 'preferred'> {
  /** On each card, all workers together; null: unknown. */
  readonly memoryMiB: number | null;
  /** The same for cards on which it was measured. */
  readonly memoryByCard?: Readonly<Record<string, number>>;
}

export interface Placement {
  readonly cards: readonly GraphicsCard[];
  readonly warnings: readonly string[];
}

/** The cards are there, and others hold too much of them now. */
export class NoRoom extends AppError {
  /** Those that it waits for. */
  readonly candidates: readonly string[];
  /** Without the way out, for whoever waits. */
  readonly shortage: string;

  constructor(shortage: string, candidates: readonly string[]) {
    super('conflict', `${shortage} Stop a function, use fewer workers, or let idle functions stop.`);
    this.candidates = candidates;
    this.shortage = shortage;
  }
}

/** Kept free on every card: the driver, the screen, and what a model takes beyond what was measured. */
const reserveShare = 0.1;

const roomMiB = (card: GraphicsCard): number => Math.floor(card.memoryMiB * (1 - reserveShare));

/** What functions may hold of a card that nobody else uses. */
export const usableMiB = (card: GraphicsCard): number => Math.min(roomMiB(card), card.budgetMiB ?? Infinity);

/** Each worker is a process with a copy of the model of its own. */
export const functionMemoryMiB = (workers: number, perWorkerMiB: number | null): number | null =>
  perWorkerMiB === null ? null : workers * perWorkerMiB;

/** What functions hold of a card. One of unknown size has it alone while it starts, so that it can be measured. */
export function usedMiB(card: GraphicsCard, shares: readonly CardShare[]): number {
  const held = (share: CardShare) => share.memoryMiB ?? (share.isStarting === true ? usableMiB(card) : 0);
  return shares.filter(({ uuid }) => uuid === card.uuid).reduce((sum, share) => sum + held(share), 0);
}

/** What is left of a card for one more function; below nothing where too much of it is held already. */
export const freeMiB = (card: GraphicsCard, shares: readonly CardShare[]): number =>
  Math.min(roomMiB(card) - (card.foreignMiB ?? 0), usableMiB(card)) - usedMiB(card, shares);

/** What a request takes of a card: a function of unknown size needs some room to be tried in. */
const wantedOf = ({ memoryMiB, memoryByCard }: CardRequest, { uuid }: GraphicsCard): number =>
  memoryByCard?.[uuid] ?? memoryMiB ?? 1;

/**
 * Chooses cards so that the sum over running functions and other programs stays within each card's memory: those named,
 * those it stood on before, or the ones with the most room.
 * @throws NoRoom with the numbers when others hold it; AppError 409 where no card is large enough; 400 when a named card
 * is not there
 */
export function placeOnCards(
  request: CardRequest,
  cards: readonly GraphicsCard[],
  shares: readonly CardShare[],
): Placement {
  const others = shares.filter(({ functionName }) => functionName !== request.functionName);
  const free = (card: GraphicsCard) => freeMiB(card, others);
  const candidates = request.devices.length > 0 ? namedCards(request, cards) : byRoom(cards, free, request.preferred);
  if (candidates.length < request.count) {
    throw refused(
      `"${request.functionName}" wants ${count(request.count, 'graphics card')}; this computer has ${cards.length}.`,
    );
  }
  const large = candidates.filter((card) => wantedOf(request, card) <= usableMiB(card));
  if (large.length < request.count) throw refused(tooLargeText(request, candidates));
  const fitting = large.filter((card) => wantedOf(request, card) <= free(card));
  if (fitting.length < request.count) {
    throw new NoRoom(
      shortageText(request, candidates, others, free),
      large.map(({ uuid }) => uuid),
    );
  }
  const chosen = fitting.slice(0, request.count);
  const isUnknown = chosen.some(({ uuid }) => (request.memoryByCard?.[uuid] ?? request.memoryMiB) === null);
  return { cards: chosen, warnings: isUnknown ? [unknownText(request, chosen, free)] : [] };
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

function byRoom(
  cards: readonly GraphicsCard[],
  free: (card: GraphicsCard) => number,
  preferred: readonly string[] = [],
): GraphicsCard[] {
  const rank = ({ uuid }: GraphicsCard) => (preferred.includes(uuid) ? 0 : 1);
  return cards.toSorted((a, b) => rank(a) - rank(b) || free(b) - free(a) || a.index - b.index);
}

function tooLargeText(request: CardRequest, cards: readonly GraphicsCard[]): string {
  const rows = cards.map((card) => `card ${card.index} (${card.name}): ${usableMiB(card)} MiB`).join('; ');
  const wanted = Math.min(...cards.map((card) => wantedOf(request, card)));
  return (
    `"${request.functionName}" needs ${wanted} MiB of graphics memory on ${count(request.count, 'card')}, more than there is ` +
    `even when nothing else runs (${rows}; a tenth of each is kept free). Use fewer workers.`
  );
}

function shortageText(
  request: CardRequest,
  cards: readonly GraphicsCard[],
  shares: readonly CardShare[],
  free: (card: GraphicsCard) => number,
): string {
  const rows = cards.map((card) => {
    const holders = shares
      .filter(({ uuid }) => uuid === card.uuid)
      .map((share) => `${share.functionName} ${share.memoryMiB ?? 'unknown'}`);
    if ((card.foreignMiB ?? 0) > 0) holders.push(`other programs ${card.foreignMiB}`);
    const held = holders.length === 0 ? '' : `, held: ${holders.join(', ')}`;
    return `card ${card.index} (${card.name}): ${Math.max(0, free(card))} of ${usableMiB(card)} MiB free${held}`;
  });
  const wanted = Math.min(...cards.map((card) => wantedOf(request, card)));
  const size = request.memoryMiB === null && wanted === 1 ? 'some' : `${wanted} MiB of`;
  return `"${request.functionName}" needs ${size} graphics memory, and no card has that much left. ${rows.join('; ')}.`;
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
