import type { Agent as HttpAgent } from 'node:http';
import type { FunctionConfiguration } from '../../configuration/parse-configuration.ts';
import { createBridges } from './bridge.ts';
import { followContainerLog, readContainerLog } from './container-log.ts';
import { functionLabels } from './container-options.ts';
import { readContainerUse, type ContainerUse } from './container-use.ts';
import {
  containerLabels,
  inspectContainer,
  listContainers,
  removeContainer,
  removeContainersOf,
  stopContainer,
  type ContainerFacts,
} from './containers.ts';
import type { Engine } from './engine.ts';
import { createLinks } from './link.ts';
import {
  runContainer,
  startContainer,
  type RunContext,
  type RunInput,
  type RunningContainer,
} from './run-container.ts';

export type { ContainerFacts, RunInput, RunningContainer };
export type DockerFunctions = ReturnType<typeof createDockerFunctions>;

/**
 * Function containers on one Docker Engine. Containers are labelled with the id of their data directory, so that
 * several data directories on one computer do not affect each other.
 */
export function createDockerFunctions({
  engine,
  instance,
  linksDirectory,
}: {
  readonly engine: Engine;
  readonly instance: string;
  /** Null for another computer. */
  readonly linksDirectory: string | null;
}) {
  const links = linksDirectory === null ? createBridges(engine) : createLinks(linksDirectory);
  const linkOf = new Map<string, string>();
  const use = <Result>(work: (context: RunContext) => Promise<Result>): Promise<Result> =>
    engine.use((docker, facts) => work({ docker, facts, links, instance }));
  const noted = (running: RunningContainer): RunningContainer => {
    if (running.link !== null) linkOf.set(running.containerId, running.link.id);
    return running;
  };
  const closeLink = (containerId: string) => {
    const id = linkOf.get(containerId);
    if (id !== undefined) links.close(id);
    linkOf.delete(containerId);
  };

  return {
    engine,
    /** Lists the containers of this data directory and removes links of deleted ones. */
    list: (): Promise<ContainerFacts[]> =>
      engine.use(async (docker) => {
        const found = await listContainers(docker, instance);
        const facts = await Promise.all(found.map(async ({ Id }) => (await inspectContainer(docker, Id)) ?? []));
        links.keepOnly(new Set(facts.flat().flatMap(({ link }) => link ?? [])));
        return facts.flat();
      }),
    inspect: (containerId: string): Promise<ContainerFacts | null> =>
      engine.use((docker) => inspectContainer(docker, containerId)),

    /** Runs a function in a new container. The promise resolves after the previous containers are removed. */
    run: (input: RunInput): Promise<RunningContainer> =>
      use(async (context) => noted(await runContainer(context, input))),

    /** Starts a stopped container. @throws PortTaken if its port is in use */
    start: (
      configuration: FunctionConfiguration,
      containerId: string,
      hasRuntime: boolean,
      signal?: AbortSignal,
    ): Promise<RunningContainer> =>
      use(async (context) => noted(await startContainer(context, configuration, containerId, hasRuntime, signal))),

    /** Agent for the link of a container; undefined if it is called by its port. */
    agentOf: (containerId: string): HttpAgent | undefined => links.find(linkOf.get(containerId) ?? '')?.agent,

    /**
     * Sets the idle time after which a container exits while Limner is not running; null for never. Only a function
     * with a link can detect that; others keep running.
     */
    restAfter: (containerId: string, seconds: number | null): void =>
      links.find(linkOf.get(containerId) ?? '')?.restAfter(seconds),

    /** Opens the link of a running container and closes that of a stopped one. @throws PortTaken */
    async attend({ name, trigger }: FunctionConfiguration, { id, isRunning, link, port }: ContainerFacts) {
      if (link === null) return;
      if (!isRunning) {
        closeLink(id);
        return;
      }
      const opened = await links.open(link);
      opened.reach(id);
      linkOf.set(id, link);
      await opened.publish(name, trigger.address, port ?? 0);
    },

    stop: (containerId: string): Promise<void> =>
      engine.use(async (docker) => {
        await stopContainer(docker, containerId, 5);
        closeLink(containerId);
      }),

    remove: (name: string): Promise<void> =>
      engine.use(async (docker) => {
        for (const id of await removeContainersOf(docker, instance, name)) links.remove(id);
      }),
    async removeContainer(id: string): Promise<void> {
      await engine.use((docker) => removeContainer(docker, id));
      closeLink(id);
    },
    /** Closes all links. The containers keep running and wait for the next start of Limner. */
    close(): void {
      links.closeAll();
      engine.close();
    },

    readLog: (containerId: string, tail: number): Promise<string> =>
      engine.use((docker) => readContainerLog(docker.getContainer(containerId), tail)),
    async *followLog(containerId: string, tail: number, signal: AbortSignal): AsyncGenerator<string> {
      const { docker } = await engine.connect();
      yield* followContainerLog(docker.getContainer(containerId), tail, signal);
    },

    /** Current resource use of a container; null if it is not running. */
    use: (containerId: string): Promise<ContainerUse | null> =>
      engine.use((docker) => readContainerUse(docker, containerId)),

    /** Process ids on this computer; only if Docker runs natively. */
    processes: (containerId: string): Promise<number[]> =>
      engine.use(async (docker) => {
        const { Processes, Titles } = await docker.getContainer(containerId).top(once);
        const column = Titles.indexOf('PID');
        return Processes.map((row: string[]) => Number(row[column])).filter(Number.isInteger);
      }),

    /**
     * Calls back when a container of this data directory starts or stops, until the stream ends or the signal aborts.
     */
    watch: (
      onChange: (containerId: string, functionName: string) => void,
      signal: AbortSignal,
      onEnd: () => void = () => undefined,
    ): Promise<void> =>
      engine.use(async (docker) => {
        const events = await docker.getEvents({
          filters: { type: ['container'], event: ['start', 'die', 'destroy'], label: containerLabels(instance) },
          abortSignal: signal,
        });
        events.on('error', () => undefined);
        readEvents(events as AsyncIterable<Buffer>, onChange)
          .catch(() => undefined)
          .finally(() => {
            onEnd();
            if (signal.aborted) return;
            engine.disconnect();
            // Reconnects to detect a stopped engine, so that its functions are shown as unavailable.
            void engine.connect().catch(() => undefined);
          });
      }),
  };
}

/** Podman would keep streaming. Docker ignores the option and answers once. */
const once = { stream: false };

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
