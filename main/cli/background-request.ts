import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from '../../preload/contract/schema/resources.ts';
import { createProgressBar, type ProgressBar } from '../platform/progress-bar.ts';
import type { ApiClient } from './api-client.ts';
import { interrupted, refused, failed } from './exit-codes.ts';
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { replaceFile } from '../platform/durable-files.ts';
import { isStorageFull } from '../platform/errors.ts';
import type { CliContext } from './context.ts';
import { outputFile } from './output-file.ts';

const firstPollMs = 50;
const slowestPollMs = 500;

/**
 * Waits for a background request and shows its progress. An interruption cancels the request if the service allows it.
 * @throws CommandError `refused` with the request's message if it failed
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
      throw refused(request.message || 'The request failed without a message.');
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
  throw interrupted(
    cancelled
      ? 'Interrupted: the request was cancelled.'
      : 'Interrupted. The request could not be cancelled any more. The list of requests shows its result.',
  );
}

/** Downloads to a temporary file beside the destination, then renames it. Returns the destination. */
export async function download(
  client: ApiClient,
  resultUrl: string,
  output: string | undefined,
  { errorOutput, stopSignal }: CliContext,
): Promise<string> {
  const address = new URL(resultUrl, client.baseUrl);
  const response = await client.send(`${address.pathname}${address.search}`, { signal: stopSignal });
  const file = destination(output, response);
  const progress = createProgressBar('Saving', errorOutput);
  const body = response.body;
  try {
    await replaceFile(file, async (temporary) => {
      await pipeline(
        // The DOM's and Node's types of the same stream differ.
        body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream<Uint8Array>),
        countBytes(Number(response.headers.get('content-length') ?? 0), progress),
        createWriteStream(temporary, { flags: 'wx' }),
        { signal: stopSignal },
      );
    });
  } catch (error) {
    progress.finish();
    if (stopSignal.aborted) throw interrupted(`Interrupted. ${file} was not written.`);
    throw failed(writeProblem(file, error), { cause: error });
  }
  progress.finish();
  return file;
}

function countBytes(totalBytes: number, progress: ProgressBar): Transform {
  let seenBytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      seenBytes += chunk.length;
      progress.update(totalBytes > 0 ? seenBytes / totalBytes : null);
      callback(null, chunk);
    },
  });
}

function destination(output: string | undefined, response: Response): string {
  const named = /filename="?([A-Za-z0-9_\-. ]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return outputFile(output, named ?? 'export.zip');
}

export function writeProblem(file: string, error: unknown): string {
  if (isStorageFull(error)) return `Cannot write ${file}: the disk is full. Free some space and export again.`;
  const reason = error instanceof Error ? error.message : String(error);
  return `Cannot write ${file}: ${reason}. An earlier file of that name is unchanged.`;
}
