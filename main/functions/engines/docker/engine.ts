import { hostname, release } from 'node:os';
import type Docker from 'dockerode';
import { z } from 'zod';
import type { EngineCapacity, FunctionBudget } from '../../policy/resource-plan.ts';
import { findEngine, type EngineAddress, type EngineLookup } from './engine-address.ts';
import type { SshAgent } from './ssh.ts';
import { engineProblem, missingEngine, EngineUnavailable, isConnectionError, stoppedEngine } from './engine-problem.ts';

const pingTimeoutMs = 5000;
/** SSH has to connect first. */
const remoteTimeoutMs = 12_000;

export interface EngineFacts extends EngineCapacity {
  readonly version: string;
  readonly operatingSystem: string;
  readonly architecture: string;
  /** True if Docker has the NVIDIA runtime or CDI devices. False does not prove that there is no GPU. */
  readonly tellsOfGpu: boolean;
  /** CDI devices of GPUs, if there is no NVIDIA runtime. */
  readonly cdiCards: readonly string[];
  /** True if containers share this system's kernel and can reach its sockets; false for virtual machines. */
  readonly sharesKernel: boolean;
  /** True for Podman, whose API differs from Docker's in some places. */
  readonly isPodman: boolean;
  /** True for the Engine of another computer, whose containers this computer can reach only through Docker. */
  readonly isRemote: boolean;
}

export interface ConnectedEngine {
  readonly docker: Docker;
  readonly facts: EngineFacts;
}

export type Engine = ReturnType<typeof createEngine>;

export interface EngineEnvironment extends EngineLookup {
  /** Current resource limit for one function. */
  readonly budget?: () => FunctionBudget;
  /** Address of another computer's Engine, instead of the search for that of this computer. */
  readonly remote?: () => EngineAddress;
}

/** After a failed attempt, calls to another computer's Engine fail at once for this time. */
const remoteRetryMs = 3000;

