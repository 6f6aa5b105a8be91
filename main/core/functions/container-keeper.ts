import type { Logger } from '../../platform/log.ts';
import { AppError } from '../../platform/errors.ts';
import { InvocationProblem, type Invoker } from '../../functions/invoke.ts';
import { lineMessage } from '../../functions/providers/docker/container-log.ts';
import { resolveVolumes } from '../../functions/policy/demands.ts';
import { planResources } from '../../functions/policy/resource-plan.ts';
import type { ContainerFacts, DockerFunctions } from '../../functions/providers/docker/docker-functions.ts';
import { reachable } from '../../functions/providers/docker/readiness.ts';
import { PortTaken } from '../../functions/providers/docker/start-problem.ts';
import type { FunctionProvider, Invocation, InvocationAnswer, ProvidedFunction } from '../../functions/provider.ts';
import { idleSeconds, perWorkerMiB, workersOf, type FunctionRecord } from './function-record.ts';
import type { FunctionRecords } from './function-records.ts';
import type { GpuKeeper } from './gpu-keeper.ts';

const sweepMs = 15_000;
/** Beyond the function's own limits: its answer (503, 408) is better than our giving up. */
const graceMs = 1000;

interface Use {
  calls: number;
  lastMs: number;
}

export type ContainerKeeper = ReturnType<typeof createContainerKeeper>;

/**
 * Containers of deployed functions: finds them again after a restart of Limner or of the Engine, reads their ports anew
 * on every connection, starts them when they are called, and stops them when they rest.
 */
