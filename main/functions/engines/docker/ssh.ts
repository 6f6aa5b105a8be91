import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { Agent as HttpAgent } from 'node:http';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { EngineUnavailable } from './engine-problem.ts';
import { StreamSocket } from './stream-socket.ts';

const connectTimeoutSeconds = 10;
const maxProblemBytes = 2000;

export interface SshAddress {
  readonly user: string | null;
  readonly host: string;
  readonly port: number | null;
  /** Docker's socket on the other computer; null for the one that `docker` uses there. */
  readonly socket: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `ssh://user@host:port/socket`. Its parts become arguments of programs here and words of a shell there, so only
 * plain characters are accepted. Null for anything else.
 */
export function parseSshAddress(address: string): SshAddress | null {
  const pattern =
    /^ssh:\/\/(?:([A-Za-z0-9_][\w.-]*)@)?([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?|\[[0-9a-fA-F:]+\])(?::(\d{1,5}))?(\/[\w./-]*)?$/;
  const [matched, user = null, host = '', port, socket = ''] = pattern.exec(address) ?? [];
  if (matched === undefined) return null;
  return {
    user,
    host: host.replaceAll(/[[\]]/g, ''),
    port: port === undefined ? null : Number(port),
    socket: socket === '' || socket === '/' ? null : socket,
  };
}

const option = (name: string, value: string | number): string[] => ['-o', `${name}=${value}`];

/** Arguments in the order of Docker's command line. No terminal and no questions, because no one could answer them. */
function sshArguments({ user, host, port }: SshAddress, words: readonly string[]): string[] {
  return [
    '-T',
    ...option('BatchMode', 'yes'),
    ...option('ConnectTimeout', connectTimeoutSeconds),
    ...option('ServerAliveInterval', 5),
    ...option('ServerAliveCountMax', 3),
    ...(user === null ? [] : ['-l', user]),
    ...(port === null ? [] : ['-p', String(port)]),
    '--',
    host,
    ...words,
  ];
}

/** Runs a program on the other computer and returns its output. @param words plain words, because a shell reads them */
export async function runOverSsh(address: SshAddress, env: Environment, words: readonly string[]): Promise<string> {
  const limits = { timeout: (connectTimeoutSeconds + 5) * 1000, windowsHide: true, env: { ...env } };
  const { stdout } = await promisify(execFile)('ssh', sshArguments(address, words), limits);
  return stdout;
}

/** Connections to the Docker Engine of another computer, as Docker's command line makes them: one `ssh` for each. */
export class SshAgent extends HttpAgent {
  readonly #address: SshAddress;
  readonly #text: string;
  readonly #env: Environment;
  readonly #sockets = new Set<StreamSocket>();

  constructor(address: SshAddress, text: string, env: Environment) {
    super({ keepAlive: true, maxFreeSockets: 2 });
    this.#address = address;
    this.#text = text;
    this.#env = env;
  }

  override createConnection(): Duplex {
    const host = this.#address.socket === null ? [] : ['--host', `unix://${this.#address.socket}`];
    const child = spawn('ssh', sshArguments(this.#address, ['docker', ...host, 'system', 'dial-stdio']), {
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      env: { ...this.#env },
    });
    const socket = new StreamSocket({
      input: child.stdin,
      output: child.stdout,
      isProgram: true,
      onDestroy: () => {
        this.#sockets.delete(socket);
        child.kill();
      },
    });
    this.#sockets.add(socket);
    // A broken connection is an error of the socket; the agent has no listener for idle ones.
    socket.on('error', () => undefined);
    child.unref();
    followEnd(child, this.#text, (problem) => {
      if (problem === null) socket.push(null);
      else socket.destroy(problem);
    });
    return socket;
  }

  /** Closes idle connections, and others after their answer. Streams stay open. */
  retire(): void {
    Object.assign(this, { keepAlive: false });
    for (const sockets of Object.values(this.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  /** Also ends connections that the agent no longer counts, such as those of streams. */
  override destroy(): void {
    super.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}

function followEnd(child: ChildProcess, address: string, end: (problem: EngineUnavailable | null) => void): void {
  let told = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    told = (told + text).slice(-maxProblemBytes);
  });
  child.once('error', (error) => end(sshProblem(address, error.message, 'spawn')));
  // After the end of its output, so that an answer is read before.
  child.once('close', (code) => end(code === 0 ? null : sshProblem(address, told, code)));
}

/** Reason and remedy for an `ssh` that ended. It reports its own problems with code 255. */
function sshProblem(address: string, told: string, code: number | string | null): EngineUnavailable {
  const text = told.trim().split(/\r?\n/).at(-1) ?? '';
  const problem = (reason: string, remedy: string, kind: 'failed' | 'permission' | 'missing' | 'stopped' = 'failed') =>
    new EngineUnavailable(kind, `Cannot reach the Docker Engine at ${address}: ${reason}. ${remedy}`);
  const host = address.replace(/^ssh:\/\//, '').replace(/\/.*$/, '');
  if (code === 'spawn')
    return problem(`the program "ssh" cannot be started (${text})`, 'Install an OpenSSH client.', 'missing');
  if (/host key verification failed|remote host identification has changed/i.test(told))
    return problem('SSH does not know the key of that computer', `Check it once in a terminal: ssh ${host}`);
  if (/permission denied \(/i.test(told))
    return problem(
      'SSH answers, but it does not accept a key of this user',
      `Add your public key there: ssh-copy-id ${host}`,
    );
  if (code === 127 || /docker: (command )?not found|docker: No such file/i.test(told))
    return problem('SSH answers, but there is no program "docker"', 'Install Docker there.', 'missing');
  if (/permission denied/i.test(told))
    return problem(
      `SSH answers, but the user cannot open Docker's socket (${text})`,
      'Add the user to the group "docker" there.',
      'permission',
    );
  if (
    /is the docker daemon running|cannot connect to the docker daemon|no such file or directory|dial unix/i.test(told)
  )
    return problem(`SSH answers, but the Docker Engine does not (${text})`, 'Start it there.', 'stopped');
  const reason = text === '' ? 'the SSH connection ended' : text;
  return problem(reason.replace(/\.$/, ''), 'Functions there continue when it answers again.', 'stopped');
}
