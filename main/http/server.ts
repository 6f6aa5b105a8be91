import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import { AppError, errorStatus } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import { allowedHosts, refusalOf } from './guard.ts';
import { securityHeaders, textAnswer } from './responses.ts';
import { isClientGone } from './errors.ts';
import { readRestAfterAnswer } from './rest-of-body.ts';
import { limitUnprovenBody, unprovenBodyMs, type Connection } from './unauthenticated-body.ts';

/** IPv4 loopback only, so that no other machine can reach the service. */
const loopback = '127.0.0.1';
const maxHeaderBytes = 32 * 1024;
const headersTimeoutMs = 15_000;
/** Limit for an authenticated request: an upload over a slow connection takes hours. */
const requestTimeoutMs = 12 * 60 * 60 * 1000;
const keepAliveTimeoutMs = 30_000;
const fallbackPorts = 20;

export interface PortOption {
  readonly number: number;
  readonly required: boolean;
}

type Fetch = (request: Request, connection: Connection) => Response | Promise<Response>;

export interface ServerOptions {
  readonly fetch: Fetch;
  readonly port: number;
  /** True if another free port may be used when this one is in use. */
  readonly anyPort: boolean;
  readonly portOption?: string;
  readonly unprovenBodyMs?: number;
  readonly log: Logger;
}

export interface HttpServer {
  readonly port: number;
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string;
  /** Resolves when the first request is answered. */
  readonly answered: Promise<void>;
  /** Rejects new requests, waits at most `graceMs` for running ones, then closes all connections. */
  close(graceMs?: number): Promise<void>;
}

/** A server whose requests wait until the service is ready. */
export interface HeldServer extends HttpServer {
  answer(fetch: Fetch): void;
  /** Answers all requests with 503, and the one for `address` with the reason: it may name folders of the user. */
  refuse(address: string, reason: unknown): void;
}

/** A browser holds six connections to a server. Programs that request again and again must not fill the memory. */
const maxWaiting = 256;

/** Listens before the service is loaded, so that the browser starts in the meantime. Throws like {@link startServer}. */
export async function holdRequests(options: Omit<ServerOptions, 'fetch'>): Promise<HeldServer> {
  const service = Promise.withResolvers<Fetch>();
  let waiting = 0;
  let fetch: Fetch = async (request, connection) => {
    if (waiting >= maxWaiting) return unavailable('Limner is starting. Try again in a few seconds.');
    waiting += 1;
    return (await service.promise)(request, connection);
  };
  const answer = (ready: Fetch): void => {
    fetch = ready;
    service.resolve(ready);
  };
  const refuse: HeldServer['refuse'] = (address, reason) => {
    const text = reason instanceof Error ? reason.message : String(reason);
    answer(({ url }) => unavailable(`Cannot start Limner. ${url === address ? text : 'See its log for the reason.'}`));
  };
  return { ...(await startServer({ ...options, fetch: (...request) => fetch(...request) })), answer, refuse };
}

function unavailable(text: string): Response {
  const response = textAnswer(text, 503);
  for (const [name, value] of securityHeaders) response.headers.set(name, value);
  return response;
}

/**
 * Listens on the IPv4 loopback address.
 * @throws AppError `conflict` if the port is in use, `forbidden` if the system does not allow it
 */
export async function startServer(options: ServerOptions): Promise<HttpServer> {
  const port = { hosts: new Set<string>() as ReadonlySet<string> };
  const requests = new Set<ServerResponse>();
  const answered = Promise.withResolvers<void>();
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: 5000,
    },
    createListener(options, () => port.hosts),
  );
  server.prependListener('request', (_: IncomingMessage, outgoing: ServerResponse) => {
    requests.add(outgoing);
    outgoing.once('finish', answered.resolve);
    outgoing.once('close', () => requests.delete(outgoing));
  });
  const bound = await listenSomewhere(server, options);
  port.hosts = allowedHosts(bound);
  return {
    port: bound,
    url: `http://${loopback}:${bound}`,
    answered: answered.promise,
    close: (graceMs = 5000) => close(server, requests, graceMs),
  };
}

