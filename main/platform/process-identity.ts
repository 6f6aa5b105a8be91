import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Distinguishes a process from a later one with the same process id by its start time, in the platform's own format
 * (never compared with a clock). `null` if the platform does not tell.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string | null;
  readonly host: string;
}

export function currentProcess(): ProcessIdentity {
  return { pid: process.pid, startTime: processStartTime(process.pid), host: hostname() };
}

/**
 * True while the process that `identity` names still runs. A process of another computer (a data directory on a network
 * drive, a container) cannot be checked from here and counts as running.
 */
export function isRunning(identity: ProcessIdentity): boolean {
  if (identity.host !== hostname()) return true;
  if (!processExists(identity.pid)) return false;
  const startTime = processStartTime(identity.pid);
  return startTime === null || identity.startTime === null || startTime === identity.startTime;
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function processStartTime(pid: number): string | null {
  try {
    if (process.platform === 'linux') return linuxStartTime(pid);
    if (process.platform === 'darwin') return ask('ps', ['-o', 'lstart=', '-p', String(pid)]);
    if (process.platform === 'win32') {
      const script = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`;
      return ask('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script]);
    }
  } catch {
    return null;
  }
  return null;
}

/** Clock ticks since boot (field 22 of proc(5) stat), with the boot's id, because ticks repeat after a restart. */
function linuxStartTime(pid: number): string | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the command in parentheses and may itself contain spaces and parentheses.
  const afterCommand = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has no open files: its parent has not yet read its exit status.
  if (afterCommand[0] === 'Z') return 'zombie';
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return afterCommand[19] === undefined ? null : `${boot}:${afterCommand[19]}`;
}

function ask(command: string, args: readonly string[]): string | null {
  const answer = execFileSync(command, [...args], {
    encoding: 'utf8',
    timeout: 5000,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    // Otherwise `ps` prints the date in the language of the user.
    env: { ...process.env, LC_ALL: 'C' },
  }).trim();
  return answer === '' ? null : answer;
}
