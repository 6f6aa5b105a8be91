import { AppError } from '../../platform/errors.ts';

/** A GPU or MIG slice as reported by the driver. Memory in MiB. */
export interface Gpu {
  readonly index: number;
  readonly uuid: string;
  readonly name: string;
  readonly memoryMiB: number;
  /** Memory held by other processes; undefined if unknown. */
  readonly externalMiB?: number;
  /** Limit for all functions together; undefined for no limit. */
  readonly budgetMiB?: number;
}

export interface GpuShare {
  readonly functionName: string;
  readonly uuid: string;
  /** All workers together; null if neither declared nor measured. */
  readonly memoryMiB: number | null;
  /** True while the function starts and the driver does not report all of its memory yet. */
  readonly isStarting?: boolean;
}

export interface GpuNeed {
  readonly functionName: string;
  readonly count: number;
  /** Indexes or UUIDs; empty for any GPU. */
  readonly devices: readonly string[];
  /** GPUs of its existing container, preferred if they have enough memory. */
  readonly preferred?: readonly string[];
  readonly workers: number;
  /** Declared, or the maximum measured on any GPU; null if unknown. */
  readonly perWorkerMiB: number | null;
  /** By the UUID of the GPU. */
  readonly measured?: Readonly<Record<string, number>>;
}

export interface GpuRequest extends Pick<GpuNeed, 'functionName' | 'count' | 'devices' | 'preferred'> {
  /** On each GPU, all workers together; null if unknown. */
  readonly memoryMiB: number | null;
  /** The same by UUID, for GPUs with measurements. */
  readonly memoryByCard?: Readonly<Record<string, number>>;
}

export interface Placement {
  readonly cards: readonly Gpu[];
  readonly warnings: readonly string[];
}

/** The GPUs exist, but too much of their memory is in use. */
export class InsufficientMemory extends AppError {
  readonly candidates: readonly string[];
  /** Reason without a remedy, for waiting requests. */
  readonly shortage: string;

  constructor(shortage: string, candidates: readonly string[]) {
    super('conflict', `${shortage} Stop a function, use fewer workers, or let idle functions stop.`);
    this.candidates = candidates;
    this.shortage = shortage;
  }
}

/** Free reserve of each GPU for the driver, the display, and memory beyond the measured use. */
const reserveShare = 0.1;

const roomMiB = (card: Gpu): number => Math.floor(card.memoryMiB * (1 - reserveShare));

/** Limit for functions on an otherwise unused GPU. */
export const usableMiB = (card: Gpu): number => Math.min(roomMiB(card), card.budgetMiB ?? Infinity);

/** Each worker is a process with its own copy of the model. */
export const functionMemoryMiB = (workers: number, perWorkerMiB: number | null): number | null =>
  perWorkerMiB === null ? null : workers * perWorkerMiB;

/**
 * Memory held by functions. A starting function of unknown size counts as the complete GPU, so that it can be measured.
 */
export function usedMiB(card: Gpu, shares: readonly GpuShare[]): number {
  const held = (share: GpuShare) => share.memoryMiB ?? (share.isStarting === true ? usableMiB(card) : 0);
  return shares.filter(({ uuid }) => uuid === card.uuid).reduce((sum, share) => sum + held(share), 0);
}

/** Memory left for another function; negative if too much is in use. */
export const freeMiB = (card: Gpu, shares: readonly GpuShare[]): number =>
  Math.min(roomMiB(card) - (card.externalMiB ?? 0), usableMiB(card)) - usedMiB(card, shares);

/** Memory that a request takes; at least 1 MiB if the size is unknown. */
const wantedOf = ({ memoryMiB, memoryByCard }: GpuRequest, { uuid }: Gpu): number =>
  memoryByCard?.[uuid] ?? memoryMiB ?? 1;

/**
 * Chooses GPUs so that functions and other processes stay within each GPU's memory: named GPUs, previous GPUs, or those
 * with the most free memory.
 * @throws InsufficientMemory with the numbers if the memory is in use; AppError 409 if no GPU is large enough; 400 for a GPU that
 * does not exist
 */
