import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export type SshServer = Awaited<ReturnType<typeof startSshServer>>;

/**
 * A real sshd on the loopback interface for the current user, with its own keys and a bare repository.
 * @param variables environment of the programs that it runs
 */
export async function startSshServer(folder: string, variables: Readonly<Record<string, string>> = {}) {
  mkdirSync(folder, { recursive: true });
  // Debian's sshd needs this folder for privilege separation, which only root uses.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true });
  const port = await freePort();
  const hostKey = join(folder, 'host-key');
  const authorized = join(folder, 'authorized_keys');
  const configuration = join(folder, 'sshd_config');
  const repository = join(folder, 'data.git');
  writeFileSync(authorized, '');
  writeFileSync(
    configuration,
    [
      'ListenAddress 127.0.0.1',
      `Port ${port}`,
      `HostKey ${hostKey}`,
      `AuthorizedKeysFile ${authorized}`,
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'PermitRootLogin prohibit-password',
      'PidFile none',
      `SetEnv ${Object.entries({ LIMNER_TEST: '1', ...variables })
        .map(([name, value]) => `${name}=${value}`)
        .join(' ')}`,
      '',
    ].join('\n'),
  );
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    server = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', configuration], { stdio: 'ignore' });
    while (!(await answers(port))) await pause(20);
  }
  async function end(): Promise<void> {
    if (server?.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
  }
  function makeHostKey(): void {
    for (const name of [hostKey, `${hostKey}.pub`]) rmSync(name, { force: true });
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', hostKey]);
  }
  makeHostKey();
  await start();

  return {
    port,
    repository,
    address: (at = port): string => `ssh://${userInfo().username}@127.0.0.1:${at}${repository}`,
    authorize: (publicKey: string): void => appendFileSync(authorized, `${publicKey}\n`),
    fingerprint: (): string =>
      execFileSync('ssh-keygen', ['-l', '-f', `${hostKey}.pub`], { encoding: 'utf8' }).split(' ')[1] ?? '',
    /** Replaces the host key, like a new installation at the same address. */
    async renew(): Promise<void> {
      await end();
      makeHostKey();
      await start();
    },
    /** A proxy to the server that closes after this many bytes of answers. */
    async cutAfter(bytes: number): Promise<{ readonly port: number; close(): void }> {
      const sockets = new Set<Socket>();
      const proxy = createServer((client) => {
        const target = connect(port, '127.0.0.1');
        let passed = 0;
        target.on('data', (chunk) => {
          passed += chunk.length;
          client.write(chunk);
          if (passed > bytes) for (const socket of [client, target]) socket.destroy();
        });
        client.pipe(target);
        for (const socket of [client, target]) sockets.add(socket.on('error', () => socket.destroy()));
      });
      proxy.listen(0, '127.0.0.1');
      await once(proxy, 'listening');
      return {
        port: (proxy.address() as AddressInfo).port,
        close() {
          proxy.close();
          for (const socket of sockets) socket.destroy();
        },
      };
    },
    start,
    stop: end,
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
