import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HoldingProxy {
  readonly url: string;
  /** Resolves when the target has answered a matching request and the answer is held. */
  readonly held: Promise<void>;
  /** Passes held answers on, and holds no more. */
  readonly release: () => void;
  readonly stop: () => Promise<void>;
}

/** An HTTP proxy that holds the answers to some requests: the target has acted, and its client does not know. */
export async function startHoldingProxy(
  targetUrl: string,
  isHeld: (request: IncomingMessage) => boolean,
): Promise<HoldingProxy> {
  const released = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let isReleased = false;
  const { host } = new URL(targetUrl);
  const server = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const forwarded = request(new URL(incoming.url ?? '', targetUrl), { method, headers: { ...headers, host } });
    incoming.pipe(forwarded);
    forwarded.on('error', () => outgoing.destroy());
    forwarded.on('response', (answer) => {
      const pass = (): void => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      };
      if (isReleased || !isHeld(incoming)) return pass();
      held.resolve();
      void released.promise.then(pass);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held: held.promise,
    release() {
      isReleased = true;
      released.resolve();
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
