import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import { AppError } from '../../../platform/errors.ts';
import { lineMessage, readContainerLog } from './container-log.ts';
import { unlessAnswered } from './engine-problem.ts';
import type { Link } from './link.ts';

const healthPath = '/__internal/health';
const pollMs = 60;
/** Each look at the container costs the Engine something; its port is asked more often. */
const inspectEveryMs = 400;
const shownLines = 12;

export interface ReadinessInput {
  readonly name: string;
  readonly container: Docker.Container;
  readonly address: string;
  readonly port: number;
  /** How it is asked where it has no port itself. */
  readonly link: Link | null;
  readonly timeoutSeconds: number;
  /** Whether Limner's runtime runs in it; images with a server of their own have no such path. */
  readonly hasRuntime: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits until the function answers.
 * @throws AppError with the exit code or the time-out, and the last lines of the log
 */
export async function waitUntilReady(input: ReadinessInput): Promise<void> {
  const { name, container, timeoutSeconds, signal } = input;
  const started = performance.now();
  let inspectedAt = -Infinity;
  for (;;) {
    signal?.throwIfAborted();
    if (input.link?.isAlive() !== false && (await isReady(input))) return;
    const elapsedMs = performance.now() - started;
    if (elapsedMs - inspectedAt >= inspectEveryMs) {
      inspectedAt = elapsedMs;
      const end = await endOf(container);
      if (end !== null) throw await notReady(`"${name}" ended while it was starting (${end})`, container);
    }
    if (elapsedMs >= timeoutSeconds * 1000) {
      throw await notReady(
        `"${name}" was not ready within ${timeoutSeconds} s (spec.readinessTimeoutSeconds)`,
        container,
      );
    }
    await sleep(pollMs, undefined, signal ? { signal } : {}).catch(() => undefined);
  }
}

/** How a container ended; null while it runs. A container that the restart policy takes up again has ended, too. */
async function endOf(container: Docker.Container): Promise<string | null> {
  const facts = await unlessAnswered([404], () => container.inspect());
  if (facts === null) return 'its container was removed';
  const { State, RestartCount } = facts;
  if (State.OOMKilled) return 'out of memory: raise spec.resources.limits.memory';
  if (State.Running && !State.Restarting && RestartCount === 0) return null;
  return `exit code ${State.ExitCode}${State.Error ? `, ${State.Error}` : ''}`;
}

async function notReady(reason: string, container: Docker.Container): Promise<AppError> {
  const log = await readContainerLog(container, 200).catch(() => '');
  const lines = log.split('\n').filter(Boolean).map(lineMessage).slice(-shownLines);
  const message = `${reason}.${lines.length === 0 ? ' It wrote nothing.' : ` Its last words:\n${lines.join('\n')}`}`;
  return new AppError('unavailable', message);
}

function isReady({ address, port, link, hasRuntime }: ReadinessInput): Promise<boolean> {
  const way = link === null ? { host: reachable(address), port, agent: false } : { agent: link.agent };
  return new Promise((resolve) => {
    const request = get({ ...way, path: healthPath, timeout: 2000 }, (answer) => {
      answer.resume();
      // A server of the image's own answers something: that it answers is all that can be known.
      resolve(hasRuntime ? answer.statusCode === 200 : true);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

/** Where a port that is bound to an address is reached from this machine. */
export const reachable = (address: string): string =>
  address === '0.0.0.0' || address === '' ? '127.0.0.1' : address === '::' ? '::1' : address;
