import { hostname, release } from 'node:os';
import type Docker from 'dockerode';
import { z } from 'zod';
import type { EngineCapacity, FunctionBudget } from '../../policy/resource-plan.ts';
import { findEngine, type EngineAddress, type EngineLookup } from './engine-address.ts';
import { engineProblem, missingEngine, EngineUnavailable, isConnectionError, stoppedEngine } from './engine-problem.ts';

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

export interface EngineEnvironment extends EngineLookup {
  /** The most that one function may have, as of now. */
  readonly budget?: () => FunctionBudget;
}

/** The Docker Engine of this computer. Nothing is loaded and nothing is asked until something needs it. */
export function createEngine(environment: EngineEnvironment) {
  const { platform, host = () => null } = environment;
  let connecting: Promise<ConnectedEngine> | null = null;
  /** The setting that the connection was made with. */
  let connectedHost: string | null = null;
  let address: EngineAddress | null = null;
  /** Whether an Engine answered since the start: one that is gone then is stopped, not missing. */
  let hasAnswered = false;
  /** Why the last try to connect failed; null since one succeeded. */
  let lastProblem: EngineUnavailable | null = null;

  /** Looks the address up each time: an Engine may be installed, started or chosen while Limner runs. */
  async function open(): Promise<ConnectedEngine> {
    const { addresses, source } = findEngine(environment);
    const problems: EngineUnavailable[] = [];
    for (const one of addresses) {
      try {
        const connected = await openAt(one);
        address = one;
        hasAnswered = true;
        return connected;
      } catch (error) {
        problems.push(engineProblem(error, one.text, platform));
      }
    }
    const [first] = problems.filter(({ kind }) => kind !== 'missing');
    if (first === undefined && hasAnswered) {
      throw stoppedEngine(addresses.map(({ text }) => text).join(', '), platform, problems[0]);
    }
    throw first ?? missingEngine({ places: addresses.map(({ text }) => text), source, platform, cause: problems[0] });
  }

  async function openAt({ options }: EngineAddress): Promise<ConnectedEngine> {
    const { default: Client } = await import('dockerode');
    const docker = new Client(options);
    await withTimeout(docker.ping());
    return { docker, facts: await readFacts(docker, platform, options.socketPath !== undefined) };
  }

  function disconnect(): void {
    connecting = null;
    address = null;
  }

  function connect(): Promise<ConnectedEngine> {
    if (connectedHost !== host()) disconnect();
    connectedHost = host();
    connecting ??= open().then(
      (connected) => {
        lastProblem = null;
        return connected;
      },
      (error: unknown) => {
        connecting = null;
        if (error instanceof EngineUnavailable) lastProblem = error;
        throw error;
      },
    );
    return connecting;
  }

  /** With the budget of this moment: it is changed while the Engine stays connected. */
  async function connectNow(): Promise<ConnectedEngine> {
    const { docker, facts } = await connect();
    return { docker, facts: environment.budget ? { ...facts, budget: environment.budget() } : facts };
  }

  return {
    /** The address of the Engine: that of the connection, or those that are tried. */
    place(): string {
      if (address !== null) return address.text;
      try {
        return findEngine(environment)
          .addresses.map(({ text }) => text)
          .join(', ');
      } catch {
        // The message of `connect` says why there is none.
        return '';
      }
    },
    /** Connects when that is not done yet. @throws EngineUnavailable with a way out */
    connect: connectNow,
    /** Runs work on the Engine; an error of the connection forgets it, so that the next call connects anew. */
    async use<Result>(work: (docker: Docker, facts: EngineFacts) => Promise<Result>): Promise<Result> {
      const { docker, facts } = await connectNow();
      try {
        return await work(docker, facts);
      } catch (error) {
        if (!isConnectionError(error)) throw error;
        const place = address?.text ?? '';
        disconnect();
        throw engineProblem(error, place, platform);
      }
    },
    /** Why an Engine that answered before does not now; null while it answers, and where none was needed yet. */
    lost: (): EngineUnavailable | null => (hasAnswered && connecting === null ? lastProblem : null),
    isConnected: () => address !== null && connectedHost === host(),
    disconnect,
  };
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
async function readFacts(docker: Docker, platform: NodeJS.Platform, isSocket: boolean): Promise<EngineFacts> {
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
    // A port of this computer may lead to another one, whose kernel is the same by chance.
    sharesKernel:
      platform === 'linux' &&
      text('KernelVersion') === release() &&
      !/docker desktop/i.test(text('OperatingSystem')) &&
      (isSocket || text('Name') === hostname()),
    isPodman: JSON.stringify(Object(versions)).includes('Podman Engine'),
    tellsOfGpu: runtimes.includes('nvidia') || cdiCards.length > 0,
    cdiCards: runtimes.includes('nvidia') ? [] : cdiCards,
  };
}
