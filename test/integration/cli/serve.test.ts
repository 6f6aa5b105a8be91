import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeExecutable, programEntry } from '../../support/node-executable.ts';
import { makeImage } from '../../support/images.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { runLimner } from './support/run-limner.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let directory: string;
const servers: RunningServer[] = [];

beforeEach(() => {
  directory = temporaryFolder();
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function started(dataDir = join(directory, 'data')): Promise<RunningServer> {
  const server = await startServer({ dataDir });
  servers.push(server);
  return server;
}

/** Occupies a port while `work` runs. */
async function withTakenPort<Result>(work: (port: number) => Promise<Result>): Promise<Result> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  try {
    return await work((other.address() as AddressInfo).port);
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
}

describe('limner serve', () => {
  it('prints its address as one line of JSON, and signs in the first user of the launch link', async () => {
    const server = await started();
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(server.user).toBe('admin');
    const launched = await fetch(server.launchUrl, { redirect: 'manual' });
    const cookies = launched.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    const self = await fetch(`${server.url}/api/users/self`, { headers: { cookie: cookies.join('; ') } });
    expect(await self.json()).toMatchObject({ username: 'admin' });
    const again = await fetch(server.launchUrl, { redirect: 'manual' });
    expect(again.headers.getSetCookie()).toEqual([]);
  });

  it.each([
    ['before', (options: string[], folder: string) => [...options, folder]],
    ['behind', (options: string[], folder: string) => [folder, ...options]],
  ])('opens a folder with options %s it, as a task of the running service', async (_where, words) => {
    await started();
    const folder = join(directory, 'photos');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.png'), await makeImage({ width: 8, height: 8, format: 'png' }));
    const options = ['--no-open', '--browser', '--data-dir', join(directory, 'data')];
    const { output, errorOutput, exitCode } = await runLimner(words(options, folder));
    expect([exitCode, errorOutput]).toEqual([0, expect.any(String)]);
    expect(output).toMatch(/Limner is already running\. Opening http:\S+\/tasks\/1/);
  });

  it('opens the page that a launch link names, only on its own site', async () => {
    const server = await started();
    const cookies = (await fetch(server.launchUrl, { redirect: 'manual' })).headers.getSetCookie();
    const headers = { cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') };
    const opened = async (next: string): Promise<string | null> => {
      const address = `${server.url}/launch?token=&next=${encodeURIComponent(next)}`;
      return (await fetch(address, { headers, redirect: 'manual' })).headers.get('location');
    };
    expect(await opened('/tasks/1/jobs/2?frame=3')).toBe('/tasks/1/jobs/2?frame=3');
    for (const elsewhere of ['//example.com', '/\\example.com', 'https://example.com', '/\t/example.com', '', '/ä'])
      expect(await opened(elsewhere), elsewhere).toBe('/');
  });

  it('creates the data directory with its folders, closed to other users', async () => {
    const { dataDir } = await started();
    for (const name of ['db', 'data', 'keys', 'logs']) {
      expect(statSync(join(dataDir, name)).isDirectory()).toBe(true);
      if (process.platform !== 'win32') expect(statSync(join(dataDir, name)).mode & 0o077).toBe(0);
    }
  });

  it('keeps passwords and launch tokens out of its log', async () => {
    const server = await started();
    await fetch(server.launchUrl, { redirect: 'manual' });
    const { password, launchUrl, dataDir } = server;
    await server.stop();
    const logged = readFileSync(join(dataDir, 'logs', 'limner.log'), 'utf8') + server.errorOutput();
    expect(logged).toContain('Ready');
    expect(logged).not.toContain(password);
    expect(logged).not.toContain(new URL(launchUrl).searchParams.get('token'));
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('stops cleanly on %s with exit code 0', async (signal) => {
    const server = await started();
    process.kill(server.pid, signal);
    expect(await server.stop()).toBe(0);
    expect(existsSync(join(server.dataDir, 'limner.lock'))).toBe(false);
    expect(readdirSync(join(server.dataDir, 'keys'))).toEqual([]);
    expect(readdirSync(join(server.dataDir, 'db')).filter((name) => name.endsWith('-wal'))).toEqual([]);
  });

  it('continues, and stops cleanly, when its output is no longer read', async () => {
    const dataDir = join(directory, 'data');
    const args = ['serve', '--data-dir', dataDir, '--port', '0', '--dashboard-port', '0', '--no-open'];
    const child = spawn(nodeExecutable(), [programEntry('cli'), ...args]);
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    child.stderr.destroy();
    child.stdout.destroy();
    // It logs that it stops.
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('refuses a second instance on the same data directory with the process id of the first', async () => {
    const first = await started();
    const second = await runLimner(['serve', '--data-dir', first.dataDir, '--port', '0', '--no-open']);
    expect(second.exitCode).toBe(3);
    expect(second.output).toBe('');
    expect(second.errorOutput).toContain(`process ${first.pid} at ${first.url}`);
    expect((await fetch(`${first.url}/api/server/about`)).status).toBe(200);
  });

  it('starts again after it was killed', async () => {
    const first = await started();
    await first.kill9();
    expect(existsSync(join(first.dataDir, 'limner.lock'))).toBe(true);
    const second = await started(first.dataDir);
    expect((await fetch(`${second.url}/api/server/about`)).status).toBe(200);
  });

  it('refuses a taken port that was requested by number, and leaves the data directory free', async () => {
    const refused = await withTakenPort((port) =>
      runLimner(['serve', '--data-dir', join(directory, 'data'), '--port', String(port), '--no-open']),
    );
    expect(refused.exitCode).toBe(3);
    expect(refused.errorOutput).toMatch(/^Port \d+ is in use by another program\..*--port/m);
    expect(existsSync(join(directory, 'data', 'limner.lock'))).toBe(false);
  });

  it('says why it cannot use a data directory', async () => {
    const file = join(directory, 'data');
    writeFileSync(file, 'not a folder');
    const refused = await runLimner(['serve', '--data-dir', file, '--port', '0', '--no-open']);
    expect(refused.exitCode).toBe(1);
    expect(refused.errorOutput).toContain(`${file} is not a folder`);
  });
});