/** The guard runs first, on the raw request. */
function createListener(options: ServerOptions, hosts: () => ReadonlySet<string>) {
  const { fetch, log, unprovenBodyMs: limitMs = unprovenBodyMs } = options;
  const connections = new WeakMap<IncomingMessage, Connection>();
  const unlimited: Connection = { proven: () => undefined };
  const answer = getRequestListener(
    (request, { incoming }) => fetch(request, connections.get(incoming as IncomingMessage) ?? unlimited),
    {
      hostname: loopback,
      // `readRestAfterAnswer` does this with limits that fit the bodies of clients.
      autoCleanupIncoming: false,
      errorHandler: (error) => {
        if (error instanceof RequestError) return plainAnswer(400, 'The request is malformed.');
        if (isClientGone(error)) return plainAnswer(errorStatus.cancelled, 'The client closed the connection.');
        log.error('A request failed', { error });
        return plainAnswer(500, 'Unexpected error. See the log for details.');
      },
    },
  );
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const refusal = refusalOf(factsOf(incoming), hosts());
    if (refusal === null) {
      if (mayHaveBody(incoming)) {
        connections.set(incoming, limitUnprovenBody(incoming, outgoing, limitMs));
        readRestAfterAnswer(incoming, outgoing);
      }
      void answer(incoming, outgoing);
      return;
    }
    log.warn('Rejected a request from another site', {
      reason: refusal,
      host: incoming.headers.host,
      origin: incoming.headers.origin,
    });
    // The rest of a rejected request is not read.
    const closes = mayHaveBody(incoming) ? { Connection: 'close' } : {};
    outgoing.writeHead(403, { ...Object.fromEntries(answerHeaders), ...closes });
    outgoing.end(JSON.stringify({ detail: refusal }));
  };
}

const mayHaveBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;

const answerHeaders: readonly (readonly [string, string])[] = [
  ...securityHeaders,
  ['Content-Type', 'application/vnd.cvat+json'],
  ['Cache-Control', 'no-store'],
];

function plainAnswer(status: number, detail: string): Response {
  const headers = new Headers();
  for (const [name, value] of answerHeaders) headers.set(name, value);
  return new Response(JSON.stringify({ detail }), { status, headers });
}

function factsOf({ method = 'GET', url = '', rawHeaders, headers }: IncomingMessage) {
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
  return {
    method,
    target: url,
    hosts,
    origin: headers.origin,
    fetchSite: text(headers['sec-fetch-site']),
    fetchMode: text(headers['sec-fetch-mode']),
    fetchDestination: text(headers['sec-fetch-dest']),
  };
}

const text = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value);

async function listenSomewhere(
  server: Server,
  { port, anyPort, portOption = '--port' }: ServerOptions,
): Promise<number> {
  const candidates =
    anyPort && port !== 0 ? [...Array.from({ length: fallbackPorts }, (_, step) => port + step), 0] : [port];
  for (const candidate of candidates) {
    try {
      return await listen(server, candidate);
    } catch (error) {
      const isLast = candidate === candidates.at(-1);
      const { code } = error as NodeJS.ErrnoException;
      const isUnusable = code === 'EADDRINUSE' || code === 'EACCES';
      if (isLast || !isUnusable) throw portError(port, portOption, code, error);
    }
  }
  throw portError(port, portOption, undefined, undefined);
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: loopback }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function portError(port: number, option: string, code: string | undefined, cause: unknown): AppError {
  if (code === 'EADDRINUSE') {
    const message = `Port ${port} is in use by another program. Close that program, or choose another port with ${option}.`;
    return new AppError('conflict', message, undefined, { cause });
  }
  if (code === 'EACCES') {
    const message = `Cannot use port ${port} because this user lacks the permission. Choose a port above 1023 with ${option}.`;
    return new AppError('forbidden', message, undefined, { cause });
  }
  return new AppError('unavailable', `Cannot use port ${port} (${code ?? 'unknown reason'}).`, undefined, {
    cause,
  });
}

/** Waits for requests only: preconnected sockets carry none and never become idle. */
async function close(server: Server, requests: ReadonlySet<ServerResponse>, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const deadline = performance.now() + graceMs;
  while (requests.size > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
  server.closeAllConnections();
  await closed;
}
