import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type Docker from 'dockerode';
import { AppError } from '../../../platform/errors.ts';
import type { FunctionConfiguration } from '../../configuration/parse-configuration.ts';
import {
  inspectContainer,
  linksOfFunction,
  removeContainer,
  removeContainersOf,
  setRestartPolicy,
  stopContainersOf,
} from './containers.ts';
import { containerOptions, restartPolicy, type ContainerInput } from './container-options.ts';
import { statusOf } from './engine-problem.ts';
import type { EngineFacts } from './engine.ts';
import { requireImage } from './images.ts';
import type { Link, Links } from './link.ts';
import { ensureNetwork, functionNetwork } from './network.ts';
import { reachOf } from './reach.ts';
import { waitUntilReady } from './readiness.ts';
import { CommandMissing, PortTaken, startProblem } from './start-problem.ts';
import { requireIsolation } from './isolation-check.ts';

export interface RunInput extends Pick<
  ContainerInput,
  'configuration' | 'imageName' | 'volumes' | 'plan' | 'cards' | 'owner'
> {
  /** Commands to try until the image contains the program; null for the image's command. */
  readonly commands: readonly (readonly string[])[] | null;
  readonly hasRuntime: boolean;
  /** Port of the function's previous container. */
  readonly previousPort: number | null;
  /** Ports of other functions, running or stopped. */
  readonly heldPorts: ReadonlySet<number>;
  readonly log: (line: string) => void;
  /** Set if the new container runs next to the previous ones. Called when it is ready, before they stop. */
  readonly endPrevious?: () => Promise<void>;
  readonly signal?: AbortSignal;
}

export interface RunContext {
  readonly docker: Docker;
  readonly facts: EngineFacts;
  readonly links: Links;
  readonly instance: string;
}

export interface RunningContainer {
  readonly containerId: string;
  readonly port: number;
  /** Null if the function has a Docker port. */
  readonly link: Link | null;
}

const portAttempts = 20;
const cannotRestart = 'Note: this engine does not restart a container that exits; the next call does.';

/**
 * Runs a function in a new container and waits until it answers. Previous containers are removed when it is ready.
 * Until then they run next to it, or are stopped first to free their port, memory and GPUs, and can be restarted.
 */
export async function runContainer(context: RunContext, input: RunInput): Promise<RunningContainer> {
  const { docker, facts, links, instance } = context;
  const { configuration, endPrevious, hasRuntime, log, signal } = input;
  const { name, trigger } = configuration;
  if (facts.isPodman && input.cards !== null) throw noCards(name);
  const hasLink = reachOf(configuration, hasRuntime, facts) === 'link';
  const isBeside = endPrevious !== undefined && hasLink;
  if (!isBeside) for (const id of await stopContainersOf(docker, instance, name)) links.close(id);
  signal?.throwIfAborted();
  const link = hasLink ? await links.open() : null;
  if (link === null) await ensureNetwork(docker);
  try {
    const { container, port } = await startSomehow(context, input, link, isBeside);
    log(
      isBeside
        ? 'Started next to the previous version; waiting until it is ready'
        : `Started on port ${port}; waiting until it is ready`,
    );
    try {
      link?.reach(container.id);
      await waitUntilReady({ ...readinessOf(configuration), container, port, link, hasRuntime, signal });
      if (link !== null) await requireIsolation(configuration.name, link.agent);
      if (!(await setRestartPolicy(docker, container.id, restartPolicy(configuration)))) log(cannotRestart);
      if (isBeside) {
        await endPrevious();
        for (const id of await linksOfFunction(docker, instance, name, container.id)) links.close(id);
        await link?.publish(name, trigger.address, port);
      }
    } catch (error) {
      await removeContainer(docker, container.id);
      throw error;
    }
    const others = await removeContainersOf(docker, instance, configuration.name, container.id);
    for (const id of others) links.remove(id);
    log('Ready');
    return { containerId: container.id, port, link };
  } catch (error) {
    if (link !== null) links.remove(link.id);
    throw error;
  }
}

/** Podman accepts Docker's GPU requests but ignores them. */
function noCards(name: string): AppError {
  const message =
    `"${name}" needs a GPU, which Podman does not provide through Docker's API. It would run without ` +
    'one. Use Docker Engine, or remove the GPU from its limits (nvidia.com/gpu).';
  return new AppError('unavailable', message, message);
}

