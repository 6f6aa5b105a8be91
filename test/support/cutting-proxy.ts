import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly url: string;
  readonly cuts: () => number;
  /** Bytes that came from the target. */
  readonly downBytes: () => number;
  readonly stop: () => Promise<void>;
}

/**
 * A TCP proxy that breaks connections.
 * @param limitOf asked for each new connection: the bytes after which it breaks, null for never
 */
export async function startCuttingProxy(
  targetUrl: string,
  limitOf: () => { readonly up?: number; readonly down?: number } | null,
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(targetUrl);
  const open = new Set<Socket>();
  let cuts = 0;
  let downBytes = 0;
  const server = createServer((client) => {
    const limit = limitOf();
    const target = connect(Number(port), hostname);
    const end = (): void => {
      client.destroy();
      target.destroy();
    };
    const forward = (from: Socket, to: Socket, most: number | undefined): void => {
      let seen = 0;
      open.add(from);
      from.on('data', (bytes) => {
        seen += bytes.length;
        if (from === target) downBytes += bytes.length;
        if (most !== undefined && seen > most) {
          cuts += 1;
          return end();
        }
        to.write(to === target ? withHost(bytes) : bytes);
      });
      from.on('error', end).on('close', () => {
        open.delete(from);
        end();
      });
    };
    // The service answers only to its own address. Both ports have five digits, so no length changes.
    const withHost = (bytes: Buffer): Buffer =>
      Buffer.from(bytes.toString('latin1').replace(`127.0.0.1:${ownPort()}`, `127.0.0.1:${port}`), 'latin1');
    forward(client, target, limit?.up);
    forward(target, client, limit?.down);
  });
  function ownPort(): number {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
    return address.port;
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${ownPort()}`,
    cuts: () => cuts,
    downBytes: () => downBytes,
    async stop() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
