import { homedir, release } from 'node:os';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import type Docker from 'dockerode';
import { z } from 'zod';
import type { EngineCapacity, FunctionBudget } from '../../policy/resource-plan.ts';
import { engineProblem, EngineUnavailable, isConnectionError } from './engine-problem.ts';

const pingTimeoutMs = 5000;

export interface EngineFacts extends EngineCapacity {
  readonly version: string;
  readonly operatingSystem: string;
  readonly architecture: string;
  /** Whether the Engine knows the NVIDIA runtime or names its devices; false does not prove that there are none. */
  readonly tellsOfGpu: boolean;
  /** Devices of the Container Device Interface that are cards, where they are the way to cards: no NVIDIA runtime is set up. */
  readonly cdiCards: readonly string[];
  /** Whether containers run on this system's own kernel, so that they reach its sockets; not so in a virtual machine. */
  readonly sharesKernel: boolean;
  /** Podman, which answers as Docker does, but for some things. */
  readonly isPodman: boolean;
}

export interface ConnectedEngine {
  readonly docker: Docker;
  readonly facts: EngineFacts;
}

export type Engine = ReturnType<typeof createEngine>;

export interface EngineEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The most that one function may have, as of now. */
  readonly budget?: () => FunctionBudget;
}

/** The Docker Engine of this computer. Nothing is loaded and nothing is asked until something needs it. */
export function createEngine(environment: EngineEnvironment) {
  const address = socketOf(environment);
  let connecting: Promise<ConnectedEngine> | null = null;
  let isConnected = false;

  async function open(): Promise<ConnectedEngine> {
    if (address.problem !== null) throw new EngineUnavailable('remote', address.problem);
    const { default: Client } = await import('dockerode');
    const docker = new Client({ socketPath: address.socket });
    try {
      await withTimeout(docker.ping());
      const connected = { docker, facts: await readFacts(docker, environment.platform) };
      isConnected = true;
      return connected;
    } catch (error) {
      throw engineProblem(error, address.socket, environment.platform);
    }
  }

  function disconnect(): void {
    connecting = null;
    isConnected = false;
  }

  function connect(): Promise<ConnectedEngine> {
    connecting ??= open().catch((error: unknown) => {
      connecting = null;
      throw error;
    });
    return connecting;
  }

  /** With the budget of this moment: it is changed while the Engine stays connected. */
  async function connectNow(): Promise<ConnectedEngine> {
    const { docker, facts } = await connect();
    return { docker, facts: environment.budget ? { ...facts, budget: environment.budget() } : facts };
  }

  return {
    socket: address.socket,
    /** Connects when that is not done yet. @throws EngineUnavailable with a way out */
    connect: connectNow,
    /** Runs work on the Engine; an error of the connection forgets it, so that the next call connects anew. */
    async use<Result>(work: (docker: Docker, facts: EngineFacts) => Promise<Result>): Promise<Result> {
      const { docker, facts } = await connectNow();
      try {
        return await work(docker, facts);
      } catch (error) {
        if (!isConnectionError(error)) throw error;
        disconnect();
        throw engineProblem(error, address.socket, environment.platform);
      }
    },
    isConnected: () => isConnected,
    disconnect,
  };
}

function socketOf({ env, platform }: EngineEnvironment): { socket: string; problem: string | null } {
  const host = env['DOCKER_HOST'] ?? '';
  const local = /^(?:unix|npipe):\/\/(.+)$/.exec(host)?.[1];
  if (local !== undefined) return { socket: local, problem: null };
  if (host !== '') {
    const problem =
      `DOCKER_HOST names ${host.replace(/\/\/[^/@]*@/, '//')}, and Limner runs functions on the Engine of this computer only. ` +
      'Unset DOCKER_HOST, or add the functions of the other computer by their address.';
    return { socket: host, problem };
  }
  if (platform === 'win32') return { socket: '//./pipe/docker_engine', problem: null };
  const usual = '/var/run/docker.sock';
  // Docker Desktop keeps its socket in the home folder, and links the usual one only where it may.
  const candidates = [
    usual,
    join(homedir(), '.docker', 'run', 'docker.sock'),
    join(homedir(), '.docker', 'desktop', 'docker.sock'),
  ];
  return { socket: candidates.find((path) => existsSync(path)) ?? usual, problem: null };
}

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(Object.assign(new Error('no answer within 5 s'), { code: 'ETIMEDOUT' }));
  }, pingTimeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

const discovered = z.object({ Source: z.string(), ID: z.string() });
const cardOf = ({ Source, ID }: z.infer<typeof discovered>): string[] =>
  Source === 'cdi' && ID.startsWith('nvidia.com/gpu=') ? [ID] : [];

/** The parts of the Engine's description that matter here; it is data from another program. */
async function readFacts(docker: Docker, platform: NodeJS.Platform): Promise<EngineFacts> {
  const [info, versions]: [unknown, unknown] = await Promise.all([docker.info(), docker.version()]);
  const field = (key: string): unknown =>
    typeof info === 'object' && info !== null ? Reflect.get(info, key) : undefined;
  const text = (key: string) => String(field(key) ?? '');
  const runtimes = Object.keys(Object(field('Runtimes')));
  const cdiCards = z.array(discovered).catch([]).parse(field('DiscoveredDevices')).flatMap(cardOf);
  return {
    version: text('ServerVersion'),
    operatingSystem: text('OperatingSystem'),
    architecture: text('Architecture'),
    cpuCores: Number(field('NCPU')) || 1,
    memoryBytes: Number(field('MemTotal')) || 2 ** 30,
    sharesKernel:
      platform === 'linux' && text('KernelVersion') === release() && !/docker desktop/i.test(text('OperatingSystem')),
    isPodman: JSON.stringify(Object(versions)).includes('Podman Engine'),
    tellsOfGpu: runtimes.includes('nvidia') || cdiCards.length > 0,
    cdiCards: runtimes.includes('nvidia') ? [] : cdiCards,
  };
}
