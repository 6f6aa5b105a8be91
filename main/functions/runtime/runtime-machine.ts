import type { Logger } from '../../platform/log.ts';
import type { FunctionRecord } from '../records/function-record.ts';
import type { FunctionRecords } from '../records/function-records.ts';
import type { FunctionChange } from '../records/function-repository.ts';
import { recorded, stateOf, transitions, type RuntimeEvent, type RuntimeState } from './runtime-states.ts';
import { defined } from '../../platform/defined.ts';

export type RuntimeMachine = ReturnType<typeof createRuntimeMachine>;

/**
 * State of one function and its only writer. Operations on the container are serialized, so that a start waits for a
 * stop, and a call for the handling of a Docker event.
 */
export function createRuntimeMachine(
  name: string,
  { records, log }: { readonly records: FunctionRecords; readonly log: Logger },
) {
  let turn: Promise<unknown> = Promise.resolve();
  let isDeploying = false;
  let starting: { readonly done: Promise<FunctionRecord>; readonly controller: AbortController } | null = null;

  function serialized<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  function state(): RuntimeState {
    if (isDeploying) return 'deploying';
    return starting === null ? stateOf[records.require(name).row.state] : 'starting';
  }

  function move(event: RuntimeEvent, change: FunctionChange = {}): void {
    const from = state();
    const to = transitions[from][event];
    if (to === undefined) return;
    if (to !== from) log.debug(`${from} → ${to}`, { function: name, event });
    const word = recorded[to];
    const { row } = records.require(name);
    const next = { ...change, ...defined({ state: word ?? undefined }) };
    const isChanged = Object.entries(next).some(([column, value]) => Reflect.get(row, column) !== value);
    if (isChanged) records.note(name, next);
  }

  async function startNow(work: (signal: AbortSignal) => Promise<FunctionChange>, signal: AbortSignal) {
    try {
      move('started', { ...(await work(signal)), message: '' });
      return records.require(name);
    } catch (error) {
      move('unstartable', { message: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      starting = null;
    }
  }

  return {
    state,
    move,
    serialized,
    /** Resolves when no operation on the container is running. */
    settled: async (): Promise<void> => void (await turn),
    /** True while the function is started or deployed; that operation handles all container events. */
    isOurs: () => isDeploying || starting !== null,
    start(work: (signal: AbortSignal) => Promise<FunctionChange>): Promise<FunctionRecord> {
      if (starting !== null) return starting.done;
      move('start');
      const controller = new AbortController();
      starting = { done: serialized(() => startNow(work, controller.signal)), controller };
      return starting.done;
    },
    giveUpStart: (reason: Error): void => starting?.controller.abort(reason),
    /** Reserves the container for a deployment, which writes the complete record at its end. */
    deploy<Result>(work: () => Promise<Result>): Promise<Result> {
      isDeploying = true;
      return serialized(work).finally(() => (isDeploying = false));
    },
  };
}

/** Counts running calls of a function and blocks new ones. */
export function createRuntimeGate(onQuiet: () => void) {
  let calls = 0;
  let shut: PromiseWithResolvers<undefined> | null = null;
  let quiet: (() => void) | null = null;

  return {
    calls: () => calls,
    isShut: () => shut !== null,
    /** Makes new calls wait until the gate opens. */
    shut(): void {
      shut ??= Promise.withResolvers<undefined>();
    },
    open(): void {
      shut?.resolve(undefined);
      shut = null;
    },
    opened: async (): Promise<void> => void (await shut?.promise),
    enter(): void {
      calls += 1;
    },
    leave(): void {
      calls -= 1;
      if (calls > 0) return;
      quiet?.();
      onQuiet();
    },
    async quiet(): Promise<void> {
      if (calls === 0) return;
      const { promise, resolve } = Promise.withResolvers<undefined>();
      quiet = () => resolve(undefined);
      await promise;
      quiet = null;
    },
  };
}
