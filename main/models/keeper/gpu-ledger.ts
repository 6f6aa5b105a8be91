import {
  functionMemoryMiB,
  type CardNeed,
  type CardRequest,
  type CardShare,
  type GraphicsCard,
} from '../gpu/gpu-budget.ts';
import type { NvidiaSmi } from '../gpu/nvidia-smi.ts';
import type { FunctionRecord } from '../records/function-record.ts';
import { createGpuSight, memoryOn, sharesOf } from './gpu-sight.ts';

export type GpuLedger = ReturnType<typeof createGpuLedger>;

const isRunning = ({ row, cards }: FunctionRecord): boolean =>
  cards.length > 0 && (row.state === 'ready' || row.state === 'unhealthy');

export function requestOf({ workers, perWorkerMiB, measured = {}, ...need }: CardNeed): CardRequest {
  const onCard = Object.entries(measured).map(
    ([uuid, each]) => [uuid, workers * Math.max(each, perWorkerMiB ?? 0)] as const,
  );
  return { ...need, memoryMiB: functionMemoryMiB(workers, perWorkerMiB), memoryByCard: Object.fromEntries(onCard) };
}

/** Which function holds how much of which card, as records, driver, and starts and stops that are under way tell. */
export function createGpuLedger(dependencies: {
  readonly run: NvidiaSmi;
  readonly records: () => FunctionRecord[];
  readonly processesOf: (record: FunctionRecord) => Promise<readonly number[] | null>;
  /** The most that functions may hold of each card together; null: as much as it has. */
  readonly cardBudgetMiB?: () => number | null;
}) {
  const { records, cardBudgetMiB } = dependencies;
  const sight = createGpuSight(dependencies);
  /** Of functions that are started or deployed now: their records do not tell of them yet. */
  const held = new Map<string, readonly CardShare[]>();
  /** Of functions that are stopped or replaced now: their records do not tell of them any more. */
  const leaving = new Map<string, readonly CardShare[]>();
  /** Those that are held beside what they have. */
  const beside = new Set<string>();
  /** What was used of the cards before a function came. */
  const usedBefore = new Map<string, ReadonlyMap<string, number>>();
  const running = () => records().filter(isRunning);

  /** Functions that run now: one that is stopped holds no memory. */
  function shares(): CardShare[] {
    const isReplaced = (name: string) => held.has(name) && !beside.has(name);
    const own = running().filter(({ row }) => !leaving.has(row.name) && !isReplaced(row.name));
    const going = [...leaving].flatMap(([name, list]) => (isReplaced(name) ? [] : list));
    return [...own.flatMap(sharesOf), ...going, ...[...held.values()].flat()];
  }

  return {
    shares,
    /** MiB by function, of those that run and of which the driver says something. */
    heldNow: () => sight.held(running()),
    async look(): Promise<readonly GraphicsCard[]> {
      const cards = await sight.look(running(), shares);
      const budgetMiB = cardBudgetMiB?.() ?? null;
      return budgetMiB === null ? cards : cards.map((card) => ({ ...card, budgetMiB }));
    },
    /** Counts the cards as the function's until it runs, or does not. */
    hold(need: CardNeed, chosen: readonly GraphicsCard[]): string[] {
      const { memoryByCard = {}, memoryMiB } = requestOf(need);
      const { functionName } = need;
      usedBefore.set(functionName, new Map(chosen.map(({ uuid, foreignMiB = 0 }) => [uuid, foreignMiB])));
      const shareOn = ({ uuid }: GraphicsCard): CardShare => ({
        functionName,
        uuid,
        memoryMiB: memoryByCard[uuid] ?? memoryMiB,
        isStarting: true,
      });
      held.set(functionName, chosen.map(shareOn));
      return chosen.map(({ uuid }) => uuid);
    },
    drop: (functionName: string) => void held.delete(functionName),
    /** What is held for it from now on is beside what it has. */
    besides: (functionName: string, isSo: boolean) =>
      void (isSo ? beside.add(functionName) : beside.delete(functionName)),
    /** Counts what a function holds until it has left its cards, whatever its record says meanwhile. */
    keep(record: FunctionRecord): void {
      if (isRunning(record)) leaving.set(record.row.name, sharesOf(record));
    },
    release(functionName: string): void {
      held.delete(functionName);
      leaving.delete(functionName);
      beside.delete(functionName);
    },
    /**
     * Memory that a function holds of each of its cards, for each worker. Where the driver names no processes: what is
     * used more than before it came, once, if it had the card alone; nothing where that cannot be told either.
     */
    async measure(functionName: string, cards: readonly string[], processes: readonly number[], workers: number) {
      const byProcess = await sight.processes();
      const before = usedBefore.get(functionName);
      usedBefore.delete(functionName);
      const total = new Map(cards.map((uuid) => [uuid, memoryOn(byProcess, uuid, processes)]));
      if (byProcess.size === 0 && before !== undefined) {
        const isAlone = (uuid: string) =>
          shares().every((share) => share.uuid !== uuid || share.functionName === functionName);
        for (const { uuid, usedMiB } of await sight.cards()) {
          if (total.has(uuid) && usedMiB !== null && isAlone(uuid)) total.set(uuid, usedMiB - (before.get(uuid) ?? 0));
        }
      }
      const measured = [...total].filter(([, memory]) => memory > 0);
      return Object.fromEntries(measured.map(([uuid, memory]) => [uuid, Math.ceil(memory / Math.max(1, workers))]));
    },
  };
}
