import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { request } from 'node:http';
import type { Agent } from 'node:http';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';

/** Path on which the runtime in a container handles the check. */
const reachPath = '/__internal/reach';
const checkTimeoutMs = 10_000;
const reachedSchema = z.object({ reached: z.array(z.string()) });

/** Host names of the computer inside a container, and an external address. */
const names = ['host.docker.internal', 'gateway.docker.internal', 'host.containers.internal'];

/**
 * Verifies the isolation of a function: asks it to connect to a port that is open on every address of this computer.
 * @throws AppError 403 if a connection succeeds, because the promised isolation is missing
 */
export async function requireIsolation(name: string, agent: Agent): Promise<void> {
  let arrived = '';
  const canary = createServer((socket) => {
    arrived ||= socket.localAddress ?? 'this computer';
    socket.destroy();
  });
  const { promise: listening, resolve, reject } = Promise.withResolvers<undefined>();
  canary.once('error', reject);
  canary.listen(0, () => resolve(undefined));
  await listening;
  try {
    const address = canary.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const hosts = own.filter(({ internal }) => !internal).map((one) => one.address);
    const reached = await ask(agent, { port, hosts: [...hosts, ...names] });
    if (reached.length === 0 && arrived === '') return;
    const message =
      `"${name}" was not deployed: its container could connect to this computer (${reached[0] ?? arrived}), ` +
      'which must be impossible. Docker does not isolate functions from the network here. The function was removed.';
    throw new AppError('forbidden', message);
  } finally {
    canary.close();
  }
}

async function ask(agent: Agent, question: { port: number; hosts: readonly string[] }): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const body = JSON.stringify(question);
  const outgoing = request(
    { agent, method: 'POST', path: reachPath, timeout: checkTimeoutMs, headers: { 'Content-Length': body.length } },
    (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('end', () => resolve(text));
      answer.on('error', reject);
    },
  );
  outgoing.on('timeout', () => outgoing.destroy(new Error('The function did not report the reachable addresses')));
  outgoing.on('error', reject);
  outgoing.end(body);
  return reachedSchema.parse(JSON.parse(await promise)).reached;
}
