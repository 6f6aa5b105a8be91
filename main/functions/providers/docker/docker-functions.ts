import type { FunctionConfiguration } from '../../configuration/function-configuration.ts';
import { followContainerLog, readContainerLog } from './container-log.ts';
import { functionLabels } from './container-options.ts';
import {
  containerLabels,
  inspectContainer,
  listContainers,
  removeContainer,
  removeContainersOf,
  type ContainerFacts,
} from './containers.ts';
import type { Engine } from './engine.ts';
import { statusOf } from './engine-problem.ts';
import { runContainer, startContainer, type RunInput, type RunningContainer } from './run-container.ts';

export type { ContainerFacts, RunInput, RunningContainer };
export type DockerFunctions = ReturnType<typeof createDockerFunctions>;

/**
 * Containers of functions on one Engine. Every container carries the id of the data directory that it belongs to, so
 * that two of them on one computer do not touch each other's.
 */
export function createDockerFunctions({ engine, instance }: { readonly engine: Engine; readonly instance: string }) {
  return {
    engine,
    /** All containers of this data directory. */
    list: (): Promise<ContainerFacts[]> =>
      engine.use(async (docker) => {
        const found = await listContainers(docker, instance);
        return Promise.all(found.map(async ({ Id }) => (await inspectContainer(docker, Id)) ?? [])).then((all) =>
          all.flat(),
        );
      }),
    inspect: (containerId: string): Promise<ContainerFacts | null> =>
      engine.use((docker) => inspectContainer(docker, containerId)),

    /** Runs a function in a new container, in the place of the ones it had, and waits until it answers. */
    run: (input: RunInput): Promise<RunningContainer> =>
      engine.use((docker) => runContainer(docker, { ...input, instance })),

    /** Starts a stopped container again. @throws PortTaken when its port was taken meanwhile */
    start: (
      configuration: FunctionConfiguration,
      containerId: string,
      hasRuntime: boolean,
    ): Promise<RunningContainer> =>
      engine.use((docker) => startContainer(docker, configuration, containerId, hasRuntime)),

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
    remove: (name: string): Promise<void> => engine.use((docker) => removeContainersOf(docker, instance, name)),
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
          filters: { type: ['container'], event: ['start', 'die', 'destroy'], label: containerLabels(instance) },
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
