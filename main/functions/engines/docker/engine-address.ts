import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { DockerOptions } from 'dockerode';
import { z } from 'zod';
import type { SshAgent } from './ssh.ts';
import { EngineUnavailable, type EngineSource } from './engine-problem.ts';

export interface EngineAddress {
  /** Shown in messages: a path, or `tcp://127.0.0.1:2375`. */
  readonly text: string;
  readonly options: Pick<DockerOptions, 'socketPath' | 'host' | 'port' | 'protocol' | 'ca' | 'cert' | 'key'> & {
    readonly agent?: SshAgent;
  };
}

/** Addresses in the order in which they are tried. */
interface EngineAddresses {
  readonly addresses: readonly EngineAddress[];
  /** Source of the address; null for the default sockets. */
  readonly source: EngineSource | null;
}

export interface EngineLookup {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Address from Limner's settings; null to use the same as `docker`. */
  readonly host?: () => string | null;
}

const plainTcpPort = 2375;
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|0\.0\.0\.0)$/;

/**
 * Finds the engine like `docker`: `DOCKER_HOST`, `DOCKER_CONTEXT`, the current context, then the default sockets.
 * Limner's own setting takes precedence.
 * @throws EngineUnavailable for remote hosts, TLS, and contexts that do not exist
 */
export function findEngine({ env, platform, host }: EngineLookup): EngineAddresses {
  const wanted = host?.() ?? '';
  if (wanted !== '') return named(wanted, settingSource);
  const dockerHost = env['DOCKER_HOST'] ?? '';
  if (dockerHost !== '') return named(dockerHost, hostSource, Boolean(env['DOCKER_TLS_VERIFY']));
  const folder = env['DOCKER_CONFIG'] || join(homeOf(env), '.docker');
  const fromEnvironment = env['DOCKER_CONTEXT'] ?? '';
  const context = fromEnvironment || currentContext(folder);
  if (context !== '' && context !== 'default') {
    const where = fromEnvironment === '' ? join(folder, 'config.json') : 'DOCKER_CONTEXT';
    return named(hostOfContext(folder, context, where), contextSource(context));
  }
  if (platform === 'win32') return { addresses: [socket('//./pipe/docker_engine')], source: null };
  const usual = usualSockets(env);
  // Prefers existing sockets, so that error messages are about them.
  const there = usual.filter((path) => existsSync(path));
  return { addresses: (there.length > 0 ? there : usual).map(socket), source: null };
}

const settingSource: EngineSource = {
  name: 'The setting for the Docker Engine',
  remedy: 'Change it under Settings → Functions',
  start: 'Start that Docker Engine.',
};
const hostSource: EngineSource = { name: 'DOCKER_HOST', remedy: 'Unset DOCKER_HOST' };
const contextSource = (name: string): EngineSource => ({
  name: `The Docker context "${name}"`,
  remedy: 'Choose a context of this computer (docker context use default)',
  start: 'Start the Docker Engine of that context.',
});

const homeOf = (env: EngineLookup['env']): string => env['HOME'] || homedir();
const socket = (path: string): EngineAddress => ({ text: path, options: { socketPath: path } });

/**
 * Sockets of Docker Engine, rootless Docker and Docker Desktop, which links the default socket only if it has
 * permission.
 */
function usualSockets(env: EngineLookup['env']): string[] {
  const desktop = join(homeOf(env), '.docker');
  return [
    '/var/run/docker.sock',
    join(env['XDG_RUNTIME_DIR'] || `/run/user/${process.getuid?.() ?? 0}`, 'docker.sock'),
    join(desktop, 'run', 'docker.sock'),
    join(desktop, 'desktop', 'docker.sock'),
  ];
}

/** @throws EngineUnavailable */
function named(host: string, source: EngineSource, usesTls = false): EngineAddresses {
  return { addresses: [parseHost(host, source, usesTls)], source };
}

/** @throws EngineUnavailable if the address is not local */
function parseHost(host: string, source: EngineSource, usesTls: boolean): EngineAddress {
  const path = /^(?:unix|npipe):\/\/(.+)$/.exec(host)?.[1] ?? (isAbsolute(host) ? host : undefined);
  if (path !== undefined) return socket(path);
  const [, scheme, name = '', port] = /^(tcp|https?):\/\/(\[[^\]]*\]|[^:/@]*)(?::(\d+))?\/?$/.exec(host) ?? [];
  // An empty host name means this computer, as for `docker`.
  if (scheme === undefined || !loopbackHost.test(name || 'localhost')) throw remoteProblem(host, source);
  if (usesTls || scheme === 'https') {
    throw new EngineUnavailable(
      'failed',
      `${source.name} is ${host} with TLS, which Limner does not support. ${source.remedy}, or use the socket of the engine.`,
    );
  }
  const address = name === '' || name === '0.0.0.0' ? '127.0.0.1' : name.replaceAll(/[[\]]/g, '');
  const number = port === undefined ? plainTcpPort : Number(port);
  return { text: host, options: { protocol: 'http', host: address, port: number } };
}

function remoteProblem(host: string, { name, remedy }: EngineSource): EngineUnavailable {
  return new EngineUnavailable(
    'remote',
    `${name} is ${host.replace(/\/\/[^/@]*@/, '//')}, but the Engine "default" is that of this computer. ` +
      `${remedy}, and deploy to the other computer by the name of its Engine.`,
  );
}

/** Validates an address. @throws EngineUnavailable if it cannot be an engine of this computer */
export const checkEngineHost = (host: string): void => void named(host, settingSource);

/** Name of the current context; empty if there is none. Unreadable files are ignored, as `docker` does. */
function currentContext(folder: string): string {
  return (
    z.object({ currentContext: z.string() }).safeParse(readJson(join(folder, 'config.json'))).data?.currentContext ?? ''
  );
}

const contextSchema = z.object({ Endpoints: z.object({ docker: z.object({ Host: z.string().min(1) }) }) });

/** @throws EngineUnavailable for a context that does not exist */
function hostOfContext(folder: string, name: string, where: string): string {
  const id = createHash('sha256').update(name).digest('hex');
  const { data } = contextSchema.safeParse(readJson(join(folder, 'contexts', 'meta', id, 'meta.json')));
  if (data) return data.Endpoints.docker.Host;
  throw new EngineUnavailable(
    'failed',
    `There is no Docker context "${name}", which ${where} names. Choose another one: docker context use default.`,
  );
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
