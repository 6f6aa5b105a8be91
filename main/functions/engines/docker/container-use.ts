import type Docker from 'dockerode';
import { unlessAnswered } from './engine-problem.ts';

export interface ContainerUse {
  readonly atMs: number;
  /** CPU time over all cores since the container started. */
  readonly cpuNs: number;
  /** Without the system's file cache. */
  readonly memoryBytes: number;
}

/** Null if the container is not running. */
export async function readContainerUse(docker: Docker, id: string): Promise<ContainerUse | null> {
  const now = () => docker.getContainer(id).stats({ stream: false, 'one-shot': true });
  const seen = await unlessAnswered([404, 409], now);
  if (seen === null) return null;
  const atMs = Date.parse(seen.read);
  const usage = Number(seen.memory_stats.usage);
  if (!Number.isFinite(usage) || atMs <= 0) return null;
  // cgroup v2 names the field without `total_`.
  const stats: object = seen.memory_stats.stats ?? {};
  const cached = Number(Reflect.get(stats, 'inactive_file') ?? Reflect.get(stats, 'total_inactive_file') ?? 0);
  return { atMs, cpuNs: seen.cpu_stats.cpu_usage.total_usage, memoryBytes: Math.max(0, usage - cached) };
}
