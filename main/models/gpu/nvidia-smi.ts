import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { GraphicsCard } from './gpu-budget.ts';

const execute = promisify(execFile);
const timeoutMs = 5000;

/** The driver's own tool, with a list of arguments; its standard output. Rejects where there is none. */
export type NvidiaSmi = (args: readonly string[]) => Promise<string>;

export const systemNvidiaSmi: NvidiaSmi = async (args) => {
  const { stdout } = await execute('nvidia-smi', [...args], { timeout: timeoutMs, windowsHide: true });
  return stdout;
};

/**
 * The cards of this machine; none where the driver's tool is not there. With an Engine in a virtual machine or elsewhere
 * they are not always the Engine's.
 */
export async function listCards(run: NvidiaSmi): Promise<GraphicsCard[]> {
  const text = await run(['--query-gpu=index,uuid,name,memory.total', '--format=csv,noheader,nounits']).catch(() => '');
  return text
    .split('\n')
    .map((line) => line.split(',').map((cell) => cell.trim()))
    .filter(([index = '', uuid = '', , memory = '']) => /^\d+$/.test(index) && uuid !== '' && /^\d+$/.test(memory))
    .map(([index, uuid = '', name = '', memory]) => ({ index: Number(index), uuid, name, memoryMiB: Number(memory) }));
}

/** Memory that each process holds on each card, in MiB: by the process ids of this machine. */
export async function memoryByProcess(run: NvidiaSmi): Promise<Map<number, number>> {
  const text = await run(['--query-compute-apps=pid,used_memory', '--format=csv,noheader,nounits']).catch(() => '');
  const found = new Map<number, number>();
  for (const line of text.split('\n')) {
    const [pid = '', memory = ''] = line.split(',').map((cell) => cell.trim());
    // Where the driver cannot tell (in a virtual machine) it says "[N/A]".
    if (/^\d+$/.test(pid) && /^\d+$/.test(memory)) {
      found.set(Number(pid), (found.get(Number(pid)) ?? 0) + Number(memory));
    }
  }
  return found;
}
