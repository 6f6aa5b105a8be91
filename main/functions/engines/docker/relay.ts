import { createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PortTaken } from './start-problem.ts';

/** A connection to the function, or an error with the code ECONNREFUSED if it does not connect. */
export type Connected = (error: Error | null, socket?: Duplex) => void;

export type Relay = Awaited<ReturnType<typeof openRelay>>;

/**
 * Listens on a port of this computer for a function without a port. Forwards bytes unchanged in both directions.
 * @throws PortTaken
 */
export async function openRelay(input: {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly connect: (done: Connected) => void;
}) {
  const { name, address, port, connect } = input;
  const clients = new Set<Socket>();
  // A client may half-close its side after its request.
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    client.on('error', () => client.destroy());
    connect((_error, target) => {
      if (target) join(client, target);
      else client.resetAndDestroy();
    });
  });
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  server.once('error', (error) => {
    const message = `Cannot start "${name}": port ${port} is in use by another program or container.`;
    const isTaken = 'code' in error && error.code === 'EADDRINUSE';
    reject(isTaken ? new PortTaken(message, error) : error);
  });
  server.listen({ port, host: address, exclusive: true }, () => resolve(undefined));
  await promise;
  server.on('error', () => undefined);
  server.unref();
  return {
    address,
    port,
    close(): void {
      server.close();
      for (const client of clients) client.destroy();
    },
  };
}

function join(client: Socket, target: Duplex): void {
  if (client.destroyed) {
    target.destroy();
    return;
  }
  client.on('close', () => target.destroy());
  target.on('close', () => client.destroySoon());
  client.pipe(target).pipe(client);
  client.resume();
}
