import type { Agent as HttpAgent } from 'node:http';
import type { FunctionConfiguration } from '../../configuration/parse-configuration.ts';
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
 * Containers of functions on one Engine. Every container carries the id of the data directory that it belongs to, so
 * that two of them on one computer do not touch each other's.
 */
export function createDockerFunctions({
  engine,
  instance,
  linksDirectory,
}: {
  readonly engine: Engine;
  readonly instance: string;
  readonly linksDirectory: string;
}) {
  const links = createLinks(linksDirectory);
  /** Of containers that run: how they are called. */
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
    /** All containers of this data directory. What ones that are gone have left goes, too. */
    list: (): Promise<ContainerFacts[]> =>
      engine.use(async (docker) => {
        const found = await listContainers(docker, instance);
        const facts = await Promise.all(found.map(async ({ Id }) => (await inspectContainer(docker, Id)) ?? []));
        links.keepOnly(new Set(facts.flat().flatMap(({ link }) => link ?? [])));
        return facts.flat();
      }),
    inspect: (containerId: string): Promise<ContainerFacts | null> =>
      engine.use((docker) => inspectContainer(docker, containerId)),

    /** Runs a function in a new container, which takes the place of the ones it had when it answers. */
    run: (input: RunInput): Promise<RunningContainer> =>
      use(async (context) => noted(await runContainer(context, input))),

    /** Starts a stopped container again. @throws PortTaken when its port was taken meanwhile */
    start: (
      configuration: FunctionConfiguration,
      containerId: string,
      hasRuntime: boolean,
      signal?: AbortSignal,
    ): Promise<RunningContainer> =>
      use(async (context) => noted(await startContainer(context, configuration, containerId, hasRuntime, signal))),

    /** How calls reach a container that has a link; undefined: by its port. */
    agentOf: (containerId: string): HttpAgent | undefined => links.find(linkOf.get(containerId) ?? '')?.agent,

    /**
     * After how long without a call a container ends by itself while no Limner is there; null: never. Only one with a link
     * knows whether one is: others can be called without Limner, and go on.
     */
    restAfter: (containerId: string, seconds: number | null): void =>
      links.find(linkOf.get(containerId) ?? '')?.restAfter(seconds),

    /** Answers for a container that is found to run, and no longer for one that does not. @throws PortTaken */
    async attend({ name, trigger }: FunctionConfiguration, { id, isRunning, link, port }: ContainerFacts) {
      if (link === null) return;
      if (!isRunning) {
        closeLink(id);
        return;
      }
      const opened = await links.open(link);
      linkOf.set(id, link);
      await opened.publish(name, trigger.address, port ?? 0);
    },

    stop: (containerId: string): Promise<void> =>
      engine.use(async (docker) => {
        await stopContainer(docker, containerId, 5);
        closeLink(containerId);
      }),

    /** Removes every container of a function. */
    remove: (name: string): Promise<void> =>
      engine.use(async (docker) => {
        for (const id of await removeContainersOf(docker, instance, name)) links.remove(id);
      }),
    async removeContainer(id: string): Promise<void> {
      await engine.use((docker) => removeContainer(docker, id));
      closeLink(id);
    },
    /** Answers for no container any more; they go on, and wait for the next Limner. */
    close: (): void => links.closeAll(),

    readLog: (containerId: string, tail: number): Promise<string> =>
      engine.use((docker) => readContainerLog(docker.getContainer(containerId), tail)),
    async *followLog(containerId: string, tail: number, signal: AbortSignal): AsyncGenerator<string> {
      const { docker } = await engine.connect();
      yield* followContainerLog(docker.getContainer(containerId), tail, signal);
    },

    /** What a container uses now; null where it does not run. */
    use: (containerId: string): Promise<ContainerUse | null> =>
      engine.use((docker) => readContainerUse(docker, containerId)),

    /** Process ids of a container on this machine: where the Engine runs on it directly. */
    processes: (containerId: string): Promise<number[]> =>
      engine.use(async (docker) => {
        const { Processes, Titles } = await docker.getContainer(containerId).top(once);
        const column = Titles.indexOf('PID');
        return Processes.map((row: string[]) => Number(row[column])).filter(Number.isInteger);
      }),

    /** Calls back for every container of this data directory that starts or ends, until the Engine or the signal ends it. */
    watch: (onChange: (containerId: string, functionName: string) => void, signal: AbortSignal): Promise<void> =>
      engine.use(async (docker) => {
        const events = await docker.getEvents({
          filters: { type: ['container'], event: ['start', 'die', 'destroy'], label: containerLabels(instance) },
          abortSignal: signal,
        });
        events.on('error', () => undefined);
        readEvents(events as AsyncIterable<Buffer>, onChange)
          .catch(() => undefined)
          .finally(() => {
            if (signal.aborted) return;
            engine.disconnect();
            // Whether it is gone: what runs on it is shown so.
            void engine.connect().catch(() => undefined);
          });
      }),
  };
}

/** Podman would go on telling. Docker knows no such option, and tells once. */
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
