import type Docker from 'dockerode';
import type { HostRestartPolicy } from 'dockerode';
import { containerPort, functionLabels } from './container-options.ts';
import { statusOf, unlessAnswered } from './engine-problem.ts';

export interface ContainerFacts {
  readonly id: string;
  readonly functionName: string;
  readonly isRunning: boolean;
  /** Port on this computer; null while the container is stopped. */
  readonly port: number | null;
  /** Link id of a function that is called without a network. */
  readonly link: string | null;
  readonly network: string;
  readonly exitCode: number;
  readonly isOutOfMemory: boolean;
  readonly restarts: number;
  readonly error: string;
}

/** Label filters for the containers of one data directory, or of one function in it. */
export const containerLabels = (instance: string, name?: string): string[] => [
  `${functionLabels.instance}=${instance}`,
  ...(name === undefined ? [] : [`${functionLabels.function}=${name}`]),
];

export function listContainers(docker: Docker, instance: string, name?: string): Promise<Docker.ContainerInfo[]> {
  return docker.listContainers({ all: true, filters: { label: containerLabels(instance, name) } });
}

/** Removes all containers of a function except an optional one. @returns ids of links that are unused then */
export async function removeContainersOf(
  docker: Docker,
  instance: string,
  name: string,
  except?: string,
): Promise<string[]> {
  const found = (await listContainers(docker, instance, name)).filter(({ Id }) => Id !== except);
  for (const { Id } of found) await removeContainer(docker, Id);
  return linksOf(found);
}

/** Stops without a grace period, because the resources are needed. @returns ids of links that are unused then */
export async function stopContainersOf(docker: Docker, instance: string, name: string): Promise<string[]> {
  const found = await listContainers(docker, instance, name);
  for (const { Id } of found) await stopContainer(docker, Id, 0);
  return linksOf(found);
}

/** Links of a function's containers, except for one container. */
export async function linksOfFunction(
  docker: Docker,
  instance: string,
  name: string,
  except: string,
): Promise<string[]> {
  return linksOf((await listContainers(docker, instance, name)).filter(({ Id }) => Id !== except));
}

const linksOf = (found: readonly Docker.ContainerInfo[]): string[] =>
  found.flatMap(({ Labels }) => Labels[functionLabels.link] ?? []);

export async function stopContainer(docker: Docker, id: string, graceSeconds: number): Promise<void> {
  // Already stopped or removed.
  await unlessAnswered([304, 404], () => docker.getContainer(id).stop({ t: graceSeconds }));
}

export async function removeContainer(docker: Docker, id: string): Promise<void> {
  // Removed, or removal in progress.
  await unlessAnswered([404, 409], () => docker.getContainer(id).remove({ force: true, v: true }));
}

/** Returns false if the engine cannot change the policy (older Podman). */
export async function setRestartPolicy(docker: Docker, id: string, policy: HostRestartPolicy): Promise<boolean> {
  try {
    await docker.getContainer(id).update({ RestartPolicy: policy });
    return true;
  } catch (error) {
    // Docker's 404 names the missing container. Podman's 404 may also mean an unknown path.
    if (statusOf(error) !== 404 || (await inspectContainer(docker, id)) === null) throw error;
    return false;
  }
}

/** Null if the container does not exist. */
export async function inspectContainer(docker: Docker, id: string): Promise<ContainerFacts | null> {
  const found = await unlessAnswered([404], () => docker.getContainer(id).inspect());
  if (found === null) return null;
  const { Id, Config, State, HostConfig, NetworkSettings, RestartCount } = found;
  const isRunning = State.Running && !State.Restarting;
  const link = Config.Labels[functionLabels.link] ?? null;
  const linkPort = isRunning && link !== null ? Number(Config.Labels[functionLabels.port]) : null;
  const [binding] = NetworkSettings.Ports?.[`${containerPort}/tcp`] ?? [];
  return {
    id: Id,
    functionName: Config.Labels[functionLabels.function] ?? '',
    isRunning,
    port: binding ? Number(binding.HostPort) : linkPort,
    link,
    network: HostConfig.NetworkMode ?? '',
    exitCode: State.ExitCode,
    isOutOfMemory: State.OOMKilled,
    restarts: RestartCount,
    error: State.Error,
  };
}
