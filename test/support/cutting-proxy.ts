import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly url: string;
  readonly cuts: () => number;
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
        if (most !== undefined && seen > most) {
          cuts += 1;
          return end();
        }
        to.write(bytes);
      });
      from.on('error', end).on('close', () => {
        open.delete(from);
        end();
      });
    };
    forward(client, target, limit?.up);
    forward(target, client, limit?.down);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    cuts: () => cuts,
    async stop() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
