import type { FunctionConfiguration } from '../configuration/function-configuration.ts';
import { byteText } from '../configuration/quantities.ts';

/** What the Engine has to give. */
export interface EngineCapacity {
  readonly cpuCores: number;
  readonly memoryBytes: number;
}

/** What one container gets: always a limit on each. */
export interface ResourcePlan {
  readonly cpuCores: number;
  readonly memoryBytes: number;
  readonly workers: number;
  readonly warnings: readonly string[];
}

/** Share of the memory for a function that does not say how much it needs: the rest keeps the computer usable. */
const defaultMemoryShare = 0.75;
const reservedMemoryShare = 0.95;

/** Limits clamped to what is there, with a sentence for each that had to be. */
export function planResources(
  { resources, trigger }: Pick<FunctionConfiguration, 'resources' | 'trigger'>,
  capacity: EngineCapacity,
): ResourcePlan {
  const warnings: string[] = [];
  let cpuCores = resources.cpuCores ?? capacity.cpuCores;
  if (cpuCores > capacity.cpuCores) {
    warnings.push(`${cpuCores} CPU cores are wanted; this computer gives its ${capacity.cpuCores}.`);
    cpuCores = capacity.cpuCores;
  }
  const most = Math.floor(capacity.memoryBytes * reservedMemoryShare);
  let memoryBytes = resources.memoryBytes ?? Math.floor(capacity.memoryBytes * defaultMemoryShare);
  if (memoryBytes > most) {
    warnings.push(`${byteText(memoryBytes)} of memory are wanted; this computer gives ${byteText(most)}.`);
    memoryBytes = most;
  }
  return { cpuCores, memoryBytes, workers: trigger.workers ?? 1, warnings };
}
