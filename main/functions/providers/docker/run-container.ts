import type Docker from 'dockerode';
import type { FunctionConfiguration } from '../../configuration/function-configuration.ts';
import type { ResolvedVolume } from '../../policy/demands.ts';
import type { ResourcePlan } from '../../policy/resource-plan.ts';
import { inspectContainer, removeContainer, removeContainersOf } from './containers.ts';
import { containerOptions, restartPolicy } from './container-options.ts';
import { statusOf } from './engine-problem.ts';
import { chooseFreePort } from './free-port.ts';
import { requireImage } from './images.ts';
import { ensureNetwork, functionNetwork } from './network.ts';
import { waitUntilReady } from './readiness.ts';
import { CommandMissing, PortTaken, startProblem } from './start-problem.ts';

export interface RunInput {
  readonly configuration: FunctionConfiguration;
  readonly imageName: string;
  /** Commands to try until the image has the program; null: the image's own. */
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

interface OwnedRunInput extends RunInput {
  readonly instance: string;
}

export interface RunningContainer {
  readonly containerId: string;
  readonly port: number;
}

const portAttempts = 20;

/** Runs a function in a new container, in the place of the ones it had, and waits until it answers. */
export async function runContainer(docker: Docker, input: OwnedRunInput): Promise<RunningContainer> {
  const { configuration, instance, log, signal } = input;
  await ensureNetwork(docker);
  await removeContainersOf(docker, instance, configuration.name);
  signal?.throwIfAborted();
  const { container, port } = await startSomehow(docker, input);
  log(`Started on port ${port}; waiting until it is ready`);
  try {
    await waitUntilReady({ ...readinessOf(configuration), container, port, hasRuntime: input.hasRuntime, signal });
    await container.update({ RestartPolicy: restartPolicy(configuration) });
  } catch (error) {
    await removeContainer(docker, container.id);
    throw error;
  }
  log('Ready');
  return { containerId: container.id, port };
}

/** Starts a stopped container again. @throws PortTaken when its port was taken meanwhile */
export async function startContainer(
  docker: Docker,
  configuration: FunctionConfiguration,
  containerId: string,
  hasRuntime: boolean,
): Promise<RunningContainer> {
  const container = docker.getContainer(containerId);
  try {
    await container.start();
  } catch (error) {
    // 304: it runs already.
    if (statusOf(error) === undefined) throw error;
    if (statusOf(error) !== 304) throw startProblem(configuration.name, error);
  }
  const facts = await inspectContainer(docker, containerId);
  const port = facts?.port ?? configuration.trigger.port ?? 0;
  try {
    await waitUntilReady({ ...readinessOf(configuration), container, port, hasRuntime });
  } catch (error) {
    await container.stop({ t: 1 }).catch(() => undefined);
    throw error;
  }
  return { containerId, port };
}

const readinessOf = ({ name, trigger, readinessTimeoutSeconds }: FunctionConfiguration) => ({
  name,
  address: trigger.address,
  timeoutSeconds: readinessTimeoutSeconds,
});

/** Tries the programs that may be there, on ports that may be free, until the container starts. */
async function startSomehow(
  docker: Docker,
  input: OwnedRunInput,
): Promise<{ container: Docker.Container; port: number }> {
  const { trigger } = input.configuration;
  const held = new Set(input.heldPorts);
  const commands: (readonly string[] | null)[] = input.commands === null ? [null] : [...input.commands];
  for (let attempt = 1; ; attempt += 1) {
    const port = trigger.port ?? (await chooseFreePort(trigger.address, input.previousPort, held));
    try {
      return { container: await startOnce(docker, input, port, commands[0] ?? null), port };
    } catch (error) {
      if (error instanceof CommandMissing && commands.length > 1) {
        const missing = commands.shift();
        input.log(`The image has no program ${missing?.[0] ?? ''}; ${commands[0]?.[0] ?? ''} is tried`);
      } else if (error instanceof PortTaken && trigger.port === null && attempt < portAttempts) held.add(port);
      else throw error;
    }
  }
}

/** Creates a container and starts it; one that does not start does not stay. */
async function startOnce(
  docker: Docker,
  input: OwnedRunInput,
  port: number,
  command: readonly string[] | null,
): Promise<Docker.Container> {
  const { configuration, imageName, instance } = input;
  const { name } = configuration;
  const image = await requireImage(docker, imageName, `which "${name}" runs`);
  const containerName = `limner-${instance}-${name}`;
  const options = containerOptions({ ...input, image, containerName, command, port, network: functionNetwork });
  let container: Docker.Container | null = null;
  try {
    container = await docker.createContainer(options);
    await container.start();
    return container;
  } catch (error) {
    if (container) await removeContainer(docker, container.id);
    if (statusOf(error) === undefined) throw error;
    throw startProblem(name, error);
  }
}