/** A Docker Engine: that of this computer, or of another one. Connects on first use. */
export function createEngine(environment: EngineEnvironment) {
  const { platform, host = () => null } = environment;
  const isRemote = environment.remote !== undefined;
  let connecting: Promise<ConnectedEngine> | null = null;
  let connectedHost: string | null = null;
  let address: EngineAddress | null = null;
  /** True after the first answer. An engine that is unreachable later was stopped; it is not missing. */
  let hasAnswered = false;
  /** Error of the last connection attempt; null after a success. */
  let lastProblem: EngineUnavailable | null = null;
  let failedAtMs = -Infinity;
  let latencyMs: number | null = null;
  /** SSH connections of this and of earlier attempts, which calls may still use. */
  const agents = new Set<SshAgent>();
  const find = () =>
    environment.remote ? { addresses: [environment.remote()], source: null } : findEngine(environment);

  /** Resolves the address each time, because Docker may be installed, started or selected while Limner runs. */
  async function open(): Promise<ConnectedEngine> {
    const { addresses, source } = find();
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
    if (isRemote && problems[0]) throw problems[0];
    const [first] = problems.filter(({ kind }) => kind !== 'missing');
    if (first === undefined && hasAnswered) {
      throw stoppedEngine(addresses.map(({ text }) => text).join(', '), platform, problems[0]);
    }
    throw first ?? missingEngine({ places: addresses.map(({ text }) => text), source, platform, cause: problems[0] });
  }

  async function openAt({ options }: EngineAddress): Promise<ConnectedEngine> {
    const { default: Client } = await import('dockerode');
    for (const earlier of agents) earlier.retire();
    if (options.agent) agents.add(options.agent);
    const docker = new Client(options);
    await withTimeout(docker.ping(), isRemote ? remoteTimeoutMs : pingTimeoutMs);
    latencyMs = await pingMs(docker);
    const facts = await readFacts(docker, platform, options.socketPath !== undefined);
    return { docker, facts: isRemote ? { ...facts, sharesKernel: false, isRemote } : facts };
  }

  function note(error: unknown): void {
    if (!(error instanceof EngineUnavailable)) return;
    lastProblem = error;
    failedAtMs = performance.now();
  }

  function disconnect(): void {
    connecting = null;
    address = null;
  }

  async function connect(): Promise<ConnectedEngine> {
    if (connectedHost !== host()) disconnect();
    connectedHost = host();
    if (isRemote && lastProblem !== null && performance.now() - failedAtMs < remoteRetryMs) throw lastProblem;
    connecting ??= open().then(
      (connected) => {
        lastProblem = null;
        return connected;
      },
      (error: unknown) => {
        connecting = null;
        note(error);
        throw error;
      },
    );
    return connecting;
  }

  /** Adds the current budget, which can change during a connection. */
  async function connectNow(): Promise<ConnectedEngine> {
    const { docker, facts } = await connect();
    return { docker, facts: environment.budget ? { ...facts, budget: environment.budget() } : facts };
  }

  return {
    /** Address of the connection, or the addresses that are tried. */
    place(): string {
      if (address !== null) return address.text;
      try {
        return find()
          .addresses.map(({ text }) => text)
          .join(', ');
      } catch {
        // `connect` reports the reason.
        return '';
      }
    },
    /** Connects if necessary. @throws EngineUnavailable with a remedy */
    connect: connectNow,
    /** Runs work on the engine. After a connection error, the next call reconnects. */
    async use<Result>(work: (docker: Docker, facts: EngineFacts) => Promise<Result>): Promise<Result> {
      const { docker, facts } = await connectNow();
      try {
        return await work(docker, facts);
      } catch (error) {
        if (!(error instanceof EngineUnavailable) && !isConnectionError(error)) throw error;
        const place = address?.text ?? '';
        disconnect();
        throw engineProblem(error, place, platform);
      }
    },
    /** Reason why an engine that has answered is unreachable; null while it answers or was never needed. */
    lost: (): EngineUnavailable | null => ((hasAnswered || isRemote) && connecting === null ? lastProblem : null),
    isConnected: () => address !== null && connectedHost === host(),
    disconnect,
    isRemote,
    /** Time of the last answer to a ping; null before the first connection. */
    latencyMs: () => latencyMs,
    /** Asks the Engine now, whatever happened before. Calls in progress continue. */
    async test(): Promise<EngineFacts> {
      failedAtMs = -Infinity;
      const { docker } = await connect();
      await pingMs(docker).then((ms) => (latencyMs = ms), disconnect);
      return (await connectNow()).facts;
    },
    close(): void {
      for (const agent of agents) agent.destroy();
      agents.clear();
    },
  };
}

async function pingMs(docker: Docker): Promise<number> {
  const started = performance.now();
  await withTimeout(docker.ping(), pingTimeoutMs);
  return performance.now() - started;
}

async function withTimeout<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(Object.assign(new Error(`no answer within ${ms / 1000} s`), { code: 'ETIMEDOUT' }));
  }, ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

const discovered = z.object({ Source: z.string(), ID: z.string() });
const cardOf = ({ Source, ID }: z.infer<typeof discovered>): string[] =>
  Source === 'cdi' && ID.startsWith('nvidia.com/gpu=') ? [ID] : [];

/** Reads the engine's description; untrusted data from another program. */
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
    // A TCP port may be forwarded to another computer with the same kernel version, so the host name must match as
    // well.
    sharesKernel:
      platform === 'linux' &&
      text('KernelVersion') === release() &&
      !/docker desktop/i.test(text('OperatingSystem')) &&
      (isSocket || text('Name') === hostname()),
    isPodman: JSON.stringify(Object(versions)).includes('Podman Engine'),
    tellsOfGpu: runtimes.includes('nvidia') || cdiCards.length > 0,
    isRemote: false,
    cdiCards: runtimes.includes('nvidia') ? [] : cdiCards,
  };
}
