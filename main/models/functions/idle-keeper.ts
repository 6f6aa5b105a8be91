import type { Logger } from '../../platform/log.ts';
import type { DockerFunctions } from '../engines/docker/docker-functions.ts';
import { idleSeconds, workersOf, type FunctionRecord } from './function-record.ts';
import type { FunctionRecords } from './function-records.ts';
import type { GpuKeeper } from './gpu-keeper.ts';

const sweepMs = 15_000;

interface Use {
  calls: number;
  lastMs: number;
}

/** Counts calls, stops functions that rest, and measures what those with a card hold of it. */
export function createIdleKeeper(dependencies: {
  readonly records: FunctionRecords;
  readonly containers: DockerFunctions;
  readonly gpu: GpuKeeper;
  readonly log: Logger;
  readonly isBusy: (name: string) => boolean;
  readonly nowMs: () => number;
}) {
  const { records, containers, gpu, log, isBusy, nowMs } = dependencies;
  const uses = new Map<string, Use>();
  let sweeping: NodeJS.Timeout | null = null;

  const useOf = (name: string): Use => {
    const known = uses.get(name);
    if (known) return known;
    const fresh = { calls: 0, lastMs: nowMs() };
    uses.set(name, fresh);
    return fresh;
  };

  async function rest({ row }: FunctionRecord): Promise<void> {
    if (row.container_id === null) return;
    log.info('A function that was not called is stopped', { function: row.name });
    records.note(row.name, { state: 'scaledToZero', message: '' });
    await containers.stop(row.container_id);
  }

  async function sweep(): Promise<void> {
    if (!containers.engine.isConnected()) return;
    for (const record of records.list()) {
      const { row } = record;
      if (row.provider !== 'docker' || row.state !== 'ready' || isBusy(row.name)) continue;
      const seconds = idleSeconds(record);
      const use = useOf(row.name);
      const isResting = seconds !== null && use.calls === 0 && nowMs() - use.lastMs > seconds * 1000;
      try {
        if (isResting) await rest(record);
        else if (record.cards.length > 0) await measure(row.name);
      } catch (error) {
        log.warn('A function could not be looked after', { function: row.name, error });
      }
    }
  }

  /** The most that the function's processes were seen to hold of its cards. */
  async function measure(name: string): Promise<void> {
    const record = records.get(name);
    if (!record || record.cards.length === 0 || record.row.container_id === null) return;
    const processes = await containers.processes(record.row.container_id).catch((): number[] => []);
    const measured = await gpu.measurePerWorker(processes, workersOf(record));
    if (measured !== null && measured > (record.row.measured_gpu_memory_mib ?? 0)) {
      records.note(name, { measured_gpu_memory_mib: measured });
    }
  }

  return {
    start: () => void (sweeping ??= setInterval(() => void sweep(), sweepMs).unref()),
    stop(): void {
      if (sweeping) clearInterval(sweeping);
    },
    sweep,
    measure,
    touch: (name: string) => void (useOf(name).lastMs = nowMs()),
    forget: (name: string) => void uses.delete(name),
    /** Counts a call while it runs. */
    async during<Result>(name: string, call: () => Promise<Result>): Promise<Result> {
      const use = useOf(name);
      use.calls += 1;
      try {
        return await call();
      } finally {
        use.calls -= 1;
        use.lastMs = nowMs();
      }
    },
    /** Stops the function with a card that has rested the longest; false where none rests. */
    async makeRoom(except: string): Promise<boolean> {
      const [resting] = records
        .list()
        .filter(({ row, cards }) => row.state === 'ready' && cards.length > 0 && row.name !== except)
        .filter((record) => idleSeconds(record) !== null && useOf(record.row.name).calls === 0)
        .toSorted((a, b) => useOf(a.row.name).lastMs - useOf(b.row.name).lastMs);
      if (!resting) return false;
      await rest(resting);
      return true;
    },
  };
}
