import {
  functionMemoryMiB,
  NoRoom,
  placeOnCards,
  usableMiB,
  usedMiB,
  type CardShare,
  type GraphicsCard,
} from '../gpu/gpu-budget.ts';
import { listCards, memoryByProcess, type NvidiaSmi } from '../gpu/nvidia-smi.ts';
import { perWorkerMiB, workersOf, type FunctionRecord } from '../records/function-record.ts';

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

/** A function that may give its cards to another. */
export interface Resident {
  readonly name: string;
  /** Null while it is called, holds no card, or may not rest. */
  idleSinceMs(): number | null;
  /** False where it does not rest any more when its turn comes. */
  rest(): Promise<boolean>;
}

export type GpuScheduler = ReturnType<typeof createGpuScheduler>;

/**
 * Which function holds how much of which card, as the records, the driver and the starts that are under way tell, and
 * which one gets a card next.
 */
export function createGpuScheduler(dependencies: {
  readonly run: NvidiaSmi;
  readonly records: () => FunctionRecord[];
}) {
  const { run, records } = dependencies;
  /** Cards of functions that are being started or deployed: their records do not tell of them yet. */
  const held = new Map<string, readonly CardShare[]>();
  let known: { readonly at: number; readonly cards: Promise<GraphicsCard[]> } | null = null;

  function cards(): Promise<GraphicsCard[]> {
    if (known === null || performance.now() - known.at > cardsKeptMs) {
      known = { at: performance.now(), cards: listCards(run) };
    }
    return known.cards;
  }

  /** Functions that run now: one that is stopped holds no memory. */
  function shares(): CardShare[] {
    const running = records()
      .filter(({ row }) => (row.state === 'ready' || row.state === 'unhealthy') && !held.has(row.name))
      .flatMap((record) =>
        record.cards.map((uuid) => ({
          functionName: record.row.name,
          uuid,
          memoryMiB: functionMemoryMiB(workersOf(record), perWorkerMiB(record)),
        })),
      );
    return [...running, ...[...held.values()].flat()];
  }

  /** @throws AppError 409 with the numbers when the cards have no room */
  function pick(need: CardNeed, all: readonly GraphicsCard[]): CardChoice {
    if (need.count === 0) return { cards: null, warnings: [] };
    if (all.length === 0) {
      // The driver's tool is not here (a virtual machine, or no card): the Engine knows better, or says what it lacks.
      return {
        cards: need.devices.length > 0 ? need.devices : need.count,
        warnings: ['The graphics cards of this computer could not be listed, so their memory is not watched.'],
      };
    }
    const memoryMiB = functionMemoryMiB(need.workers, need.perWorkerMiB);
    const placed = placeOnCards({ ...need, memoryMiB }, all, shares());
    return { cards: placed.cards.map(({ uuid }) => uuid), warnings: placed.warnings };
  }

  /** Counts the cards as the function's until it runs, or does not. */
  function hold({ functionName, workers, perWorkerMiB: each }: CardNeed, { cards: chosen }: CardChoice): void {
    const memoryMiB = functionMemoryMiB(workers, each);
    if (Array.isArray(chosen)) {
      held.set(
        functionName,
        chosen.map((uuid: string) => ({ functionName, uuid, memoryMiB })),
      );
    }
  }

  /** Stops the one of those with a card that has rested the longest; false where none rests. */
  async function makeRoom(residents: readonly Resident[]): Promise<boolean> {
    const idle = residents
      .flatMap((resident) => ({ resident, sinceMs: resident.idleSinceMs() }))
      .filter(({ sinceMs }) => sinceMs !== null)
      .toSorted((a, b) => (a.sinceMs ?? 0) - (b.sinceMs ?? 0));
    for (const { resident } of idle) if (await resident.rest()) return true;
    return false;
  }

  const listed = async ({ count }: CardNeed): Promise<readonly GraphicsCard[]> => (count === 0 ? [] : cards());

  return {
    /** @throws AppError 409 with the numbers when the cards have no room */
    choose: async (need: CardNeed): Promise<CardChoice> => pick(need, await listed(need)),
    hold,
    release: (functionName: string) => void held.delete(functionName),
    /** Chooses and holds; functions that rest make room. @throws AppError 409 when none of them is left */
    async place(need: CardNeed, residents: () => readonly Resident[]): Promise<CardChoice> {
      for (;;) {
        try {
          const all = await listed(need);
          // At once: another start may be choosing.
          const choice = pick(need, all);
          hold(need, choice);
          return choice;
        } catch (error) {
          const others = residents().filter(({ name }) => name !== need.functionName);
          if (!(error instanceof NoRoom) || !(await makeRoom(others))) throw error;
        }
      }
    },
    /** Memory that the processes hold, for each worker; null where the driver does not tell. */
    async measurePerWorker(processes: readonly number[], workers: number): Promise<number | null> {
      const held = await memoryByProcess(run);
      const total = processes.reduce((sum, pid) => sum + (held.get(pid) ?? 0), 0);
      return total === 0 ? null : Math.ceil(total / Math.max(1, workers));
    },
    async status() {
      const all = shares();
      return (await cards()).map((card) => ({
        index: card.index,
        uuid: card.uuid,
        name: card.name,
        memory_mib: card.memoryMiB,
        usable_mib: usableMiB(card),
        used_mib: usedMiB(card, all),
        functions: all.filter(({ uuid }) => uuid === card.uuid).map(({ functionName }) => functionName),
      }));
    },
  };
}
