import type Docker from 'dockerode';
import type { FunctionConfiguration } from '../../configuration/function-configuration.ts';
import type { ResolvedVolume } from '../../policy/demands.ts';
import type { ResourcePlan } from '../../policy/resource-plan.ts';
import { followContainerLog, readContainerLog } from './container-log.ts';
import { containerOptions, containerPort, functionLabels } from './container-options.ts';
import type { Engine } from './engine.ts';
import { statusOf } from './engine-problem.ts';
import { chooseFreePort } from './free-port.ts';
import { requireImage } from './images.ts';
import { ensureNetwork, functionNetwork } from './network.ts';
import { waitUntilReady } from './readiness.ts';
import { CommandMissing, PortTaken, startProblem } from './start-problem.ts';

export interface ContainerFacts {
  readonly id: string;
  readonly functionName: string;
  readonly isRunning: boolean;
  /** Port of this machine; null while the container does not run. */
  readonly port: number | null;
  readonly exitCode: number;
  readonly isOutOfMemory: boolean;
  readonly restarts: number;
  readonly error: string;
}

export interface RunInput {
  readonly configuration: FunctionConfiguration;
  readonly imageName: string;
  readonly commands: readonly (readonly string[])[] | null;
  readonly hasRuntime: boolean;
  readonly volumes: readonly ResolvedVolume[];
  readonly plan: ResourcePlan;
  readonly cards: readonly string[] | number | null;
  readonly owner: string;
  /** The port that the function had before. */
  readonly previousPort: number | null;
  /** Ports of other functions, whether they run or not. */
  readonly heldPorts: ReadonlySet<number>;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface RunningContainer {
  readonly containerId: string;
  readonly port: number;
}

export type DockerFunctions = ReturnType<typeof createDockerFunctions>;

const portAttempts = 20;

/**
 * Containers of functions on one Engine. Every container carries the id of the data directory that it belongs to, so
 * that two of them on one computer do not touch each other's.
 */
export function createDockerFunctions({ engine, instance }: { readonly engine: Engine; readonly instance: string }) {
  const labels = (name?: string) => [
    `${functionLabels.instance}=${instance}`,
    ...(name === undefined ? [] : [`${functionLabels.function}=${name}`]),
  ];
  const containerName = (name: string) => `limner-${instance}-${name}`;

  async function listContainers(docker: Docker, name?: string): Promise<Docker.ContainerInfo[]> {
    return docker.listContainers({ all: true, filters: { label: labels(name) } });
  }

  async function removeContainers(docker: Docker, name: string, keep?: string): Promise<void> {
    for (const { Id } of await listContainers(docker, name)) {
      if (Id !== keep) await removeContainer(docker, Id);
    }
  }

  /** Creates a container and starts it; one that does not start does not stay. */
  async function startOnce(docker: Docker, input: RunInput, port: number, command: readonly string[] | null) {
    const { configuration, imageName, plan, volumes, cards, owner } = input;
    const image = await requireImage(docker, imageName, `which "${configuration.name}" runs`);
    const options = containerOptions({
      configuration,
      image,
      imageName,
      instance,
      owner,
      containerName: containerName(configuration.name),
      command,
      volumes,
      plan,
      port,
      network: functionNetwork,
      cards,
    });
    let container: Docker.Container | null = null;
    try {
      container = await docker.createContainer(options);
      await container.start();
      return container;
    } catch (error) {
      if (container) await removeContainer(docker, container.id);
      if (statusOf(error) === undefined) throw error;
      throw startProblem(configuration.name, error);
    }
  }

  /** Tries the programs that may be there, on ports that may be free, until the container starts. */
  async function startSomehow(
    docker: Docker,
    input: RunInput,
  ): Promise<RunningContainer & { container: Docker.Container }> {
    const { trigger } = input.configuration;
    const held = new Set(input.heldPorts);
    const commands: (readonly string[] | null)[] = input.commands === null ? [null] : [...input.commands];
    for (let attempt = 1; ; attempt += 1) {
      const port = trigger.port ?? (await chooseFreePort(trigger.address, input.previousPort, held));
      try {
        const container = await startOnce(docker, input, port, commands[0] ?? null);
        return { container, containerId: container.id, port };
      } catch (error) {
        if (error instanceof CommandMissing && commands.length > 1) commands.shift();
        else if (error instanceof PortTaken && trigger.port === null && attempt < portAttempts) held.add(port);
        else throw error;
      }
    }
  }

  return {
    engine,
    /** All containers of this data directory. */
    list: (): Promise<ContainerFacts[]> =>
      engine.use(async (docker) => {
        const found = await listContainers(docker);
        return Promise.all(found.map(async ({ Id }) => (await inspect(docker, Id)) ?? [])).then((all) => all.flat());
      }),
    inspect: (containerId: string): Promise<ContainerFacts | null> =>
      engine.use((docker) => inspect(docker, containerId)),

    /** Runs a function in a new container, in the place of the ones it had, and waits until it answers. */
    run: (input: RunInput): Promise<RunningContainer> =>
      engine.use(async (docker) => {
        const { configuration, log, signal } = input;
        await ensureNetwork(docker);
        await removeContainers(docker, configuration.name);
        signal?.throwIfAborted();
        const { container, containerId, port } = await startSomehow(docker, input);
        log(`Started on port ${port}; waiting until it is ready`);
        try {
          await waitUntilReady({
            name: configuration.name,
            container,
            address: configuration.trigger.address,
            port,
            timeoutSeconds: configuration.readinessTimeoutSeconds,
            hasRuntime: input.hasRuntime,
            signal,
          });
        } catch (error) {
          await removeContainer(docker, containerId);
          throw error;
        }
        log('Ready');
        return { containerId, port };
      }),

    /** Starts a stopped container again. @throws PortTaken when its port was taken meanwhile */
    start: (
      configuration: FunctionConfiguration,
      containerId: string,
      hasRuntime: boolean,
    ): Promise<RunningContainer> =>
      engine.use(async (docker) => {
        const container = docker.getContainer(containerId);
        try {
          await container.start();
        } catch (error) {
          // 304: it runs already.
          if (statusOf(error) === undefined) throw error;
          if (statusOf(error) !== 304) throw startProblem(configuration.name, error);
        }
        const facts = await inspect(docker, containerId);
        const port = facts?.port ?? configuration.trigger.port ?? 0;
        try {
          await waitUntilReady({
            name: configuration.name,
            container,
            address: configuration.trigger.address,
            port,
            timeoutSeconds: configuration.readinessTimeoutSeconds,
            hasRuntime,
          });
        } catch (error) {
          await container.stop({ t: 1 }).catch(() => undefined);
          throw error;
        }
        return { containerId, port };
      }),

    stop: (containerId: string): Promise<void> =>
      engine.use(async (docker) => {
        try {
          await docker.getContainer(containerId).stop({ t: 5 });
        } catch (error) {
          const status = statusOf(error);
          if (status !== 304 && status !== 404) throw error;
        }
      }),

    /** Removes every container of a function. */
    remove: (name: string): Promise<void> => engine.use((docker) => removeContainers(docker, name)),
    removeContainer: (id: string): Promise<void> => engine.use((docker) => removeContainer(docker, id)),

    readLog: (containerId: string, tail: number): Promise<string> =>
      engine.use((docker) => readContainerLog(docker.getContainer(containerId), tail)),
    async *followLog(containerId: string, tail: number, signal: AbortSignal): AsyncGenerator<string> {
      const { docker } = await engine.connect();
      yield* followContainerLog(docker.getContainer(containerId), tail, signal);
    },

    /** Process ids of a container on this machine: where the Engine runs on it directly. */
    processes: (containerId: string): Promise<number[]> =>
      engine.use(async (docker) => {
        const { Processes, Titles } = await docker.getContainer(containerId).top();
        const column = Titles.indexOf('PID');
        return Processes.map((row: string[]) => Number(row[column])).filter(Number.isInteger);
      }),

    /** Calls back for every container of this data directory that starts or ends, until the Engine or the signal ends it. */
    watch: (onChange: (containerId: string, functionName: string) => void, signal: AbortSignal): Promise<void> =>
      engine.use(async (docker) => {
        const events = await docker.getEvents({
          filters: { type: ['container'], event: ['start', 'die', 'destroy'], label: labels() },
          abortSignal: signal,
        });
        events.on('error', () => undefined);
        readEvents(events as AsyncIterable<Buffer>, onChange)
          .catch(() => undefined)
          .finally(() => {
            if (!signal.aborted) engine.disconnect();
          });
      }),
  };
}

async function removeContainer(docker: Docker, id: string): Promise<void> {
  try {
    await docker.getContainer(id).remove({ force: true, v: true });
  } catch (error) {
    // Gone, or on its way.
    const status = statusOf(error);
    if (status !== 404 && status !== 409) throw error;
  }
}

async function inspect(docker: Docker, id: string): Promise<ContainerFacts | null> {
  try {
    const { Id, Config, State, NetworkSettings, RestartCount } = await docker.getContainer(id).inspect();
    const [binding] = NetworkSettings.Ports?.[`${containerPort}/tcp`] ?? [];
    return {
      id: Id,
      functionName: Config.Labels[functionLabels.function] ?? '',
      isRunning: State.Running && !State.Restarting,
      port: binding ? Number(binding.HostPort) : null,
      exitCode: State.ExitCode,
      isOutOfMemory: State.OOMKilled,
      restarts: RestartCount,
      error: State.Error,
    };
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

async function readEvents(
  events: AsyncIterable<Buffer | string>,
  onChange: (containerId: string, functionName: string) => void,
): Promise<void> {
  let rest = '';
  for await (const piece of events) {
    const lines = (rest + piece.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const actor: unknown = line.trim() === '' ? null : Reflect.get(Object(JSON.parse(line)), 'Actor');
      const id: unknown = Reflect.get(Object(actor), 'ID');
      const name: unknown = Reflect.get(Object(Reflect.get(Object(actor), 'Attributes')), functionLabels.function);
      if (typeof id === 'string' && typeof name === 'string') onChange(id, name);
    }
  }
}
