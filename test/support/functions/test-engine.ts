import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import Docker from 'dockerode';
import { until } from './docker-harness.ts';

/**
 * A Docker Engine for one test, which can end without affecting the others. With `nvidia` it finds NVIDIA's runtime
 * hook; one that does nothing is enough for everything except GPU access.
 */
export function createOwnEngine({ nvidia = false, args: more = [] as readonly string[] } = {}) {
  // Created at its start, so that a file with skipped tests leaves nothing behind.
  const folder = join(tmpdir(), `limner-engine-${randomBytes(4).toString('hex')}`);
  const socket = join(folder, 'docker.sock');
  let engine: ChildProcess | null = null;

  function searchPath(): string {
    const path = (process.env['PATH'] ?? '').split(delimiter).filter((part) => !part.endsWith('/hooks'));
    if (!nvidia) return path.join(delimiter);
    const hooks = join(folder, 'hooks');
    mkdirSync(hooks, { recursive: true });
    writeFileSync(join(hooks, 'nvidia-container-runtime-hook'), '#!/bin/sh\n');
    chmodSync(join(hooks, 'nvidia-container-runtime-hook'), 0o755);
    return [hooks, ...path].join(delimiter);
  }

  const own = {
    socket,
    async start(): Promise<void> {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const args = [
        ['--data-root', join(folder, 'data')],
        ['--exec-root', join(folder, 'exec')],
        ['--host', `unix://${socket}`],
        ['--pidfile', join(folder, 'pid')],
        // Beside another Engine there cannot be a second default bridge, and the firewall rules are the other's.
        ['--bridge', 'none', '--iptables=false'],
        more,
      ].flat();
      engine = spawn('dockerd', args, { stdio: 'ignore', env: { ...process.env, PATH: searchPath() } });
      const docker = new Docker({ socketPath: socket });
      await until(() =>
        docker.ping().then(
          () => true,
          () => false,
        ),
      );
    },
    async stop(): Promise<void> {
      const running = engine;
      engine = null;
      if (!running) return;
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGTERM');
      await ended;
    },
    async dispose(): Promise<void> {
      if (engine) await removeNetworks(new Docker({ socketPath: socket }));
      await own.stop();
      await sleep(500);
      await unmountBelow(folder);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return own;
}

async function removeNetworks(docker: Docker): Promise<void> {
  for (const { Id } of await docker.listContainers({ all: true })) {
    await docker.getContainer(Id).remove({ force: true, v: true });
  }
  await docker.pruneNetworks();
}

/** An Engine may leave its network namespace mounted. */
async function unmountBelow(folder: string): Promise<void> {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const places = mounts.map((line) => line.split(' ')[1] ?? '').filter((place) => place.startsWith(`${folder}/`));
  for (const place of places.toSorted().toReversed()) await promisify(execFile)('umount', [place]);
}

export async function withSocket<Result>(socket: string, work: () => Promise<Result>): Promise<Result> {
  const previous = process.env['DOCKER_HOST'];
  process.env['DOCKER_HOST'] = `unix://${socket}`;
  try {
    return await work();
  } finally {
    if (previous === undefined) delete process.env['DOCKER_HOST'];
    else process.env['DOCKER_HOST'] = previous;
  }
}
