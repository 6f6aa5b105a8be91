import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from '../../preload/contract/schema/resources.ts';
import type { ProgressBar } from '../platform/progress-bar.ts';
import type { ApiClient } from './api-client.ts';
import { CommandError, exitCodes } from './exit-codes.ts';

const firstPollMs = 50;
const slowestPollMs = 500;

/**
 * Waits for a background request and shows its progress. An interruption cancels the request where the service can.
 * @throws CommandError `refused` with the request's message when it failed
 */
export async function waitForRequest(
  client: ApiClient,
  requestId: string,
  progress: ProgressBar,
  signal: AbortSignal,
): Promise<Request> {
  for (let delayMs = firstPollMs; ; delayMs = Math.min(delayMs * 1.5, slowestPollMs)) {
    if (signal.aborted) await cancel(client, requestId);
    const request = await client.call('getRequest', { params: { id: requestId } });
    if (request.status === 'finished') {
      progress.update(1, 'done');
      progress.finish();
      return request;
    }
    if (request.status === 'failed') {
      progress.finish();
      throw new CommandError(exitCodes.refused, request.message || 'The request failed without a message.');
    }
    progress.update(request.progress, request.message);
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
  }
}

async function cancel(client: ApiClient, requestId: string): Promise<never> {
  const cancelled = await client.call('cancelRequest', { params: { id: requestId } }).then(
    () => true,
    () => false,
  );
  throw new CommandError(
    exitCodes.interrupted,
    cancelled
      ? 'Interrupted: the request was cancelled.'
      : 'Interrupted. The request could not be cancelled any more; the list of requests shows how it ends.',
  );
}
