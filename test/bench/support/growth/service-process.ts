import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Linux counts CPU time in ticks of 10 ms. */
const tickMs = 10;
const restMs = 150;

/** CPU time of all threads of a process and of its ended child processes, such as Git. */
export async function cpuMsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name before the closing bracket may contain spaces. CPU times are fields 12 to 15 after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) * tickMs;
}

async function memoryOf(pid: number, name: 'VmHWM' | 'VmRSS'): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * 1024;
}

export const peakBytesOf = (pid: number): Promise<number> => memoryOf(pid, 'VmHWM');

/** Starts a new measurement of the peak, and returns the memory at this moment. */
export async function resetPeak(pid: number): Promise<number> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  return memoryOf(pid, 'VmRSS');
}

/**
 * Waits until the process has nothing to do in several windows of time. One window is not enough: the process may only
 * wait for a CPU. The requests of the other client use up to two ticks in a window.
 */
export async function untilAtRest(pid: number, windows = 2): Promise<void> {
  for (let quiet = 0; quiet < windows;) {
    const before = await cpuMsOf(pid);
    await sleep(restMs);
    quiet = (await cpuMsOf(pid)) - before <= 2 * tickMs ? quiet + 1 : 0;
  }
}
