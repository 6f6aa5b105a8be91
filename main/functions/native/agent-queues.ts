import { randomUUID } from 'node:crypto';
import type { AgentResult, RequestCategory } from '../../../preload/contract/schema/native-functions.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { InvocationProblem } from '../engines/invoke.ts';

/** Equals the timeout of a container call, because an agent sends nothing while it works on a frame. */
export const leaseMs = 120_000;
/** A request is dropped after this many leases, because it may crash the agents. */
const mostLeases = 3;

/** Question for an agent: its type, frame, task and further fields of the type. */
export type AgentParameters = Readonly<Record<string, unknown>> & {
  readonly type: 'annotate_frame' | 'interact' | 'init_tracking' | 'track';
};

export interface AgentQuestion {
  readonly category: RequestCategory;
  readonly parameters: AgentParameters;
  /** The agent that must answer because it holds the tracker's state; null for any agent. */
  readonly agentId: string | null;
}

/** A result, or the agent's error message. */
export type AgentAnswer = { readonly result: AgentResult } | { readonly failure: string };

interface Waiting extends AgentQuestion {
  readonly id: string;
  readonly functionId: number;
  readonly onTaken: () => void;
  readonly settle: (answer: AgentAnswer) => void;
  readonly reject: (error: Error) => void;
  holder: string | null;
  /** Null while no agent has a lease. */
  endLease: (() => void) | null;
  leases: number;
}

interface Listener {
  readonly tell: (category: RequestCategory) => void;
  readonly end: () => void;
}

export type After = (delayMs: number, work: () => void) => () => void;

const byTimer: After = (delayMs, work) => {
  const timer = setTimeout(work, delayMs).unref();
  return () => clearTimeout(timer);
};

export type AgentQueues = ReturnType<typeof createAgentQueues>;

/**
 * Queues of native functions, oldest request first. An agent leases a request; an expired lease returns it to its
 * position. The last agent may still answer until another one takes it, so that slow answers are not lost and none
 * counts twice. The queues are in memory: after a restart, callers ask again for all frames without saved results.
 */
export function createAgentQueues({ after = byTimer }: { readonly after?: After } = {}) {
  const requests = new Map<string, Waiting>();
  const listeners = new Map<number, Set<Listener>>();

  const of = (functionId: number): Waiting[] => [...requests.values()].filter((one) => one.functionId === functionId);
  const listening = (functionId: number): ReadonlySet<Listener> => listeners.get(functionId) ?? new Set();
  const tell = ({ functionId, category }: Waiting): void => {
    for (const listener of listening(functionId)) listener.tell(category);
  };

  function drop(request: Waiting): void {
    request.endLease?.();
    request.endLease = null;
    requests.delete(request.id);
  }

  function putBack(request: Waiting): void {
    request.endLease?.();
    request.endLease = null;
    if (request.leases < mostLeases) return tell(request);
    drop(request);
    const message = `${mostLeases} agents took this request one after the other, but none answered it.`;
    request.reject(new InvocationProblem('interrupted', message));
  }

  function lease(request: Waiting): void {
    request.endLease?.();
    request.endLease = after(leaseMs, () => putBack(request));
  }

  /** @throws AppError 404 for an ended request, 409 for one that another agent holds */
  function held(functionId: number, requestId: string, agentId: string): Waiting {
    const request = requests.get(requestId);
    if (request?.functionId !== functionId)
      throw notFound('This request has ended: another agent answered it, or it was cancelled.');
    if (request.holder === agentId) return request;
    throw new AppError('conflict', 'Another agent has this request, because this one took too long.');
  }

  return {
    /** @throws InvocationProblem if the request is dropped; AppError if the function is deleted */
    ask(
      functionId: number,
      question: AgentQuestion,
      { signal, onTaken }: { readonly signal?: AbortSignal; readonly onTaken: () => void },
    ): Promise<AgentAnswer & { readonly agentId: string }> {
      const { promise, resolve, reject } = Promise.withResolvers<AgentAnswer & { readonly agentId: string }>();
      const cancel = (): void => {
        drop(request);
        reject(new InvocationProblem('cancelled', 'The call was cancelled.'));
      };
      const request: Waiting = {
        ...question,
        id: randomUUID(),
        functionId,
        onTaken,
        settle: (answer) => resolve({ ...answer, agentId: request.holder ?? '' }),
        reject,
        holder: null,
        endLease: null,
        leases: 0,
      };
      if (signal?.aborted === true) cancel();
      else {
        requests.set(request.id, request);
        tell(request);
        signal?.addEventListener('abort', cancel);
      }
      return promise.finally(() => signal?.removeEventListener('abort', cancel));
    },
    acquire(functionId: number, agentId: string, category: RequestCategory) {
      const request = of(functionId).find(
        (one) =>
          one.endLease === null && one.category === category && (one.agentId === null || one.agentId === agentId),
      );
      if (!request) return null;
      request.holder = agentId;
      request.leases += 1;
      lease(request);
      request.onTaken();
      return { id: request.id, parameters: request.parameters };
    },
    /** Extends the lease, also after it has expired. */
    update(functionId: number, requestId: string, agentId: string): void {
      lease(held(functionId, requestId, agentId));
    },
    /** Type of the request, needed to validate the answer. */
    typeOf: (functionId: number, requestId: string, agentId: string) =>
      held(functionId, requestId, agentId).parameters.type,
    answer(functionId: number, requestId: string, agentId: string, answer: AgentAnswer): void {
      const request = held(functionId, requestId, agentId);
      drop(request);
      request.settle(answer);
    },
    /**
     * Reports new requests until it is stopped.
     * @returns `leave`, for an agent that disconnects; the last one to leave ends all leases
     */
    listen(functionId: number, listener: Listener): { readonly leave: () => void } {
      const all = listeners.get(functionId) ?? new Set<Listener>();
      listeners.set(functionId, all.add(listener));
      return {
        leave(): void {
          if (!all.delete(listener) || all.size > 0) return;
          for (const request of of(functionId)) if (request.endLease !== null) putBack(request);
        },
      };
    },
    /** True if an agent listens or works on a request. */
    isThere: (functionId: number): boolean =>
      listening(functionId).size > 0 || of(functionId).some(({ endLease }) => endLease !== null),
    counts(functionId: number): { readonly waiting: number; readonly taken: number } {
      const all = of(functionId);
      const taken = all.filter(({ endLease }) => endLease !== null).length;
      return { waiting: all.length - taken, taken };
    },
    remove(functionId: number): void {
      for (const request of of(functionId)) {
        drop(request);
        request.reject(notFound('The function was deleted.'));
      }
      for (const { end } of listening(functionId)) end();
      listeners.delete(functionId);
    },
  };
}
