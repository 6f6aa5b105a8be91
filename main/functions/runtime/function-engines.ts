import type { FunctionProvider } from '../engines/provider.ts';
import type { FunctionRecords } from '../records/function-records.ts';
import { localEngine } from '../records/function-repository.ts';
import type { FunctionRuntimes } from './function-runtimes.ts';
import type { GpuScheduler } from './gpu-scheduler.ts';
import type { DockerFunctions } from '../engines/docker/docker-functions.ts';

/** A Docker Engine with its functions and its GPU queue. */
export interface FunctionEngine {
  readonly name: string;
  readonly containers: DockerFunctions;
  readonly scheduler: GpuScheduler;
  readonly runtimes: FunctionRuntimes;
}

export type FunctionEngines = ReturnType<typeof createFunctionEngines>;

/** Engines in use, created on first use. An unknown name gives an Engine that cannot be reached, with the reason. */
export function createFunctionEngines({
  records,
  create,
}: {
  readonly records: Pick<FunctionRecords, 'get' | 'list'>;
  readonly create: (name: string) => FunctionEngine;
}) {
  const open = new Map<string, FunctionEngine>();
  function of(name: string): FunctionEngine {
    const known = open.get(name);
    if (known) return known;
    const created = create(name);
    open.set(name, created);
    return created;
  }
  /** The Engines of all functions, and that of this computer. */
  function all(): FunctionEngine[] {
    const used = records.list().flatMap(({ row }) => (row.provider === 'docker' ? row.engine : []));
    return [...new Set([localEngine, ...used])].map(of);
  }

  return {
    of,
    all,
    /** Engine of a function; that of this computer for an unknown one. */
    ofFunction: (name: string): FunctionEngine => of(records.get(name)?.row.engine ?? localEngine),
    /** Closes the connections to an Engine that was removed or added again. */
    forget(name: string): void {
      void open.get(name)?.runtimes.close();
      open.get(name)?.containers.close();
      open.delete(name);
    },
    close(): void {
      for (const { containers } of open.values()) containers.close();
    },
  };
}

export type AllRuntimes = ReturnType<typeof joinRuntimes>;

/** The runtimes of all Engines, by function. */
export function joinRuntimes({ of, all, ofFunction }: FunctionEngines) {
  const by = (name: string) => ofFunction(name).runtimes;
  const provider: FunctionProvider = {
    list: async () => (await Promise.all(all().map(({ runtimes }) => runtimes.provider.list()))).flat(),
    find: async (name) => by(name).provider.find(name),
    invoke: (name, invocation) => by(name).provider.invoke(name, invocation),
  };
  return {
    provider,
    of: (name: string) => by(name).of(name),
    /** Runs once for each connection to the Engine of this computer. */
    attached: (): Promise<void> => of(localEngine).runtimes.attached(),
    async sweep(): Promise<void> {
      for (const { runtimes } of all()) await runtimes.sweep();
    },
    start: (name: string): Promise<void> => by(name).start(name),
    stop: (name: string): Promise<void> => by(name).stop(name),
    running: (): string[] => all().flatMap(({ runtimes }) => runtimes.running()),
    async restAll(): Promise<number> {
      const rested = await Promise.all(all().map(({ runtimes }) => runtimes.restAll()));
      return rested.reduce((sum, count) => sum + count, 0);
    },
    forget: (name: string): void => by(name).forget(name),
    close: async (): Promise<void> => void (await Promise.all(all().map(({ runtimes }) => runtimes.close()))),
  };
}
