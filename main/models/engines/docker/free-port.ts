import { createServer } from 'node:net';
import { AppError } from '../../../platform/errors.ts';

/** Below the ports that systems give to outgoing connections, so that a stopped function finds its port free again. */
const firstPort = 21_000;
const lastPort = 24_999;

/** Whether a program could listen there now. */
function isPortFree(port: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: address, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * A port for a function: the one it had, where that is free, or the next one that nothing uses and no other function
 * holds.
 * @throws AppError 503 when there is none
 */
export async function chooseFreePort(
  address: string,
  preferred: number | null,
  held: ReadonlySet<number>,
): Promise<number> {
  if (preferred !== null && !held.has(preferred) && (await isPortFree(preferred, address))) return preferred;
  for (let port = firstPort; port <= lastPort; port += 1) {
    if (!held.has(port) && (await isPortFree(port, address))) return port;
  }
  throw new AppError('unavailable', `No port from ${firstPort} to ${lastPort} is free for another function.`);
}