export function createContainerKeeper(dependencies: {
  readonly records: FunctionRecords;
  readonly containers: DockerFunctions;
  readonly gpu: GpuKeeper;
  readonly invoker: Invoker;
  readonly log: Logger;
  readonly owner: string;
  /** Names of functions that are being deployed: their containers are the deployment's. */
  readonly isBeingDeployed: (name: string) => boolean;
  readonly nowMs?: () => number;
}) {
  const { records, containers, gpu, invoker, log, owner, isBeingDeployed, nowMs = Date.now } = dependencies;
  const uses = new Map<string, Use>();
  const starting = new Map<string, Promise<FunctionRecord>>();
  const refreshing = new Map<string, Promise<void>>();
  const closing = new AbortController();
  let attaching: Promise<void> | null = null;
  let sweeping: NodeJS.Timeout | null = null;

  const useOf = (name: string): Use => {
    const known = uses.get(name);
    if (known) return known;
    const fresh = { calls: 0, lastMs: nowMs() };
    uses.set(name, fresh);
    return fresh;
  };

  /** Once for every connection to the Engine. */
  async function attached(): Promise<void> {
    if (attaching !== null && containers.engine.isConnected()) return attaching;
    attaching = attach().catch((error: unknown) => {
      attaching = null;
      throw error;
    });
    return attaching;
  }

  async function attach(): Promise<void> {
    const found = await containers.list();
    const own = records.list().filter(({ row }) => row.provider === 'docker');
    for (const record of own) {
      if (isBeingDeployed(record.row.name)) continue;
      const facts = found.find(({ id }) => id === record.row.container_id) ?? null;
      takeFacts(record, facts);
    }
    for (const facts of found) {
      const isKnown = own.some(({ row }) => row.container_id === facts.id);
      if (isKnown || isBeingDeployed(facts.functionName)) continue;
      log.info('A container that no function has is removed', { function: facts.functionName, container: facts.id });
      await containers.removeContainer(facts.id);
    }
    await containers.watch((id, name) => {
      // Calls wait for it: another program may have the port by now.
      const looking = refresh(id, name).finally(() => {
        if (refreshing.get(name) === looking) refreshing.delete(name);
      });
      refreshing.set(name, looking);
    }, closing.signal);
    sweeping ??= setInterval(() => void sweep(), sweepMs).unref();
  }

  async function refresh(containerId: string, name: string): Promise<void> {
    const record = records.get(name);
    if (!record || record.row.container_id !== containerId || isBeingDeployed(name) || starting.has(name)) return;
    const facts = await containers.inspect(containerId).catch(() => undefined);
    const current = records.get(name);
    if (facts !== undefined && current?.row.container_id === containerId && !starting.has(name))
      takeFacts(current, facts);
  }

  /** What the Engine tells of a container becomes what the record says of its function. */
  function takeFacts({ row }: FunctionRecord, facts: ContainerFacts | null): void {
    const change = (state: FunctionRecord['row']['state'], message: string, port = row.port) => {
      if (state === row.state && message === row.message && port === row.port) return;
      records.note(row.name, { state, message, port });
    };
    if (facts?.isRunning) {
      const isLoud = row.state === 'ready' && row.message !== '';
      change('ready', isLoud ? row.message : '', facts.port ?? row.port);
    } else if (row.state === 'building') {
      change('error', 'Limner stopped while this function was deployed. Deploy it again.');
    } else if (row.state === 'stopped' || row.container_id === null) return;
    else if (facts === null) {
      change('unhealthy', 'Its container is gone. It is made again when the function is called or started.');
    } else if (facts.isOutOfMemory) {
      change('unhealthy', 'It ended because its memory limit was reached (spec.resources.limits.memory).');
    } else if (facts.exitCode !== 0 && row.state === 'ready' && facts.restarts > 0) {
      change('unhealthy', `It ended again and again, last with exit code ${facts.exitCode}. Its log tells more.`);
    } else if (row.state === 'ready') change('scaledToZero', '');
  }

  /** Starts a function that rests: its old container, or a new one of its image where that is gone. */
  function ensureRunning(record: FunctionRecord): Promise<FunctionRecord> {
    const { name } = record.row;
    const known = starting.get(name);
    if (known) return known;
    const work = startNow(record).finally(() => starting.delete(name));
    starting.set(name, work);
    return work;
  }

  async function startNow(record: FunctionRecord): Promise<FunctionRecord> {
    const { name, container_id: containerId, running_image: image } = record.row;
    if (image === null) throw unavailable(`"${name}" was never deployed well. Deploy it again.`);
    try {
      await makeRoom(record);
      const started = await startOld(record, containerId).catch((error: unknown) => {
        if (error instanceof PortTaken || (error instanceof AppError && error.code === 'not-found')) return null;
        throw error;
      });
      const running = started ?? (await startNew(record, image));
      records.note(name, {
        state: 'ready',
        message: '',
        container_id: running.containerId,
        port: running.port,
        ...(running.cards === undefined ? {} : { cards: JSON.stringify(running.cards) }),
      });
      useOf(name).lastMs = nowMs();
      void measure(name);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      records.note(name, { state: 'unhealthy', message });
      throw error;
    }
    return records.require(name);
  }

  interface Started {
    readonly containerId: string;
    readonly port: number;
    readonly cards?: readonly string[];
  }

  async function startOld(record: FunctionRecord, containerId: string | null): Promise<Started | null> {
    if (containerId === null || (await containers.inspect(containerId)) === null) return null;
    return containers.start(record.configuration, containerId, record.row.has_runtime === 1);
  }

  async function startNew(record: FunctionRecord, imageName: string): Promise<Started> {
    const { configuration, row, commands, cards: earlier } = record;
    const { facts } = await containers.engine.connect();
    const choice = await chooseCards(record, earlier);
    const running = await containers.run({
      configuration,
      imageName,
      commands,
      hasRuntime: row.has_runtime === 1,
      volumes: await resolveVolumes({ configuration, handlerDirectory: row.directory }),
      plan: planResources(configuration, facts),
      cards: choice,
      owner,
      previousPort: row.port,
      heldPorts: heldPorts(row.name),
      log: (line) => log.debug(line, { function: row.name }),
    });
    return { ...running, cards: Array.isArray(choice) ? choice : [] };
  }

  async function chooseCards(record: FunctionRecord, preferred: readonly string[]) {
    const { gpuCount, gpuDevices } = record.configuration.resources;
    const need = {
      functionName: record.row.name,
      count: gpuCount,
      devices: gpuDevices.length > 0 ? gpuDevices : preferred,
      workers: workersOf(record),
      perWorkerMiB: perWorkerMiB(record),
    };
    return (await gpu.choose(need)).cards;
  }

  /** A function that is called may take the place of functions that rest on its card, the longest first. */
  async function makeRoom(record: FunctionRecord): Promise<void> {
    if (record.configuration.resources.gpuCount === 0) return;
    for (;;) {
      try {
        await chooseCards(record, record.cards);
        return;
      } catch (error) {
        const [resting] = records
          .list()
          .filter((one) => one.row.state === 'ready' && one.cards.length > 0 && one.row.name !== record.row.name)
          .filter((one) => idleSeconds(one) !== null && useOf(one.row.name).calls === 0)
          .toSorted((a, b) => useOf(a.row.name).lastMs - useOf(b.row.name).lastMs);
        if (!resting) throw error;
        await rest(resting);
      }
    }
  }

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
      if (row.provider !== 'docker' || row.state !== 'ready' || isBeingDeployed(row.name)) continue;
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

  function heldPorts(except: string): Set<number> {
    const others = records.list().filter(({ row }) => row.provider === 'docker' && row.name !== except);
    return new Set(others.flatMap(({ row }) => row.port ?? []));
  }

  async function callable(name: string): Promise<FunctionRecord> {
    const record = records.require(name);
    const { state, message } = record.row;
    if (state === 'building') throw unavailable(`"${name}" is being deployed. Try again when it is ready.`);
    if (state === 'stopped') throw unavailable(`"${name}" is stopped. Start it first.`);
    if (state === 'error') throw unavailable(`"${name}" is not deployed: ${message || 'deploy it again'}`);
    await attached();
    await refreshing.get(name);
    const current = records.require(name);
    return current.row.state === 'ready' && !starting.has(name) ? current : ensureRunning(current);
  }

  /** A call that found nobody at the port: the container ended, or the port is another one now. */
  async function afterRefusal(name: string, error: InvocationProblem): Promise<FunctionRecord> {
    const record = records.require(name);
    const { container_id: id, port } = record.row;
    const facts = id === null ? null : await containers.inspect(id);
    takeFacts(record, facts);
    const current = records.require(name);
    if (current.row.state === 'stopped') throw error;
    if (current.row.state !== 'ready') return ensureRunning(current);
    if (current.row.port !== port) return current;
    throw await withLastWords(id, error);
  }

  async function withLastWords(id: string | null, error: InvocationProblem): Promise<AppError> {
    const text = id === null ? '' : await containers.readLog(id, 5).catch(() => '');
    const words = text.split('\n').filter(Boolean).map(lineMessage).join(' ').slice(0, 600);
    return new InvocationProblem(
      error.kind,
      words === '' ? error.message : `${error.message} Its last words: ${words}`,
    );
  }

  async function send(record: FunctionRecord, invocation: Invocation): Promise<InvocationAnswer> {
    const { address } = record.configuration.trigger;
    return invoker.send(`http://${reachable(address)}:${record.row.port ?? 0}`, invocation);
  }

  const provider: FunctionProvider = {
    list: async () =>
      records
        .list()
        .filter(({ row }) => row.provider === 'docker')
        .map(provided),
    async find(name) {
      const record = records.get(name);
      return record?.row.provider === 'docker' ? provided(record) : null;
    },
    async invoke(name, invocation) {
      const record = await callable(name);
      const use = useOf(name);
      use.calls += 1;
      try {
        return await send(record, invocation).catch(async (error: unknown) => {
          if (!(error instanceof InvocationProblem) || error.kind !== 'unreachable') throw error;
          return send(await afterRefusal(name, error), invocation);
        });
      } finally {
        use.calls -= 1;
        use.lastMs = nowMs();
      }
    },
  };

  return {
    provider,
    attached,
    heldPorts,
    /** By a person: a function that was stopped or ended starts again. */
    async start(name: string): Promise<FunctionRecord> {
      await attached();
      return ensureRunning(records.require(name));
    },
    async stop(name: string): Promise<void> {
      await attached();
      const { container_id: id } = records.require(name).row;
      records.note(name, { state: 'stopped', message: '' });
      if (id !== null) await containers.stop(id);
    },
    sweep,
    measure,
    forget: (name: string) => void uses.delete(name),
    async close(): Promise<void> {
      closing.abort();
      if (sweeping) clearInterval(sweeping);
      await Promise.allSettled(starting.values());
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
    workers: trigger.workers ?? 1,
    // An image with a runtime of Nuclio's notices a handler that is too slow within twice its limit.
    timeoutMs: trigger.workerAvailabilityTimeoutMs + eventTimeoutMs * (row.has_runtime === 1 ? 1 : 2) + graceMs,
  };
}

const unavailable = (message: string) => new AppError('unavailable', message, message);
