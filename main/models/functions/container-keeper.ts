import type { Logger } from '../../platform/log.ts';
import { AppError } from '../../platform/errors.ts';
import { InvocationProblem, type Invoker } from '../invoke.ts';
import { lineMessage } from '../engines/docker/container-log.ts';
import type { DockerFunctions } from '../engines/docker/docker-functions.ts';
import { reachable } from '../engines/docker/readiness.ts';
import type { FunctionProvider, Invocation, InvocationAnswer, ProvidedFunction } from '../provider.ts';
import { createContainerSight } from './container-sight.ts';
import { createContainerStarter, heldPorts } from './container-starter.ts';
import type { FunctionRecord } from './function-record.ts';
import type { FunctionRecords } from './function-records.ts';
import type { GpuKeeper } from './gpu-keeper.ts';
import { createIdleKeeper } from './idle-keeper.ts';

/** Beyond the function's own limits: its answer (503, 408) is better than our giving up. */
const graceMs = 1000;

export interface ContainerKeeperDependencies {
  readonly records: FunctionRecords;
  readonly containers: DockerFunctions;
  readonly gpu: GpuKeeper;
  readonly invoker: Invoker;
  readonly log: Logger;
  readonly owner: string;
  /** Names of functions that are being deployed: their containers are the deployment's. */
  readonly isBeingDeployed: (name: string) => boolean;
  readonly nowMs?: () => number;
}

export type ContainerKeeper = ReturnType<typeof createContainerKeeper>;

/**
 * Containers of deployed functions, as a provider: finds them again after a restart of Limner or of the Engine, reads
 * their ports anew on every connection, starts them when they are called, and stops them when they rest.
 */
export function createContainerKeeper(dependencies: ContainerKeeperDependencies) {
  const { records, containers, isBeingDeployed, nowMs = Date.now } = dependencies;
  const idle = createIdleKeeper({ ...dependencies, nowMs, isBusy: isBeingDeployed });
  const starter = createContainerStarter({
    ...dependencies,
    makeRoom: idle.makeRoom,
    onStarted(name) {
      idle.touch(name);
      void idle.measure(name);
    },
  });
  const sight = createContainerSight({
    ...dependencies,
    isBusy: (name) => isBeingDeployed(name) || starter.isStarting(name),
    onAttached: idle.start,
  });
  const caller = createContainerCaller(dependencies, { sight, starter });

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
      const record = await caller.callable(name);
      return idle.during(name, () => caller.send(record, invocation));
    },
  };

  return {
    provider,
    attached: sight.attached,
    heldPorts: (except: string) => heldPorts(records, except),
    /** By a person: a function that was stopped or ended starts again. */
    async start(name: string): Promise<FunctionRecord> {
      await sight.attached();
      return starter.start(records.require(name));
    },
    async stop(name: string): Promise<void> {
      await sight.attached();
      const { container_id: id } = records.require(name).row;
      records.note(name, { state: 'stopped', message: '' });
      if (id !== null) await containers.stop(id);
    },
    sweep: idle.sweep,
    measure: idle.measure,
    forget: idle.forget,
    async close(): Promise<void> {
      sight.close();
      idle.stop();
      await starter.close();
    },
  };
}

/** Calls of functions in containers: to the one that runs, or that is started for it. */
function createContainerCaller(
  { records, containers, invoker }: ContainerKeeperDependencies,
  {
    sight,
    starter,
  }: { sight: ReturnType<typeof createContainerSight>; starter: ReturnType<typeof createContainerStarter> },
) {
  async function callable(name: string): Promise<FunctionRecord> {
    const { state, message } = records.require(name).row;
    if (state === 'building') throw unavailable(`"${name}" is being deployed. Try again when it is ready.`);
    if (state === 'stopped') throw unavailable(`"${name}" is stopped. Start it first.`);
    if (state === 'error') throw unavailable(`"${name}" is not deployed: ${message || 'deploy it again'}`);
    await sight.attached();
    await sight.settled(name);
    const current = records.require(name);
    return current.row.state === 'ready' && !starter.isStarting(name) ? current : starter.start(current);
  }

  /** A call that found nobody at the port: the container ended, or the port is another one now. */
  async function afterRefusal({ row }: FunctionRecord, error: InvocationProblem): Promise<FunctionRecord> {
    const current = await sight.look(row.name);
    if (current.row.state === 'stopped') throw error;
    if (current.row.state !== 'ready') return starter.start(current);
    if (current.row.port !== row.port) return current;
    throw await withLastWords(row.container_id, error);
  }

  async function withLastWords(id: string | null, error: InvocationProblem): Promise<AppError> {
    const text = id === null ? '' : await containers.readLog(id, 5).catch(() => '');
    const words = text.split('\n').filter(Boolean).map(lineMessage).join(' ').slice(0, 600);
    return new InvocationProblem(
      error.kind,
      words === '' ? error.message : `${error.message} Its last words: ${words}`,
    );
  }

  const sendTo = ({ configuration, row }: FunctionRecord, invocation: Invocation): Promise<InvocationAnswer> =>
    invoker.send(
      `http://${reachable(configuration.trigger.address)}:${row.port ?? 0}`,
      invocation,
      containers.agentOf(row.container_id ?? ''),
    );

  return {
    callable,
    async send(record: FunctionRecord, invocation: Invocation): Promise<InvocationAnswer> {
      try {
        return await sendTo(record, invocation);
      } catch (error) {
        if (!(error instanceof InvocationProblem) || error.kind !== 'unreachable') throw error;
        return sendTo(await afterRefusal(record, error), invocation);
      }
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