/** Starts a stopped container. @throws PortTaken if its port is in use */
export async function startContainer(
  { docker, links }: RunContext,
  configuration: FunctionConfiguration,
  containerId: string,
  hasRuntime: boolean,
  signal?: AbortSignal,
): Promise<RunningContainer> {
  const container = docker.getContainer(containerId);
  const before = await inspectContainer(docker, containerId);
  const link = before?.link ? await links.open(before.link) : null;
  link?.reach(containerId);
  try {
    await container.start();
  } catch (error) {
    // 304: already running.
    if (statusOf(error) === undefined) throw error;
    if (statusOf(error) !== 304) throw startProblem(configuration.name, error);
  }
  const facts = await inspectContainer(docker, containerId);
  const port = facts?.port ?? configuration.trigger.port ?? 0;
  try {
    await link?.publish(configuration.name, configuration.trigger.address, port);
    await waitUntilReady({ ...readinessOf(configuration), container, port, link, hasRuntime, signal });
  } catch (error) {
    await container.stop({ t: 1 }).catch(() => undefined);
    link?.close();
    throw error;
  }
  return { containerId, port, link };
}

const readinessOf = ({ name, trigger, readinessTimeoutSeconds }: FunctionConfiguration) => ({
  name,
  address: trigger.address,
  timeoutSeconds: readinessTimeoutSeconds,
});

/** Tries possible commands and free ports until the container starts. */
async function startSomehow(
  context: RunContext,
  input: RunInput,
  link: Link | null,
  isBeside: boolean,
): Promise<{ container: Docker.Container; port: number }> {
  const { name, trigger } = input.configuration;
  const held = new Set(input.heldPorts);
  const commands: (readonly string[] | null)[] = input.commands === null ? [null] : [...input.commands];
  for (let attempt = 1; ; attempt += 1) {
    // The previous version uses this port until the new one is ready.
    const handedOver = isBeside ? input.previousPort : null;
    const port = trigger.port ?? handedOver ?? (await chooseFreePort(trigger.address, input.previousPort, held));
    try {
      if (!isBeside) await link?.publish(name, trigger.address, port);
      return { container: await startOnce(context, input, { link, port, command: commands[0] ?? null }), port };
    } catch (error) {
      if (error instanceof CommandMissing && commands.length > 1) {
        const missing = commands.shift();
        input.log(`The image does not contain the program ${missing?.[0] ?? ''}; trying ${commands[0]?.[0] ?? ''}`);
      } else if (error instanceof PortTaken && trigger.port === null && attempt < portAttempts) held.add(port);
      else throw error;
    }
  }
}

/** Creates and starts a container; removes it if the start fails. */
async function startOnce(
  { docker, facts, instance }: RunContext,
  input: RunInput,
  chosen: { readonly link: Link | null; readonly port: number; readonly command: readonly string[] | null },
): Promise<Docker.Container> {
  const { configuration, imageName } = input;
  const { name } = configuration;
  const image = await requireImage(docker, imageName, `which "${name}" runs`);
  // Unique, because the previous container may still exist.
  const containerName = `limner-${instance}-${name}-${randomBytes(3).toString('hex')}`;
  const options = containerOptions({
    ...input,
    ...chosen,
    instance,
    image,
    containerName,
    network: functionNetwork,
    cdiCards: facts.cdiCards,
  });
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

/** Below the ephemeral port range, so that a stopped function finds its port free again. */
const firstPort = 21_000;
const lastPort = 24_999;

function isPortFree(port: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: address, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Chooses a port: the previous one if it is free, else the next unused port that no other function holds.
 * @throws AppError 503 if there is none
 */
async function chooseFreePort(address: string, preferred: number | null, held: ReadonlySet<number>): Promise<number> {
  if (preferred !== null && !held.has(preferred) && (await isPortFree(preferred, address))) return preferred;
  for (let port = firstPort; port <= lastPort; port += 1) {
    if (!held.has(port) && (await isPortFree(port, address))) return port;
  }
  throw new AppError('unavailable', `No port from ${firstPort} to ${lastPort} is free for another function.`);
}
