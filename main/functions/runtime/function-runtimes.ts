import type { FunctionProvider, ProvidedFunction } from '../engines/provider.ts';
import type { FunctionRecord } from '../records/function-record.ts';
import type { CallNumbers } from '../numbers/call-numbers.ts';
import { createUseSampler } from './use-sampler.ts';
import { createFunctionRuntime, type FunctionRuntime, type RuntimeDependencies } from './function-runtime.ts';

const sweepMs = 15_000;
/** Added to the function's own limits, because its answer (503, 408) tells more than a local timeout. */
const graceMs = 1000;

export type FunctionRuntimes = ReturnType<typeof createFunctionRuntimes>;

/**
 * One runtime per function in a container of one Engine. Finds existing containers after a restart of Limner or Docker and follows
 * Docker's events.
 */
export function createFunctionRuntimes(
  given: Omit<RuntimeDependencies, 'residents' | 'nowMs'> & {
    readonly nowMs?: () => number;
    /** Name of the Engine in function records. */
    readonly engine: string;
    readonly numbers: Pick<CallNumbers, 'saw'>;
  },
) {
  const { records, containers, log } = given;
  const dependencies: RuntimeDependencies = { nowMs: Date.now, ...given, residents: all };
  const runtimes = new Map<string, FunctionRuntime>();
  const sampler = createUseSampler({ use: containers.use, saw: given.numbers.saw });
  const closing = new AbortController();
  let attaching: Promise<void> | null = null;
  let sweeping: NodeJS.Timeout | null = null;

  function of(name: string): FunctionRuntime {
    const known = runtimes.get(name);
    if (known) return known;
    const runtime = createFunctionRuntime(name, dependencies);
    runtimes.set(name, runtime);
    return runtime;
  }

  const isHere = ({ row }: FunctionRecord): boolean => row.provider === 'docker' && row.engine === given.engine;
  const inContainers = (): FunctionRecord[] => records.list().filter(isHere);
  function all(): FunctionRuntime[] {
    return inContainers().map(({ row }) => of(row.name));
  }

  /** Removes containers without a function, which a killed process may have left. */
  async function attach(): Promise<void> {
    sweeping ??= setInterval(() => void sweep(), sweepMs).unref();
    const found = await containers.list();
    for (const runtime of all()) await runtime.found(found);
    const own = new Set(inContainers().map(({ row }) => row.container_id));
    for (const { id, functionName } of found) {
      if (own.has(id) || runtimes.get(functionName)?.isOurs()) continue;
      log.info('A container without a function is removed', { function: functionName, container: id });
      await containers.removeContainer(id);
    }
    await containers.watch(changed, closing.signal, () => {
      attaching = null;
    });
  }

  function changed(containerId: string, name: string): void {
    runtimes
      .get(name)
      ?.changed(containerId)
      .catch((error: unknown) => log.warn('A Docker event could not be handled', { function: name, error }));
  }

  async function attached(): Promise<void> {
    if (attaching !== null && containers.engine.isConnected()) return attaching;
    attaching = attach().catch((error: unknown) => {
      attaching = null;
      throw error;
    });
    return attaching;
  }

  /** Stops idle functions and measures the GPU memory of running ones. */
  async function sweep(): Promise<void> {
    // Connects again to another computer, so that its functions are shown as they are.
    if (containers.engine.isRemote && all().length > 0) await attached().catch(() => undefined);
    if (!containers.engine.isConnected()) return;
    for (const runtime of all()) {
      await runtime.lookAfter().catch((error: unknown) => {
        log.warn('The check of a function failed', { function: runtime.name, error });
      });
    }
    const there = inContainers();
    sampler.keepOnly(new Set(there.flatMap(({ row }) => row.container_id ?? [])));
    const onCards = await given.scheduler.heldNow();
    for (const record of there) {
      await sampler.look(record, onCards.get(record.row.name) ?? null).catch((error: unknown) => {
        log.debug('The resource use of a container could not be read', { function: record.row.name, error });
      });
    }
  }

  const provider: FunctionProvider = {
    list: async () => inContainers().map(provided),
    async find(name) {
      const record = records.get(name);
      return record && isHere(record) ? provided(record) : null;
    },
    async invoke(name, invocation) {
      records.require(name);
      const runtime = of(name);
      // Stopped or never deployed functions are rejected without a connection to Docker.
      runtime.requireCallable();
      await attached();
      return runtime.call(invocation);
    },
  };

  return {
    provider,
    of,
    /** All functions in containers; idle ones can release their GPUs. */
    residents: all,
    /** Runs once for each connection to Docker. */
    attached,
    sweep,
    /** Starts a stopped or exited function for the user. */
    async start(name: string): Promise<void> {
      await attached();
      await of(name).start();
    },
    async stop(name: string): Promise<void> {
      await attached();
      await of(name).stop();
    },
    /** Names of functions with running containers, as far as known. */
    running: (): string[] =>
      containers.engine.isConnected()
        ? all()
            .filter((runtime) => runtime.state() === 'ready')
            .map(({ name }) => name)
        : [],
    /** Stops all running functions that are not being called; the next call starts them. Returns their number. */
    async restAll(): Promise<number> {
      if (!containers.engine.isConnected()) return 0;
      let rested = 0;
      for (const runtime of all()) if (await runtime.rest()) rested += 1;
      return rested;
    },
    forget: (name: string) => void runtimes.delete(name),
    async close(): Promise<void> {
      closing.abort();
      if (sweeping) clearInterval(sweeping);
      await Promise.all([...runtimes.values()].map((runtime) => runtime.settled()));
    },
  };
}

function provided({ row, configuration }: FunctionRecord): ProvidedFunction {
  const { trigger, eventTimeoutMs } = configuration;
  return {
    name: row.name,
    description: configuration.description,
    annotations: configuration.annotations,
    provider: 'docker',
    project: row.project,
    state: row.state,
    message: row.message,
    port: row.port,
    version: row.version,
    workers: trigger.workers ?? 1,
    // Nuclio's runtime may detect a slow handler only after twice its limit.
    timeoutMs: trigger.workerAvailabilityTimeoutMs + eventTimeoutMs * (row.has_runtime === 1 ? 1 : 2) + graceMs,
  };
}
