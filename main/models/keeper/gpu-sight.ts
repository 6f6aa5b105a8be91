import { functionMemoryMiB, type CardShare, type GraphicsCard } from '../gpu/gpu-budget.ts';
import { listCards, memoryByProcess, type CardSight, type NvidiaSmi } from '../gpu/nvidia-smi.ts';
import { perWorkerMiB, workersOf, type FunctionRecord } from '../records/function-record.ts';

/** Memory in MiB that processes hold, by card and process id. */
type MemoryByProcess = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** Memory that a function's processes hold on one card, all workers together. */
export const memoryOn = (byProcess: MemoryByProcess, uuid: string, processes: readonly number[]): number =>
  processes.reduce((sum, pid) => sum + (byProcess.get(uuid)?.get(pid) ?? 0), 0);

/** What a function holds of its cards: the most that was declared or seen of it. */
export function sharesOf(record: FunctionRecord): CardShare[] {
  return record.cards.map((uuid) => ({
    functionName: record.row.name,
    uuid,
    memoryMiB: functionMemoryMiB(workersOf(record), perWorkerMiB(record, uuid)),
  }));
}

/** Looks at the cards: what each of them has, and what programs hold of it that are no functions of this Limner. */
export function createGpuSight({
  run,
  processesOf,
}: {
  readonly run: NvidiaSmi;
  /** Process ids of a running function; null where the Engine's are not this machine's. */
  readonly processesOf: (record: FunctionRecord) => Promise<readonly number[] | null>;
}) {
  /**
   * Of what the driver says is used: without what functions are known to hold. What one takes beyond that, and what one
   * that starts has taken already, counts as foreign: rather too much than too little.
   */
  function foreignMiB(
    { uuid, usedMiB }: CardSight,
    shares: readonly CardShare[],
    byProcess: MemoryByProcess,
    processes: ReadonlyMap<string, readonly number[] | null>,
  ): number | undefined {
    if (usedMiB === null) return undefined;
    const own = shares
      .filter((share) => share.uuid === uuid && share.isStarting !== true)
      .reduce((sum, { functionName, memoryMiB }) => {
        const ids = processes.get(functionName) ?? null;
        const seen = ids === null ? Infinity : memoryOn(byProcess, uuid, ids);
        return sum + Math.min(memoryMiB ?? 0, seen);
      }, 0);
    return Math.max(0, usedMiB - own);
  }

  return {
    cards: () => listCards(run),
    processes: () => memoryByProcess(run),
    /** MiB that functions hold of all their cards now, by name; without those of which the driver says nothing. */
    async held(running: readonly FunctionRecord[]): Promise<ReadonlyMap<string, number>> {
      if (running.length === 0) return new Map();
      const byProcess = await memoryByProcess(run);
      if (byProcess.size === 0) return new Map();
      const all = running.map(async (record): Promise<[string, number][]> => {
        const ids = await processesOf(record);
        if (ids === null) return [];
        return [[record.row.name, record.cards.reduce((sum, uuid) => sum + memoryOn(byProcess, uuid, ids), 0)]];
      });
      return new Map((await Promise.all(all)).flat());
    },
    /** @param running functions that hold cards now */
    async look(
      running: readonly FunctionRecord[],
      shares: () => readonly CardShare[],
    ): Promise<readonly GraphicsCard[]> {
      const seen = await listCards(run);
      if (seen.every(({ usedMiB }) => usedMiB === null)) return seen;
      const [byProcess, ids] = await Promise.all([
        memoryByProcess(run),
        Promise.all(running.map(async (record) => [record.row.name, await processesOf(record)] as const)),
      ]);
      // A driver that names no process says nothing of them: in a virtual machine, or where nothing runs.
      const known = new Map(byProcess.size === 0 ? ids.map(([name]) => [name, null] as const) : ids);
      return seen.map((card) => {
        const foreign = foreignMiB(card, shares(), byProcess, known);
        return foreign === undefined ? card : { ...card, foreignMiB: foreign };
      });
    },
  };
}
