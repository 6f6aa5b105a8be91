import { AppError } from '../../platform/errors.ts';
import { lineMessage } from '../engines/docker/container-log.ts';
import type { DockerFunctions } from '../engines/docker/docker-functions.ts';
import { reachable } from '../engines/docker/readiness.ts';
import { InvocationProblem, type Invoker } from '../engines/invoke.ts';
import type { Invocation, InvocationAnswer } from '../engines/provider.ts';
import { idleSeconds, workersOf, type FunctionRecord } from '../records/function-record.ts';
import { bringUp, type BringUpDependencies } from './bring-up.ts';
import { createKeeperMachine, type KeeperMachine } from './keeper-machine.ts';
import { createKeeperSight } from './keeper-sight.ts';
import { onCall } from './keeper-states.ts';

export interface KeeperDependencies extends BringUpDependencies {
  readonly invoker: Invoker;
  readonly nowMs: () => number;
}

export type FunctionKeeper = ReturnType<typeof createFunctionKeeper>;

/** The container of one function: started when it is called, stopped when it rests. `keeper-states.ts` tells the rest. */
export function createFunctionKeeper(name: string, dependencies: KeeperDependencies) {
  const { records, containers, scheduler, log, nowMs } = dependencies;
  const machine = createKeeperMachine(name, dependencies);
  const sight = createKeeperSight(name, machine, dependencies);
  let calls = 0;
  let lastUseMs = nowMs();

  const start = (): Promise<FunctionRecord> =>
    machine.start(async (signal) => {
      try {
        return await bringUp(dependencies, records.require(name), signal);
      } finally {
        scheduler.release(name);
        lastUseMs = nowMs();
      }
    });

  const requireCallable = () => refuseCall(machine.state(), records.require(name));

  /** To the one that runs, or that is started for it. */
  async function callable(): Promise<FunctionRecord> {
    requireCallable();
    await machine.settled();
    requireCallable();
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

  /** A call that found nobody at the port: the container ended, or the port is another one now. */
  async function afterRefusal({ row }: FunctionRecord, error: InvocationProblem): Promise<FunctionRecord> {
    await sight.look();
    const state = machine.state();
    if (state === 'stopped') throw error;
    if (onCall[state] !== 'send') return start();
    const current = records.require(name);
    if (current.row.port !== row.port) return current;
    throw await withLastWords(containers, row.container_id, error);
  }

  /** The most that the function's processes were seen to hold of its cards. */
  async function measure(): Promise<void> {
    const record = records.get(name);
    if (!record || record.cards.length === 0 || record.row.container_id === null) return;
    const processes = await containers.processes(record.row.container_id).catch((): number[] => []);
    const measured = await scheduler.measurePerWorker(processes, workersOf(record));
    if (measured !== null && measured > (record.row.measured_gpu_memory_mib ?? 0)) {
      records.note(name, { measured_gpu_memory_mib: measured });
    }
  }

  /** False where it is called, or does not run, when its turn comes. */
  const rest = (): Promise<boolean> =>
    machine.inTurn(async () => {
      const id = records.get(name)?.row.container_id ?? null;
      if (id === null || calls > 0 || machine.state() !== 'ready') return false;
      log.info('A function that was not called is stopped', { function: name });
      machine.move('rest', { message: '' });
      await containers.stop(id);
      return true;
    });

  return {
    name,
    state: machine.state,
    isOurs: machine.isOurs,
    settled: machine.settled,
    found: sight.found,
    changed: sight.changed,
    start,
    rest,
    measure,
    requireCallable,
    async call(invocation: Invocation): Promise<InvocationAnswer> {
      calls += 1;
      try {
        return await send(await callable(), invocation);
      } finally {
        calls -= 1;
        lastUseMs = nowMs();
      }
    },
    /** By a person; a start that is under way ends. */
    stop(): Promise<void> {
      machine.giveUpStart(stoppedProblem(name));
      return machine.inTurn(async () => {
        const { container_id: id } = records.require(name).row;
        machine.move('stop', { message: '' });
        if (id !== null) await containers.stop(id);
      });
    },
    deploy<Result>(work: () => Promise<Result>): Promise<Result> {
      machine.giveUpStart(deployingProblem(name));
      return machine.deploy(work).finally(() => (lastUseMs = nowMs()));
    },
    /** Takes its containers away, before its record goes. */
    remove(): Promise<void> {
      machine.giveUpStart(unavailable(`"${name}" is being deleted.`));
      return machine.inTurn(() => containers.remove(name));
    },
    /** Null while it is called, holds no card, or may not rest. */
    idleSinceMs(): number | null {
      const record = records.get(name);
      if (!record || machine.state() !== 'ready' || calls > 0) return null;
      return record.cards.length > 0 && idleSeconds(record) !== null ? lastUseMs : null;
    },
    /** Stops it where it has rested long enough. */
    async lookAfter(): Promise<void> {
      const record = records.get(name);
      if (!record || machine.state() !== 'ready') return;
      const seconds = idleSeconds(record);
      if (seconds !== null && calls === 0 && nowMs() - lastUseMs > seconds * 1000) await rest();
      else await measure();
    },
  };
}

function refuseCall(state: ReturnType<KeeperMachine['state']>, { row: { name, message } }: FunctionRecord): void {
  if (onCall[state] !== 'refuse') return;
  if (state === 'stopped') throw stoppedProblem(name);
  if (state === 'undeployed') throw unavailable(`"${name}" is not deployed: ${message || 'deploy it again'}`);
  throw deployingProblem(name);
}

const sendTo = (
  { containers, invoker }: KeeperDependencies,
  { configuration, row }: FunctionRecord,
  invocation: Invocation,
): Promise<InvocationAnswer> =>
  invoker.send(
    `http://${reachable(configuration.trigger.address)}:${row.port ?? 0}`,
    invocation,
    containers.agentOf(row.container_id ?? ''),
  );

async function withLastWords(
  containers: DockerFunctions,
  id: string | null,
  error: InvocationProblem,
): Promise<InvocationProblem> {
  const text = id === null ? '' : await containers.readLog(id, 5).catch(() => '');
  const words = text.split('\n').filter(Boolean).map(lineMessage).join(' ').slice(0, 600);
  return new InvocationProblem(error.kind, words === '' ? error.message : `${error.message} Its last words: ${words}`);
}

const unavailable = (message: string) => new AppError('unavailable', message, message);
const stoppedProblem = (name: string) => unavailable(`"${name}" is stopped. Start it first.`);
const deployingProblem = (name: string) => unavailable(`"${name}" is being deployed. Try again when it is ready.`);
