import { functionMemoryMiB, type GpuShare, type Gpu } from '../gpu/gpu-budget.ts';
import { listGpus, memoryByProcess, type GpuSnapshot, type NvidiaSmi } from '../gpu/nvidia-smi.ts';
import { perWorkerMiB, workersOf, type FunctionRecord } from '../records/function-record.ts';

type MemoryByProcess = ReadonlyMap<string, ReadonlyMap<number, number>>;

export const memoryOn = (byProcess: MemoryByProcess, uuid: string, processes: readonly number[]): number =>
  processes.reduce((sum, pid) => sum + (byProcess.get(uuid)?.get(pid) ?? 0), 0);

/** GPU memory of a function: the maximum of declared and measured values. */
export function sharesOf(record: FunctionRecord): GpuShare[] {
  return record.cards.map((uuid) => ({
    functionName: record.row.name,
    uuid,
    memoryMiB: functionMemoryMiB(workersOf(record), perWorkerMiB(record, uuid)),
  }));
}

export function createGpuMemory({
  run,
  processesOf,
}: {
  readonly run: NvidiaSmi;
  /** Process ids of a running function; null if Docker's ids are not valid on this computer. */
  readonly processesOf: (record: FunctionRecord) => Promise<readonly number[] | null>;
}) {
  /**
   * Memory held by other processes: driver total minus known functions. Unattributed memory counts as external, so the
   * estimate is too high rather than too low.
   */
  function externalMiB(
    { uuid, usedMiB }: GpuSnapshot,
    shares: readonly GpuShare[],
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
    cards: () => listGpus(run),
    processes: () => memoryByProcess(run),
    /** Current MiB by function over all its GPUs; without functions that the driver does not report. */
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
    /** @param running functions that hold GPUs now */
    async look(running: readonly FunctionRecord[], shares: () => readonly GpuShare[]): Promise<readonly Gpu[]> {
      const seen = await listGpus(run);
      if (seen.every(({ usedMiB }) => usedMiB === null)) return seen;
      const [byProcess, ids] = await Promise.all([
        memoryByProcess(run),
        Promise.all(running.map(async (record) => [record.row.name, await processesOf(record)] as const)),
      ]);
      // Without any process, the driver's list is not usable: a virtual machine, or nothing is running.
      const known = new Map(byProcess.size === 0 ? ids.map(([name]) => [name, null] as const) : ids);
      return seen.map((card) => {
        const foreign = externalMiB(card, shares(), byProcess, known);
        return foreign === undefined ? card : { ...card, externalMiB: foreign };
      });
    },
  };
}
