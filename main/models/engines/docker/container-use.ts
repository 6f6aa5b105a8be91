import type Docker from 'dockerode';
import { statusOf } from './engine-problem.ts';

export interface ContainerUse {
  readonly atMs: number;
  /** Of all processors, since the container began. */
  readonly cpuNs: number;
  /** Without what the system keeps of files. */
  readonly memoryBytes: number;
}

/** Null where the container does not run. */
export async function readContainerUse(docker: Docker, id: string): Promise<ContainerUse | null> {
  try {
    const {
      read,
      cpu_stats: cpu,
      memory_stats: memory,
    } = await docker.getContainer(id).stats({ stream: false, 'one-shot': true });
    const atMs = Date.parse(read);
    const usage = Number(memory.usage);
    if (!Number.isFinite(usage) || atMs <= 0) return null;
    // The second version of control groups names it without `total_`.
    const stats: object = memory.stats ?? {};
    const cached = Number(Reflect.get(stats, 'inactive_file') ?? Reflect.get(stats, 'total_inactive_file') ?? 0);
    return { atMs, cpuNs: cpu.cpu_usage.total_usage, memoryBytes: Math.max(0, usage - cached) };
  } catch (error) {
    const status = statusOf(error);
    if (status === 404 || status === 409) return null;
    throw error;
  }
}
