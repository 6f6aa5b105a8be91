import type { ContainerUse } from '../engines/docker/container-use.ts';
import type { UseSeen } from '../numbers/call-numbers.ts';
import type { FunctionRecord } from '../records/function-record.ts';

interface Dependencies {
  /** Null if the container has ended. */
  readonly use: (containerId: string) => Promise<ContainerUse | null>;
  readonly saw: (use: UseSeen) => void;
}

const nsOfMs = 1e6;
const bytesPerMiB = 2 ** 20;

/** Samples the resource use of containers. Docker reports total CPU time, so a rate needs two samples. */
export function createUseSampler({ use, saw }: Dependencies) {
  const before = new Map<string, ContainerUse>();
  return {
    /** @param gpuMiB memory on all its GPUs; null if the driver does not report it */
    async look({ row }: FunctionRecord, gpuMiB: number | null): Promise<void> {
      const { container_id: id, name: functionId, version, state } = row;
      if (id === null || state !== 'ready') return;
      const now = await use(id);
      const last = before.get(id);
      if (now === null) {
        before.delete(id);
        return;
      }
      before.set(id, now);
      const passedNs = last === undefined ? 0 : (now.atMs - last.atMs) * nsOfMs;
      // CPU time restarts from 0 with the container.
      const isKnown = last !== undefined && passedNs > 0 && now.cpuNs >= last.cpuNs;
      const cpuCores = isKnown ? (now.cpuNs - last.cpuNs) / passedNs : null;
      const gpuMemoryBytes = gpuMiB === null ? null : gpuMiB * bytesPerMiB;
      saw({ functionId, version, cpuCores, memoryBytes: now.memoryBytes, gpuMemoryBytes });
    },
    keepOnly(ids: ReadonlySet<string>): void {
      for (const id of before.keys()) if (!ids.has(id)) before.delete(id);
    },
  };
}
