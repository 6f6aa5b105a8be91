import { AppError } from '../../platform/errors.ts';
import { lineMessage } from '../engines/docker/container-log.ts';
import type { ContainerFacts, DockerFunctions } from '../engines/docker/docker-functions.ts';
import { reachable } from '../engines/docker/readiness.ts';
import { InvocationProblem, type Invoker } from '../engines/invoke.ts';
import type { Invocation, InvocationAnswer } from '../engines/provider.ts';
import { idleSeconds, workersOf, type FunctionRecord } from '../records/function-record.ts';
import { startFunction, type StartFunctionDependencies } from './start-function.ts';
import { createRuntimeGate, createRuntimeMachine, type RuntimeMachine } from './runtime-machine.ts';
import { createRuntimeSnapshot } from './runtime-snapshot.ts';
import { onCall } from './runtime-states.ts';

export interface RuntimeDependencies extends StartFunctionDependencies {
  readonly invoker: Invoker;
  readonly nowMs: () => number;
}

export type FunctionRuntime = ReturnType<typeof createFunctionRuntime>;

/**
 * Runtime of one function's container: started when it is called, stopped when it is idle. See the state table in
 * `keeper-states.ts`.
 */
export function createFunctionRuntime(name: string, dependencies: RuntimeDependencies) {
  const { records, containers, scheduler, nowMs } = dependencies;
  const machine = createRuntimeMachine(name, dependencies);
  const sight = createRuntimeSnapshot(name, machine, dependencies);
  const gate = createRuntimeGate(() => scheduler.news());
  let lastUseMs = nowMs();
  let readySinceMs = nowMs();
  /** Version that answers until its successor is ready. */
  let before: FunctionRecord | null = null;
  const tellRest = (): void => tellIdleTime(records.get(name), containers);
  const begun = () => {
    lastUseMs = nowMs();
    readySinceMs = lastUseMs;
    tellRest();
  };

  function start(): Promise<FunctionRecord> {
    const isFirst = machine.state() !== 'starting';
    const done = machine.start((signal) => startFunction(dependencies, records.require(name), signal));
    if (!isFirst) return done;
    return done.finally(begun).finally(async () => {
      // Measured before the release, so that the memory use is known before another function gets the GPU.
      await measure();
      scheduler.release(name);
    });
  }

  function requireCallable(): void {
    if (before === null) refuseCall(machine.state(), records.require(name));
  }

  /** Waits for admission and counts the call; the function cannot stop idle from then on. */
  async function enter(): Promise<void> {
    requireCallable();
    do {
      await gate.opened();
      if (before === null) await machine.settled();
    } while (gate.isShut());
    requireCallable();
    gate.enter();
  }

  /** The running version, started if necessary. */
  async function callable(): Promise<FunctionRecord> {
    if (before !== null) return before;
    return onCall[machine.state()] === 'send' ? records.require(name) : start();
  }

  async function send(record: FunctionRecord, invocation: Invocation): Promise<InvocationAnswer> {
    try {
      return await sendTo(dependencies, record, invocation);
    } catch (error) {
      if (!(error instanceof InvocationProblem) || error.kind !== 'unreachable') throw error;
      return sendTo(dependencies, await afterRefusal(record, error), invocation);
    }
  }

  /** Handles a refused connection: the container exited or its port changed. */
  async function afterRefusal({ row }: FunctionRecord, error: InvocationProblem): Promise<FunctionRecord> {
    await sight.look();
    const state = machine.state();
    if (state === 'stopped') throw error;
    if (before === null && onCall[state] !== 'send') return start();
    const current = records.require(name);
    if (current.row.port !== row.port) return current;
    throw await withLastWords(containers, row.container_id, error);
  }

  const mayRest = (): boolean => holdsForAWhile(records.get(name));
  const measure = () => measureMemory(name, dependencies);

  /** Returns false if the function is being called or not running when the stop is due. */
  const rest = (): Promise<boolean> =>
    machine.serialized(async () => {
      if (gate.calls() > 0 || machine.state() !== 'ready') return false;
      return endNow('rest', records.require(name), machine, dependencies);
    });

  return {
    name,
    state: machine.state,
    isOurs: machine.isOurs,
    settled: machine.settled,
    tellRest,
    found: (all: readonly ContainerFacts[]): Promise<void> => sight.found(all).then(tellRest),
    changed: sight.changed,
    start,
    rest,
    measure,
    requireCallable,
    async call(invocation: Invocation): Promise<InvocationAnswer> {
      await enter();
      try {
        return await send(await callable(), invocation);
      } finally {
        lastUseMs = nowMs();
        gate.leave();
      }
    },
    /** Stops the function for the user and aborts a pending start. */
    stop(): Promise<void> {
      machine.giveUpStart(stoppedProblem(name));
      return machine.serialized(async () => void (await endNow('stop', records.require(name), machine, dependencies)));
    },
    /** @param previous running version that answers calls until `handOver` */
    deploy<Result>(work: () => Promise<Result>, previous: FunctionRecord | null = null): Promise<Result> {
      machine.giveUpStart(deployingProblem(name));
      before = previous;
      return machine.deploy(work).finally(() => {
        before = null;
        begun();
        gate.open();
      });
    },
    /** Finishes the running calls of the previous version; new calls wait for the new version. */
    async handOver(): Promise<void> {
      if (before === null) return;
      gate.shut();
      before = null;
      await gate.quiet();
    },
    /** Removes the containers before the record is deleted. */
    remove(): Promise<void> {
      machine.giveUpStart(unavailable(`"${name}" is being deleted.`));
      return machine.serialized(() => containers.remove(name));
    },
    yieldGpus: gate.shut,
    resume: gate.open,
    mayRest,
    readySinceMs: () => (machine.state() === 'ready' ? readySinceMs : null),
    /** Null while the function is called, holds no GPU, or must not stop. */
    idleSinceMs: () => (machine.state() === 'ready' && gate.calls() === 0 && mayRest() ? lastUseMs : null),
    /** Stops the function after its idle time. */
    async lookAfter(): Promise<void> {
      if (!records.get(name) || machine.state() !== 'ready') return;
      const seconds = idleSeconds(records.require(name));
      if (seconds !== null && gate.calls() === 0 && nowMs() - lastUseMs > seconds * 1000) await rest();
      else await measure();
    },
  };
}

