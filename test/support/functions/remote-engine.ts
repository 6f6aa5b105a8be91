import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { startSshServer } from '../ssh-server.ts';
import { createOwnEngine } from './test-engine.ts';

/**
 * A second Docker Engine behind an sshd on the loopback interface, as another computer would have it. Its `nvidia-smi`
 * reports two GPUs. The context is created by Docker's own command line.
 */
export async function startRemoteEngine({ tls = null as Tls | null } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'limner-remote-engine-'));
  const engine = createOwnEngine({
    nvidia: true,
    ...(tls === null ? {} : { args: tlsArguments(tls) }),
  });
  await engine.start();
  const programs = join(folder, 'remote-programs');
  mkdirSync(programs);
  writeProgram(join(programs, 'nvidia-smi'), nvidiaSmi);
  const server = await startSshServer(join(folder, 'sshd'), {
    DOCKER_HOST: `unix://${engine.socket}`,
    PATH: `${programs}:/usr/local/bin:/usr/bin:/bin`,
  });
  const key = join(folder, 'id');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  server.authorize(readFileSync(`${key}.pub`, 'utf8').trim());
  const known = join(folder, 'known_hosts');
  writeFileSync(
    known,
    execFileSync('ssh-keyscan', ['-p', String(server.port), '127.0.0.1'], { stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  // OpenSSH reads the configuration of the user's real home, so this one is passed by a program before it on the path.
  const configuration = join(folder, 'ssh_config');
  writeFileSync(configuration, `Host *\n  IdentityFile ${key}\n  IdentitiesOnly yes\n  UserKnownHostsFile ${known}\n`);
  const starts = join(folder, 'ssh-starts');
  writeFileSync(starts, '');
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeProgram(join(bin, 'ssh'), `echo start >> '${starts}'\nexec /usr/bin/ssh -F '${configuration}' "$@"\n`);
  const address = `ssh://${userInfo().username}@127.0.0.1:${server.port}`;
  const env = {
    PATH: [bin, process.env['PATH'] ?? ''].join(delimiter),
    DOCKER_CONFIG: join(folder, 'docker'),
    // There is no Engine on this computer.
    DOCKER_HOST: `unix://${join(folder, 'no-docker.sock')}`,
  };
  return {
    folder,
    address,
    env,
    socket: engine.socket,
    sshd: server,
    knownHosts: known,
    /** Number of times that `ssh` was started. */
    sshStarts: (): number => readFileSync(starts, 'utf8').split('\n').length - 1,
    docker(...args: string[]): string {
      const { DOCKER_HOST: _none, ...rest } = { ...process.env, ...env };
      return execFileSync('docker', args, { encoding: 'utf8', env: rest });
    },
    async dispose(): Promise<void> {
      await server.stop();
      await engine.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Tls {
  readonly folder: string;
  readonly port: number;
}

const tlsArguments = ({ folder, port }: Tls): string[] => [
  `--host=tcp://127.0.0.1:${port}`,
  '--tlsverify',
  `--tlscacert=${join(folder, 'ca.pem')}`,
  `--tlscert=${join(folder, 'server.pem')}`,
  `--tlskey=${join(folder, 'server-key.pem')}`,
];

/** An authority, and certificates of it for a server on 127.0.0.1 and for a client. */
export function makeCertificates(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const subject = (name: string) => ['-subj', `/CN=${name}`];
  const newKey = ['-newkey', 'rsa:2048', '-nodes'];
  openssl('req', '-x509', '-days', '2', ...newKey, ...subject('authority'), '-keyout', 'ca-key.pem', '-out', 'ca.pem');
  writeFileSync(join(folder, 'server.ext'), 'subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth\n');
  writeFileSync(join(folder, 'client.ext'), 'extendedKeyUsage=clientAuth\n');
  for (const [name, key, certificate] of [
    ['server', 'server-key.pem', 'server.pem'],
    ['client', 'key.pem', 'cert.pem'],
  ] as const) {
    openssl('req', ...newKey, ...subject(name), '-keyout', key, '-out', `${name}.csr`);
    const by = ['-CA', 'ca.pem', '-CAkey', 'ca-key.pem', '-CAcreateserial', '-days', '2'];
    openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-out', certificate, '-extfile', `${name}.ext`);
  }
}

function writeProgram(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}`);
  chmodSync(path, 0o755);
}

const nvidiaSmi = `case "$1" in
  --query-gpu=*) printf '0, GPU-a, RTX A6000, 49140, 0, N/A\\n1, GPU-b, RTX A6000, 49140, 0, N/A\\n' ;;
esac
`;

/** Ends the `ssh` programs that a process runs now, like a lost network. Returns their number. */
export function cutSsh(parent: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isSshOf(pid, parent));
  for (const pid of children) process.kill(pid, 'SIGKILL');
  return children.length;
}

function isSshOf(pid: number, parent: number): boolean {
  try {
    const [, name = '', ppid = ''] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return name === 'ssh' && Number(ppid) === parent;
  } catch {
    return false;
  }
}
