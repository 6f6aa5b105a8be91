import {
  functionMemoryMiB,
  placeOnCards,
  usableMiB,
  usedMiB,
  type CardShare,
  type GraphicsCard,
} from '../gpu/gpu-budget.ts';
import { listCards, memoryByProcess, type NvidiaSmi } from '../gpu/nvidia-smi.ts';
import { perWorkerMiB, workersOf, type FunctionRecord } from './function-record.ts';

const cardsKeptMs = 10_000;

export interface CardNeed {
  readonly functionName: string;
  readonly count: number;
  readonly devices: readonly string[];
  readonly workers: number;
  readonly perWorkerMiB: number | null;
}

export interface CardChoice {
  /** UUIDs of cards; a number where the cards of the Engine are not known; null without any. */
  readonly cards: readonly string[] | number | null;
  readonly warnings: readonly string[];
}

export type GpuKeeper = ReturnType<typeof createGpuKeeper>;

/** Which function holds how much of which card, as the records and the driver tell. */
export function createGpuKeeper(dependencies: { readonly run: NvidiaSmi; readonly records: () => FunctionRecord[] }) {
  const { run, records } = dependencies;
  let known: { readonly at: number; readonly cards: Promise<GraphicsCard[]> } | null = null;

  function cards(): Promise<GraphicsCard[]> {
    if (known === null || performance.now() - known.at > cardsKeptMs) {
      known = { at: performance.now(), cards: listCards(run) };
    }
    return known.cards;
  }

  /** Functions that run now: one that is stopped holds no memory. */
  function shares(): CardShare[] {
    return records()
      .filter(({ row }) => row.state === 'ready' || row.state === 'unhealthy')
      .flatMap((record) =>
        record.cards.map((uuid) => ({
          functionName: record.row.name,
          uuid,
          memoryMiB: functionMemoryMiB(workersOf(record), perWorkerMiB(record)),
        })),
      );
  }

  return {
    cards,
    /** @throws AppError 409 with the numbers when the cards have no room */
    async choose(need: CardNeed): Promise<CardChoice> {
      if (need.count === 0) return { cards: null, warnings: [] };
      const all = await cards();
      if (all.length === 0) {
        // The driver's tool is not here (a virtual machine, or no card): the Engine knows better, or says what it lacks.
        return {
          cards: need.devices.length > 0 ? need.devices : need.count,
          warnings: ['The graphics cards of this computer could not be listed, so their memory is not watched.'],
        };
      }
      const placed = placeOnCards(
        {
          functionName: need.functionName,
          count: need.count,
          devices: need.devices,
          memoryMiB: functionMemoryMiB(need.workers, need.perWorkerMiB),
        },
        all,
        shares(),
      );
      return { cards: placed.cards.map(({ uuid }) => uuid), warnings: placed.warnings };
    },
    /** Memory that the processes hold, for each worker; null where the driver does not tell. */
    async measurePerWorker(processes: readonly number[], workers: number): Promise<number | null> {
      const held = await memoryByProcess(run);
      const total = processes.reduce((sum, pid) => sum + (held.get(pid) ?? 0), 0);
      return total === 0 ? null : Math.ceil(total / Math.max(1, workers));
    },
    async status() {
      const held = shares();
      return (await cards()).map((card) => ({
        index: card.index,
        uuid: card.uuid,
        name: card.name,
        memory_mib: card.memoryMiB,
        usable_mib: usableMiB(card),
        used_mib: usedMiB(card, held),
        functions: held.filter(({ uuid }) => uuid === card.uuid).map(({ functionName }) => functionName),
      }));
    },
  };
}