export function placeOnGpus(request: GpuRequest, cards: readonly Gpu[], shares: readonly GpuShare[]): Placement {
  const others = shares.filter(({ functionName }) => functionName !== request.functionName);
  const free = (card: Gpu) => freeMiB(card, others);
  const candidates = request.devices.length > 0 ? namedCards(request, cards) : byRoom(cards, free, request.preferred);
  if (candidates.length < request.count) {
    throw refused(`"${request.functionName}" needs ${count(request.count, 'GPU')}; the Engine has ${cards.length}.`);
  }
  const large = candidates.filter((card) => wantedOf(request, card) <= usableMiB(card));
  if (large.length < request.count) throw refused(tooLargeText(request, candidates));
  const fitting = large.filter((card) => wantedOf(request, card) <= free(card));
  if (fitting.length < request.count) {
    throw new InsufficientMemory(
      shortageText(request, candidates, others, free),
      large.map(({ uuid }) => uuid),
    );
  }
  const chosen = fitting.slice(0, request.count);
  const isUnknown = chosen.some(({ uuid }) => (request.memoryByCard?.[uuid] ?? request.memoryMiB) === null);
  return { cards: chosen, warnings: isUnknown ? [unknownText(request, chosen, free)] : [] };
}

function namedCards({ functionName, devices }: GpuRequest, cards: readonly Gpu[]): Gpu[] {
  return devices.map((id) => {
    const card = cards.find(({ index, uuid }) => String(index) === id || uuid === id);
    if (card) return card;
    const known = cards.map(({ index, uuid }) => `${index} (${uuid})`).join(', ') || 'none';
    const message = `"${functionName}" uses the GPU ${id}, which does not exist. Available: ${known}.`;
    throw new AppError('invalid', message, { gpu: [message] });
  });
}

function byRoom(cards: readonly Gpu[], free: (card: Gpu) => number, preferred: readonly string[] = []): Gpu[] {
  const rank = ({ uuid }: Gpu) => (preferred.includes(uuid) ? 0 : 1);
  return cards.toSorted((a, b) => rank(a) - rank(b) || free(b) - free(a) || a.index - b.index);
}

function tooLargeText(request: GpuRequest, cards: readonly Gpu[]): string {
  const rows = cards.map((card) => `GPU ${card.index} (${card.name}): ${usableMiB(card)} MiB`).join('; ');
  const wanted = Math.min(...cards.map((card) => wantedOf(request, card)));
  return (
    `"${request.functionName}" needs ${wanted} MiB of memory on ${count(request.count, 'GPU')}, more than available ` +
    `even if nothing else runs (${rows}; a tenth of each is reserved). Use fewer workers.`
  );
}

function shortageText(
  request: GpuRequest,
  cards: readonly Gpu[],
  shares: readonly GpuShare[],
  free: (card: Gpu) => number,
): string {
  const rows = cards.map((card) => {
    const holders = shares
      .filter(({ uuid }) => uuid === card.uuid)
      .map((share) => `${share.functionName} ${share.memoryMiB ?? 'unknown'}`);
    if ((card.externalMiB ?? 0) > 0) holders.push(`other programs ${card.externalMiB}`);
    const held = holders.length === 0 ? '' : `, held: ${holders.join(', ')}`;
    return `GPU ${card.index} (${card.name}): ${Math.max(0, free(card))} of ${usableMiB(card)} MiB free${held}`;
  });
  const wanted = Math.min(...cards.map((card) => wantedOf(request, card)));
  const size = request.memoryMiB === null && wanted === 1 ? 'some' : `${wanted} MiB of`;
  return `"${request.functionName}" needs ${size} GPU memory, but no GPU has enough free. ${rows.join('; ')}.`;
}

function unknownText({ functionName }: GpuRequest, cards: readonly Gpu[], free: (card: Gpu) => number): string {
  const room = cards.map((card) => `GPU ${card.index} has ${free(card)} MiB free`).join(', ');
  return (
    `The GPU memory of "${functionName}" is not known yet (${room}). It is measured while the function runs; ` +
    'declare it to be safe.'
  );
}

const refused = (message: string) => new AppError('conflict', message);
const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? '' : 's'}`;