/** Passes the idle time to the container, which then exits in time even if Limner does not run. */
function tellIdleTime(record: FunctionRecord | undefined, { restAfter }: Pick<DockerFunctions, 'restAfter'>): void {
  if (record && record.row.container_id !== null) restAfter(record.row.container_id, idleSeconds(record));
}

/** Counts the GPUs as used until the container has ended. Returns false without a container. */
async function endNow(
  event: 'rest' | 'stop',
  record: FunctionRecord,
  machine: RuntimeMachine,
  { containers, log, scheduler }: RuntimeDependencies,
): Promise<boolean> {
  const { name, container_id: id } = record.row;
  if (id !== null) scheduler.keep(record);
  machine.move(event, { message: '' });
  if (id === null) return false;
  if (event === 'rest') log.info('An idle function is stopped', { function: name });
  await containers.stop(id).finally(() => scheduler.release(name));
  return true;
}

/** True if the function has GPUs that it releases when it stops idle. */
const holdsForAWhile = (record: FunctionRecord | undefined): boolean =>
  record !== undefined && record.cards.length > 0 && idleSeconds(record) !== null;

/** Updates the maximum memory measured on each of the function's GPUs. */
async function measureMemory(name: string, { records, containers, scheduler }: RuntimeDependencies): Promise<void> {
  const record = records.get(name);
  if (!record || record.cards.length === 0 || record.row.container_id === null) return;
  const processes = await containers.processes(record.row.container_id).catch((): number[] => []);
  const now = await scheduler.measure(name, record.cards, processes, workersOf(record));
  const grown = Object.entries(now).filter(([uuid, memory]) => memory > (record.measured[uuid] ?? 0));
  if (grown.length === 0) return;
  const measured = { ...record.measured, ...Object.fromEntries(grown) };
  records.note(name, {
    measured_cards: JSON.stringify(measured),
    measured_gpu_memory_mib: Math.max(...Object.values(measured)),
  });
}

function refuseCall(state: ReturnType<RuntimeMachine['state']>, { row: { name, message } }: FunctionRecord): void {
  if (onCall[state] !== 'refuse') return;
  if (state === 'stopped') throw stoppedProblem(name);
  if (state === 'undeployed') throw unavailable(`"${name}" is not deployed: ${message || 'deploy it again'}`);
  throw deployingProblem(name);
}

const sendTo = (
  { containers, invoker }: RuntimeDependencies,
  { configuration, row }: FunctionRecord,
  invocation: Invocation,
): Promise<InvocationAnswer> => {
  invocation.onSend?.();
  return invoker.send(
    `http://${reachable(configuration.trigger.address)}:${row.port ?? 0}`,
    invocation,
    containers.agentOf(row.container_id ?? ''),
  );
};

async function withLastWords(
  containers: DockerFunctions,
  id: string | null,
  error: InvocationProblem,
): Promise<InvocationProblem> {
  const text = id === null ? '' : await containers.readLog(id, 5).catch(() => '');
  const words = text.split('\n').filter(Boolean).map(lineMessage).join(' ').slice(0, 600);
  return new InvocationProblem(error.kind, words === '' ? error.message : `${error.message} Last output: ${words}`);
}

const unavailable = (message: string) => new AppError('unavailable', message, message);
const stoppedProblem = (name: string) => unavailable(`"${name}" is stopped. Start it first.`);
const deployingProblem = (name: string) => unavailable(`"${name}" is being deployed. Try again when it is ready.`);
