import type { FunctionConfiguration } from '../configuration/parse-configuration.ts';
import { AppError } from '../../platform/errors.ts';
import { byteText } from '../configuration/quantities.ts';

/** Limits for one function; null for no limit. */
export interface FunctionBudget {
  readonly cpuCores: number | null;
  readonly memoryBytes: number | null;
}

export interface EngineCapacity {
  readonly cpuCores: number;
  readonly memoryBytes: number;
  readonly budget?: FunctionBudget;
}

/** Resources of one container; every one is limited. */
export type ResourcePlan = Readonly<ReturnType<typeof planResources>>;

/** Default fraction of the memory, which leaves the computer usable. */
const defaultMemoryShare = 0.75;
const reservedMemoryShare = 0.95;
const usualTemporaryBytes = 2 ** 30;
/** Numeric libraries start one thread per core in each worker, some of them several times. */
const pids = { always: 256, worker: 128, workerCore: 8 };
/** More workers per core only compete for CPU time. `workerBytes` is the minimum of a runtime without a model. */
const workersPerCore = 8;
const workerBytes = 16 * 2 ** 20;

/** Clamps limits to the capacity, with a warning for each clamped one. */
export function planResources(
  { resources, trigger }: Pick<FunctionConfiguration, 'resources' | 'trigger'>,
  capacity: EngineCapacity,
) {
  const warnings: string[] = [];
  const { budget } = capacity;
  const mostCores = Math.min(capacity.cpuCores, budget?.cpuCores ?? Infinity);
  let cpuCores = resources.cpuCores ?? mostCores;
  if (cpuCores > mostCores) {
    const who = mostCores < capacity.cpuCores ? 'the settings allow a function' : 'the Engine has';
    warnings.push(`${cpuCores} CPU cores are requested; ${who} ${mostCores}.`);
    cpuCores = mostCores;
  }
  const there = Math.floor(capacity.memoryBytes * reservedMemoryShare);
  const most = Math.min(there, budget?.memoryBytes ?? Infinity);
  let memoryBytes = resources.memoryBytes ?? Math.min(most, Math.floor(capacity.memoryBytes * defaultMemoryShare));
  if (memoryBytes > most) {
    const who = most < there ? 'the settings allow a function' : 'the Engine has';
    warnings.push(`${byteText(memoryBytes)} of memory are requested; ${who} ${byteText(most)}.`);
    memoryBytes = most;
  }
  const workers = trigger.workers ?? 1;
  // Files in these file systems use memory.
  const within = (bytes: number, what: string): number => {
    if (bytes > memoryBytes)
      warnings.push(`${byteText(bytes)} of ${what} are requested; the memory limit is ${byteText(memoryBytes)}.`);
    return Math.min(bytes, memoryBytes);
  };
  return {
    cpuCores,
    memoryBytes,
    workers,
    /** Processes and threads together. */
    pids: resources.pidsLimit ?? pids.always + workers * (pids.worker + Math.ceil(capacity.cpuCores) * pids.workerCore),
    temporaryBytes:
      resources.temporaryBytes === null
        ? Math.min(usualTemporaryBytes, memoryBytes)
        : within(resources.temporaryBytes, '/tmp'),
    /** Null for Docker's default. */
    sharedMemoryBytes: resources.sharedMemoryBytes === null ? null : within(resources.sharedMemoryBytes, '/dev/shm'),
    warnings,
  };
}

/** @throws AppError 400 for more workers than the computer can run */
export function requireWorkers(
  configuration: Pick<FunctionConfiguration, 'name' | 'resources' | 'trigger'>,
  capacity: EngineCapacity,
): void {
  const { workers, memoryBytes } = planResources(configuration, capacity);
  const most = Math.max(
    1,
    Math.min(Math.ceil(capacity.cpuCores) * workersPerCore, Math.floor(memoryBytes / workerBytes)),
  );
  if (workers <= most) return;
  const message =
    `"${configuration.name}" requests ${workers} workers (numWorkers), each of them a process. The limit here is ${most}: ` +
    `${workersPerCore} for each of ${capacity.cpuCores} cores, and ${byteText(workerBytes)} of memory for each. Nothing was changed.`;
  throw new AppError('invalid', message);
}
