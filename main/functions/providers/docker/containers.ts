import type Docker from 'dockerode';
import { containerPort, functionLabels } from './container-options.ts';
import { statusOf } from './engine-problem.ts';

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

/** Filters for the containers of one data directory, or of one function in it. */
export const containerLabels = (instance: string, name?: string): string[] => [
  `${functionLabels.instance}=${instance}`,
  ...(name === undefined ? [] : [`${functionLabels.function}=${name}`]),
];

export function listContainers(docker: Docker, instance: string, name?: string): Promise<Docker.ContainerInfo[]> {
  return docker.listContainers({ all: true, filters: { label: containerLabels(instance, name) } });
}

export async function removeContainersOf(docker: Docker, instance: string, name: string): Promise<void> {
  for (const { Id } of await listContainers(docker, instance, name)) await removeContainer(docker, Id);
}

export async function removeContainer(docker: Docker, id: string): Promise<void> {
  try {
    await docker.getContainer(id).remove({ force: true, v: true });
  } catch (error) {
    // Gone, or on its way.
    const status = statusOf(error);
    if (status !== 404 && status !== 409) throw error;
  }
}

/** Null where the container is gone. */
export async function inspectContainer(docker: Docker, id: string): Promise<ContainerFacts | null> {
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
