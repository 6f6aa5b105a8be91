import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import { AppError } from '../../../platform/errors.ts';
import { lineMessage, readContainerLog } from './container-log.ts';
import { unlessAnswered } from './engine-problem.ts';
import type { Link } from './link.ts';

const healthPath = '/__internal/health';
const pollMs = 60;
/** Inspecting the container is expensive for Docker, so its port is polled more often. */
const inspectEveryMs = 400;
const shownLines = 12;

export interface ReadinessInput {
  readonly name: string;
  readonly container: Docker.Container;
  readonly address: string;
  readonly port: number;
  /** Link to poll; null if the function has a port. */
  readonly link: Link | null;
  readonly timeoutSeconds: number;
  /** True if the container runs Limner's runtime. Other servers lack the health path. */
  readonly hasRuntime: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Waits until the function answers.
 * @throws AppError with the exit code or the timeout, and the last log lines
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
      if (end !== null) throw await notReady(`"${name}" exited while it was starting (${end})`, container);
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

/** Reason why a container exited; null while it runs. A container that is being restarted counts as exited. */
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
  const message = `${reason}.${lines.length === 0 ? ' There is no output.' : ` Last output:\n${lines.join('\n')}`}`;
  return new AppError('unavailable', message);
}

function isReady({ address, port, link, hasRuntime }: ReadinessInput): Promise<boolean> {
  const way = link === null ? { host: reachable(address), port, agent: false } : { agent: link.agent };
  return new Promise((resolve) => {
    const request = get({ ...way, path: healthPath, timeout: 2000 }, (answer) => {
      answer.resume();
      // For other servers, any HTTP answer counts as ready.
      resolve(hasRuntime ? answer.statusCode === 200 : true);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

/** Host name that reaches a port bound to the address. */
export const reachable = (address: string): string =>
  address === '0.0.0.0' || address === '' ? '127.0.0.1' : address === '::' ? '::1' : address;
