import type { EngineStatus } from '../../../../preload/contract/schema/functions.ts';

/** A GPU with its used memory and the demand of one more function. MiB. */
export interface GpuShare {
  readonly index: number;
  readonly name: string;
  readonly usableMiB: number;
  readonly usedMiB: number;
  /** Null if the function's demand is unknown. */
  readonly wantedMiB: number | null;
  readonly fits: boolean;
  readonly functions: readonly string[];
}

interface GpuWish {
  readonly count: number;
  readonly workers: number;
  readonly perWorkerMiB: number | null;
}

/** Memory grows with the number of workers, because each is a process with its own model. */
export function cardShares(cards: EngineStatus['gpus'], { count, workers, perWorkerMiB }: GpuWish): GpuShare[] {
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
