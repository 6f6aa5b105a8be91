import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Gpu } from './gpu-budget.ts';

const execute = promisify(execFile);
const timeoutMs = 5000;

/** Runs `nvidia-smi` with arguments and returns its standard output. Rejects if it is not installed. */
export type NvidiaSmi = (args: readonly string[]) => Promise<string>;

export const systemNvidiaSmi: NvidiaSmi = async (args) => {
  const { stdout } = await execute('nvidia-smi', [...args], { timeout: timeoutMs, windowsHide: true });
  return stdout;
};

export interface GpuSnapshot extends Gpu {
  /** Total use; null if the driver does not report it. */
  readonly usedMiB: number | null;
}

const isNumber = (text: string) => /^\d+$/.test(text);
const cellsOf = (text: string): string[][] =>
  text.split('\n').map((line) => line.split(',').map((cell) => cell.trim()));

/**
 * GPUs of this computer; empty without `nvidia-smi`. A GPU in MIG mode is listed as its slices. If Docker runs in a
 * virtual machine or remotely, its GPUs may differ.
 */
export async function listGpus(run: NvidiaSmi): Promise<GpuSnapshot[]> {
  const columns = 'index,uuid,name,memory.total,memory.used,mig.mode.current';
  const text = await run([`--query-gpu=${columns}`, '--format=csv,noheader,nounits']).catch(() => '');
  const rows = cellsOf(text).filter(
    ([index = '', uuid = '', , memory = '']) => isNumber(index) && uuid !== '' && isNumber(memory),
  );
  const cards = rows.map(([index, uuid = '', name = '', memory, used = '', mig = '']) => ({
    card: {
      index: Number(index),
      uuid,
      name,
      memoryMiB: Number(memory),
      usedMiB: isNumber(used) ? Number(used) : null,
    },
    isCut: mig === 'Enabled',
  }));
  if (!cards.some(({ isCut }) => isCut)) return cards.map(({ card }) => card);
  const slices = await listSlices(run);
  return cards.flatMap(({ card, isCut }) => (isCut ? slices.filter(({ index }) => index === card.index) : [card]));
}

/** Usable memory per nominal gigabyte in a slice's name; slightly less than nominal. */
const sliceMiBPerGigabyte = 0.95 * 1024;

/** `nvidia-smi -L` does not report the memory use of slices. */
async function listSlices(run: NvidiaSmi): Promise<GpuSnapshot[]> {
  const text = await run(['-L']).catch(() => '');
  const found: GpuSnapshot[] = [];
  let index = 0;
  for (const line of text.split('\n')) {
    index = Number(/^GPU (\d+):/.exec(line)?.[1] ?? index);
    const [, profile = '', uuid = ''] = /^\s+MIG (\S+)\s.*\(UUID: (MIG-[^)]+)\)/.exec(line) ?? [];
    const gigabytes = Number(/\.(\d+)gb/.exec(profile)?.[1] ?? 0);
    if (uuid === '' || gigabytes === 0) continue;
    const memoryMiB = Math.floor(gigabytes * sliceMiBPerGigabyte);
    found.push({ index, uuid, name: `MIG ${profile}`, memoryMiB, usedMiB: null });
  }
  return found;
}

/** Memory of each process in MiB, by GPU UUID and process id. */
export async function memoryByProcess(run: NvidiaSmi): Promise<Map<string, Map<number, number>>> {
  const columns = 'gpu_uuid,pid,used_memory';
  const text = await run([`--query-compute-apps=${columns}`, '--format=csv,noheader,nounits']).catch(() => '');
  const found = new Map<string, Map<number, number>>();
  for (const [uuid = '', pid = '', memory = ''] of cellsOf(text)) {
    // In virtual machines the driver reports "[N/A]".
    if (uuid === '' || !isNumber(pid) || !isNumber(memory)) continue;
    const onCard = found.get(uuid) ?? new Map<number, number>();
    found.set(uuid, onCard.set(Number(pid), (onCard.get(Number(pid)) ?? 0) + Number(memory)));
  }
  return found;
}
