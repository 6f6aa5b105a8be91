import type { Request } from '../../preload/contract/schema/resources.ts';
import { ApiError } from './api-error.ts';
import { call } from './client.ts';

class RequestFailed extends Error {
  readonly request: Request;

  constructor(request: Request) {
    super(request.message === '' ? 'The request failed and gave no reason.' : request.message);
    this.name = 'RequestFailed';
    this.request = request;
  }
}

const pause = (durationMs: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new DOMException('The wait was cancelled.', 'AbortError'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, durationMs);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

const transient = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'unreachable' || error.kind === 'server');

interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (request: Request) => void;
  /** Between two questions for the state. */
  readonly longestPauseMs?: number;
}

/**
 * Waits for a background request and returns it when finished. Survives a short outage, because requests survive a
 * restart of the service. Throws RequestFailed if it failed, AbortError if aborted.
 */
export async function waitForRequest(id: string, options: WaitOptions = {}): Promise<Request> {
  const { longestPauseMs = 1_000 } = options;
  let waitMs = 100;
  for (;;) {
    try {
      const request = await call('getRequest', { params: { id }, signal: options.signal });
      options.onProgress?.(request);
      if (request.status === 'finished') return request;
      if (request.status === 'failed') throw new RequestFailed(request);
    } catch (error) {
      if (!transient(error)) throw error;
    }
    await pause(waitMs, options.signal);
    waitMs = Math.min(longestPauseMs, waitMs * 1.5);
  }
}

/** Cancels a request; one that has already ended is no error. */
export async function cancelRequest(id: string): Promise<void> {
  await call('cancelRequest', { params: { id } });
}
