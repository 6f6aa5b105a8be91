import type { EngineStatus } from '../../../../preload/contract/schema/functions.ts';

/** One graphics card with what is held on it and what one more function would take. MiB. */
export interface CardShare {
  readonly index: number;
  readonly name: string;
  readonly usableMiB: number;
  readonly usedMiB: number;
  /** Null where nobody knows how much the function takes. */
  readonly wantedMiB: number | null;
  readonly fits: boolean;
  readonly functions: readonly string[];
}

interface GpuWish {
  /** How many cards; 0: none. */
  readonly count: number;
  readonly workers: number;
  readonly perWorkerMiB: number | null;
}

/** Each worker is a process with a model of its own, so that the memory grows with them. */
export function cardShares(cards: EngineStatus['cards'], { count, workers, perWorkerMiB }: GpuWish): CardShare[] {
  const wantedMiB = count === 0 ? 0 : perWorkerMiB === null ? null : perWorkerMiB * workers;
  return cards.map((card) => ({
    index: card.index,
    name: card.name,
    usableMiB: card.usable_mib,
    usedMiB: card.used_mib,
    wantedMiB,
    fits: wantedMiB === null || card.used_mib + wantedMiB <= card.usable_mib,
    functions: card.functions,
  }));
}
