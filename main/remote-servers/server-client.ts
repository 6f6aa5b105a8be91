import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';
import type { Agent, Dispatcher, FormData } from 'undici';
import type { z } from 'zod';
import { messageOfAnswer, parseBody, queryText } from '../../preload/contract/client.ts';
import { replaceFile } from '../platform/durable-files.ts';
import { AppError } from '../platform/errors.ts';
import type { AddressSettings } from '../platform/network/address-policy.ts';
import { connectionProblem } from '../webhooks/delivery/delivery-failure.ts';
import { AddressRefused, createGuardedConnector } from '../platform/network/guarded-connector.ts';
import { pageOf } from './server-answers.ts';

export interface ServerAddress {
  readonly address: string;
  readonly token: string;
  /** Certificate authority in PEM; may be empty. */
  readonly certificate: string;
}

/** The connection broke or the server is overloaded: the same HTTP request may succeed later. */
class ConnectionLost extends AppError {
  constructor(message: string, cause?: unknown) {
    super('unavailable', message, undefined, { cause });
  }
}

type Query = Readonly<Record<string, string | number | undefined>>;
interface Call {
  readonly method?: Dispatcher.HttpMethod;
  readonly path: string;
  readonly query?: Query;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly accept?: string;
}

const connectMs = 10_000;
/** Longest silence of a server: it may compute an answer of many annotations. */
const silenceMs = 120_000;
const accepted = 'application/vnd.cvat+json; version=2.0';
/** Waits before a read is repeated. */
const retryDelaysMs = [100, 300, 1000];
const pageSize = 100;

export type CvatServer = Awaited<ReturnType<typeof openServer>>;

/** Opens a client of a CVAT server. Close it after use. Reads are repeated after a lost connection, changes never. */
export async function openServer(
  { address, token, certificate }: ServerAddress,
  settings: () => AddressSettings,
  signal?: AbortSignal,
) {
  const { Agent: AgentClass, buildConnector, request } = await import('undici');
  const authorities = certificate === '' ? undefined : [...rootCertificates, certificate];
  const agent: Agent = new AgentClass({
    connect: createGuardedConnector({ buildConnector, verifies: true, connectMs, settings, authorities }),
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
    pipelining: 1,
    connections: 8,
  });
  const { host } = new URL(address);

  async function call({ method = 'GET', path, query, json, form, headers, accept = accepted }: Call) {
    try {
      const answer = await request(`${address}${path}${queryText(query)}`, {
        dispatcher: agent,
        method,
        signal,
        headers: {
          accept,
          authorization: `Bearer ${token}`,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        ...(form === undefined ? {} : { body: form }),
      });
      if (answer.statusCode >= 200 && answer.statusCode < 300) return answer;
      throw refusal(host, answer.statusCode, await answer.body.text());
    } catch (error) {
      throw failureOf(error, host, signal);
    }
  }

  async function text(one: Call): Promise<string> {
    const answer = await call(one);
    try {
      return await answer.body.text();
    } catch (error) {
      throw failureOf(error, host, signal);
    }
  }

  async function repeated<Result>(work: () => Promise<Result>): Promise<Result> {
    for (const delayMs of retryDelaysMs) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        await sleep(delayMs, undefined, { signal });
      }
    }
    return work();
  }

  async function read<Schema extends z.ZodType>(schema: Schema, path: string, query: Query = {}) {
    return parsed(schema, host, path, await repeated(() => text({ path, query })));
  }

  return {
    host,
    read,
    /** All pages of a list. */
    async list<Item extends z.ZodType>(item: Item, path: string, query: Query = {}): Promise<z.output<Item>[]> {
      const schema = pageOf(item);
      const results: z.output<Item>[] = [];
      for (let page = 1; ; page += 1) {
        const answer = await read(schema, path, { ...query, page, page_size: pageSize });
        results.push(...answer.results);
        if (answer.results.length === 0 || results.length >= answer.count) return results;
      }
    },
    /** A change. It is sent once; after a lost connection it is unknown whether the server has made it. */
    async send<Schema extends z.ZodType>(schema: Schema, one: Call & { readonly method: Dispatcher.HttpMethod }) {
      return parsed(schema, host, one.path, await text(one));
    },
    /** Saves a file durably, completely or not at all. Returns its size. */
    save: (path: string, query: Query, file: string): Promise<number> =>
      repeated(async () => {
        const answer = await call({ path, query, accept: '*/*' });
        try {
          await replaceFile(file, (temporary) => pipeline(answer.body, createWriteStream(temporary), { signal }));
        } catch (error) {
          throw failureOf(error, host, signal);
        }
        return (await stat(file)).size;
      }),
    close: (): Promise<void> => agent.destroy(),
  };
}

function parsed<Schema extends z.ZodType>(schema: Schema, host: string, path: string, body: string): z.output<Schema> {
  const result = schema.safeParse(parseBody(body));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const reason = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
  throw new AppError(
    'conflict',
    `Cannot read the answer of ${host} to ${path} (${reason}). Check that the address is that of a CVAT server.`,
  );
}

function refusal(host: string, status: number, body: string): AppError {
  const said = messageOfAnswer(status, parseBody(body)).slice(0, 500);
  if (status === 401) {
    const message = `${host} does not accept the access token. Create a new one there, and change the connection.`;
    return new AppError('conflict', message);
  }
  if (status === 404) return new AppError('not-found', `${host}: ${said}`);
  if (status === 429 || status >= 500) return new ConnectionLost(`${host} cannot answer now (${status}): ${said}`);
  if (status === 400) return new AppError('invalid', `${host}: ${said}`);
  return new AppError('conflict', `${host} refused this (${status}): ${said}`);
}

const systemCode = /^(ENOSPC|EDQUOT|EIO|EACCES|EROFS)$/;

function failureOf(error: unknown, host: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true || error instanceof AppError) return error;
  if (error instanceof AddressRefused) return new AppError('conflict', error.message, undefined, { cause: error });
  const code = (error as { code?: unknown } | null)?.code;
  // A failure of the local disk, not of the connection.
  if (typeof code === 'string' && systemCode.test(code)) return error;
  const problem = connectionProblem(error, connectMs);
  const isCertificate = typeof code === 'string' && /CERT|SIGNATURE|ERR_TLS|EPROTO/.test(code);
  const message = isCertificate
    ? `Cannot connect to ${host}: ${problem}. Give the certificate of its authority with the connection.`
    : `No connection to ${host}: ${problem}. Check the address and the network, then try again.`;
  return isCertificate
    ? new AppError('conflict', message, undefined, { cause: error })
    : new ConnectionLost(message, error);
}
