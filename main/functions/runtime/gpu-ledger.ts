import { functionMemoryMiB, type GpuNeed, type GpuRequest, type GpuShare, type Gpu } from '../gpu/gpu-budget.ts';
import type { NvidiaSmi } from '../gpu/nvidia-smi.ts';
import type { FunctionRecord } from '../records/function-record.ts';
import { createGpuMemory, memoryOn, sharesOf } from './gpu-memory.ts';

export type GpuLedger = ReturnType<typeof createGpuLedger>;

const isRunning = ({ row, cards }: FunctionRecord): boolean =>
  cards.length > 0 && (row.state === 'ready' || row.state === 'unhealthy');

export function requestOf({ workers, perWorkerMiB, measured = {}, ...need }: GpuNeed): GpuRequest {
  const onCard = Object.entries(measured).map(
    ([uuid, each]) => [uuid, workers * Math.max(each, perWorkerMiB ?? 0)] as const,
  );
  return { ...need, memoryMiB: functionMemoryMiB(workers, perWorkerMiB), memoryByCard: Object.fromEntries(onCard) };
}

/** GPU memory by function, from records, the driver, and pending starts and stops. */
export function createGpuLedger(dependencies: {
  readonly run: NvidiaSmi;
  readonly records: () => FunctionRecord[];
  readonly processesOf: (record: FunctionRecord) => Promise<readonly number[] | null>;
  /** Limit for all functions on each GPU; null for no limit. */
  readonly cardBudgetMiB?: () => number | null;
}) {
  const { records, cardBudgetMiB } = dependencies;
  const sight = createGpuMemory(dependencies);
  /** Shares of starting or deploying functions, which their records do not contain yet. */
  const held = new Map<string, readonly GpuShare[]>();
  /** Shares of stopping or replaced functions, which their records no longer contain. */
  const leaving = new Map<string, readonly GpuShare[]>();
  /** Functions whose held shares are added to their existing ones. */
  const beside = new Set<string>();
  /** Memory use of the GPUs before a function started. */
  const usedBefore = new Map<string, ReadonlyMap<string, number>>();
  const running = () => records().filter(isRunning);

  /** Shares of running functions; stopped ones hold no memory. */
  function shares(): GpuShare[] {
    const isReplaced = (name: string) => held.has(name) && !beside.has(name);
    const own = running().filter(({ row }) => !leaving.has(row.name) && !isReplaced(row.name));
    const going = [...leaving].flatMap(([name, list]) => (isReplaced(name) ? [] : list));
    return [...own.flatMap(sharesOf), ...going, ...[...held.values()].flat()];
  }

  return {
    shares,
    /** MiB by running function, as far as the driver reports it. */
    heldNow: () => sight.held(running()),
    async look(): Promise<readonly Gpu[]> {
      const cards = await sight.look(running(), shares);
      const budgetMiB = cardBudgetMiB?.() ?? null;
      return budgetMiB === null ? cards : cards.map((card) => ({ ...card, budgetMiB }));
    },
    /** Reserves the GPUs for a function until it runs or its start fails. */
    hold(need: GpuNeed, chosen: readonly Gpu[]): string[] {
      const { memoryByCard = {}, memoryMiB } = requestOf(need);
      const { functionName } = need;
      usedBefore.set(functionName, new Map(chosen.map(({ uuid, externalMiB = 0 }) => [uuid, externalMiB])));
      const shareOn = ({ uuid }: Gpu): GpuShare => ({
        functionName,
        uuid,
        memoryMiB: memoryByCard[uuid] ?? memoryMiB,
        isStarting: true,
      });
      held.set(functionName, chosen.map(shareOn));
      return chosen.map(({ uuid }) => uuid);
    },
    drop: (functionName: string) => void held.delete(functionName),
    /** Sets whether later reservations are added to the existing shares. */
    besides: (functionName: string, isSo: boolean) =>
      void (isSo ? beside.add(functionName) : beside.delete(functionName)),
    /** Counts a function's memory until it has left its GPUs, whatever state its record has. */
    keep(record: FunctionRecord): void {
      if (isRunning(record)) leaving.set(record.row.name, sharesOf(record));
    },
    release(functionName: string): void {
      held.delete(functionName);
      leaving.delete(functionName);
      beside.delete(functionName);
    },
    /**
     * Memory per worker on each GPU. If the driver reports no processes, uses the increase since before the start,
     * once, and only if the function was alone on the GPU.
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
