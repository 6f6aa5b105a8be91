import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { selfSigned } from './self-signed.ts';

export type Behaviour =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Buffer;
      readonly afterMs?: number;
    }
  | { readonly kind: 'hang' }
  | { readonly kind: 'hang-in-body' }
  /** Announces more bytes than it sends, and closes the connection. */
  | { readonly kind: 'cut-body' }
  | { readonly kind: 'reset' }
  /** Sends the headers, and then a byte at intervals, endlessly. */
  | { readonly kind: 'drip'; readonly everyMs: number }
  /** Sends this text instead of an HTTP answer and closes the connection. */
  | { readonly kind: 'raw'; readonly text: string }
  /** An answer of this many bytes, without a Content-Length. */
  | { readonly kind: 'flood'; readonly bytes: number };

export interface ArrivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** Parsed; undefined for a request without a JSON body. */
  readonly payload: Payload | undefined;
  readonly arrivedMs: number;
}

export type Payload = Readonly<Record<string, unknown>> & { readonly event: string };

export interface FaultReceiver extends Awaited<ReturnType<typeof startFaultReceiver>> {}

export const ok: Behaviour = { kind: 'answer', status: 200, body: 'ok' };

/**
 * A receiver on loopback that follows a test's instructions. `behave` decides for each request after its body has
 * arrived.
 */
export async function startFaultReceiver(
  behave: (request: ArrivedRequest, number: number) => Behaviour = () => ok,
  { tls = false }: { readonly tls?: boolean } = {},
) {
  const requests: ArrivedRequest[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  let behaviour = behave;
  let connections = 0;
  let underWay = 0;
  let mostAtOnce = 0;

  const listener: RequestListener = (incoming, response) => {
    underWay += 1;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    response.once('close', () => (underWay -= 1));
    void read(incoming).then((body) => {
      const request: ArrivedRequest = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers as Record<string, string | undefined>,
        body,
        payload: parsed(body),
        arrivedMs: Date.now(),
      };
      requests.push(request);
      perform(behaviour(request, requests.length), response);
      for (const check of waiting) check();
    });
  };
  const server = tls ? createSecureServer(selfSigned(), listener) : createServer(listener);
  server.keepAliveTimeout = 5000;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    requests,
    payloads: () => requests.flatMap(({ payload }) => payload ?? []),
    events: () => requests.flatMap(({ payload }) => payload?.event ?? []),
    openConnections: () => sockets.size,
    connections: () => connections,
    mostAtOnce: () => mostAtOnce,
    behave(next: (request: ArrivedRequest, number: number) => Behaviour): void {
      behaviour = next;
    },
    arrived: (count: number) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (requests.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function perform(behaviour: Behaviour, response: ServerResponse): void {
  switch (behaviour.kind) {
    case 'answer':
      if (behaviour.afterMs === undefined) answer(behaviour, response);
      else setTimeout(answer, behaviour.afterMs, behaviour, response);
      return;
    case 'hang':
      return;
    case 'hang-in-body':
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      response.write('so far');
      return;
    case 'cut-body':
      response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': '1000' });
      response.write('only this', () => response.socket?.destroy());
      return;
    case 'drip':
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      drip(response, behaviour.everyMs);
      return;
    case 'raw':
      response.socket?.end(behaviour.text);
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'flood':
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      flood(response, behaviour.bytes);
  }
}

function answer(behaviour: Extract<Behaviour, { kind: 'answer' }>, response: ServerResponse): void {
  response.writeHead(behaviour.status, { 'Content-Type': 'text/plain', ...behaviour.headers });
  response.end(behaviour.body ?? '');
}

function drip(response: ServerResponse, everyMs: number): void {
  const timer = setInterval(() => response.write('x'), everyMs);
  response.once('close', () => clearInterval(timer));
}

function flood(response: ServerResponse, bytes: number): void {
  if (bytes <= 0) return void response.end();
  const piece = Buffer.alloc(Math.min(64 * 1024, bytes), 'x');
  response.write(piece, (error) => {
    if (!error) flood(response, bytes - piece.length);
  });
}

async function read(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}

function parsed(body: Buffer): Payload | undefined {
  try {
    return JSON.parse(body.toString('utf8')) as Payload;
  } catch {
    return undefined;
  }
}
