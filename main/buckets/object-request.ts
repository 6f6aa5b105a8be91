import type { Readable } from 'node:stream';
import type { Dispatcher, request as sendRequest } from 'undici';
import type { AddressSettings } from '../platform/network/address-policy.ts';
import { AddressRefused, createGuardedConnector } from '../platform/network/guarded-connector.ts';
import { BucketError } from './bucket-error.ts';

export interface ObjectRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Stream of exactly `Content-Length` bytes. */
  readonly body?: Readable;
  readonly signal?: AbortSignal | undefined;
}

export type ObjectAnswer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;
/** @throws BucketError `unreachable` without an answer */
export type SendRequest = (request: ObjectRequest) => Promise<ObjectAnswer>;

const timeouts = { connectMs: 10_000, readMs: 60_000 };
const connectionsPerBucket = 32;
/** Answers that servers send under load; their clients are expected to try again. */
const busy: ReadonlySet<number> = new Set([429, 500, 502, 503]);
const attempts = 3;
const firstPauseMs = 200;

/** Connections to buckets. Each address is checked when it is resolved and again when it is connected. */
export function createBucketNetwork(settings: () => Omit<AddressSettings, 'target'>) {
  let opened: Promise<{ agent: Dispatcher; request: typeof sendRequest }> | undefined;
  /** Loaded with the first request, because the library takes 60 ms and many users have no bucket. */
  const open = () =>
    (opened ??= import('undici').then(({ Agent, buildConnector, request }) => ({
      request,
      agent: new Agent({
        connect: createGuardedConnector({
          buildConnector,
          verifies: true,
          connectMs: timeouts.connectMs,
          settings: () => ({ ...settings(), target: 'bucket' }),
        }),
        connections: connectionsPerBucket,
        headersTimeout: timeouts.readMs,
        bodyTimeout: timeouts.readMs,
      }),
    })));

  const send: SendRequest = async ({ method, url, headers, body, signal }) => {
    const { agent, request } = await open();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await request(url, { dispatcher: agent, method, headers, body, signal: signal ?? null });
        if (!busy.has(answer.statusCode) || attempt === attempts || body !== undefined) return answer;
        await answer.body.dump();
      } catch (error) {
        if (signal?.aborted) throw error;
        throw unreachable(url, error);
      }
      await new Promise((resolve) => setTimeout(resolve, firstPauseMs * 2 ** attempt));
    }
  };

  return {
    send,
    async close(): Promise<void> {
      await (await opened)?.agent.destroy();
    },
  };
}

function unreachable(url: URL, error: unknown): BucketError {
  const reason = firstReason(error);
  if (reason instanceof AddressRefused)
    return new BucketError('unreachable', `Cannot connect to ${url.host}: ${reason.message}`, { cause: error });
  const code = String((reason as { code?: unknown } | null)?.code ?? '');
  const why =
    { ENOTFOUND: 'its name is unknown', ECONNREFUSED: 'it refuses connections' }[code] ?? (code || 'no answer');
  return new BucketError(
    'unreachable',
    `Cannot connect to ${url.host}: ${why}. Check the connection and the address.`,
    {
      cause: error,
    },
  );
}

function firstReason(error: unknown): unknown {
  if (error instanceof AggregateError) return firstReason(error.errors[0]);
  if (error instanceof AddressRefused || !(error instanceof Error) || error.cause === undefined) return error;
  return firstReason(error.cause);
}
