import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProxiedAnswer {
  readonly incoming: IncomingMessage;
  /** The request's body; complete unless the target answered early. */
  readonly sent: () => Buffer;
  readonly answer: IncomingMessage;
  readonly outgoing: ServerResponse;
}

export interface HttpProxy {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * An HTTP proxy in front of a service.
 * @param onAnswer passes each answer of the service to its client
 * @param headers replace those of the client
 */
export async function startHttpProxy(
  targetUrl: string,
  onAnswer: (answered: ProxiedAnswer) => void,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpProxy> {
  // The service answers only to its own address.
  const { host, origin } = new URL(targetUrl);
  const server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    const forwarded = request(new URL(incoming.url ?? '', targetUrl), {
      method: incoming.method,
      headers: { ...incoming.headers, host, ...(incoming.headers.origin === undefined ? {} : { origin }), ...headers },
    });
    incoming.pipe(forwarded);
    forwarded.on('error', () => outgoing.destroy());
    forwarded.on('response', (answer) => onAnswer({ incoming, sent: () => Buffer.concat(pieces), answer, outgoing }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
