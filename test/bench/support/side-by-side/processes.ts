import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const stopMs = 5000;

/** Ends all descendants of this process when it exits or is interrupted, so that no program stays on its screen. */
export function endWithThisProcess(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  process.once('exit', () => {
    for (const { pid, started } of treeOf(process.pid).slice(1)) endNow(pid, started);
  });
}

export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Ends the process and all its descendants. */
  readonly stop: () => Promise<void>;
}

export function start(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Started {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...env } });
  const exited = once(child, 'exit').catch(() => undefined);
  const pid = child.pid ?? 0;
  return {
    child,
    pid,
    async stop() {
      const all = treeOf(pid);
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await Promise.race([exited, sleep(stopMs)]);
      for (const one of all.toReversed()) endNow(one.pid, one.started);
    },
  };
}

/** Ends all descendants of a process: first those that it started, which then end their own in order. */
export async function endDescendants(pid: number): Promise<void> {
  const below = treeOf(pid).slice(1);
  for (const child of below.filter(({ parent }) => parent === pid)) process.kill(child.pid, 'SIGTERM');
  const until = Date.now() + stopMs;
  const isAlive = (one: Process): boolean => processOf(one.pid)?.started === one.started;
  while (below.some(isAlive) && Date.now() < until) await sleep(20);
  for (const one of below.toReversed()) endNow(one.pid, one.started);
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Ticks since the start of the computer; tells a process from a later one with the same id. */
  readonly started: string;
}

function processOf(pid: number): Process | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before the closing bracket may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(fields[1]), started: fields[19] ?? '' };
  } catch {
    return null;
  }
}

function endNow(pid: number, started: string): void {
  if (processOf(pid)?.started !== started) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended in between.
  }
}

function treeOf(root: number): Process[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (processOf(Number(name)) ?? []) : []));
  const children = Map.groupBy(all, ({ parent }) => parent);
  const below = (one: Process): Process[] => [one, ...(children.get(one.pid) ?? []).flatMap(below)];
  const first = all.find(({ pid }) => pid === root);
  return first === undefined ? [] : below(first);
}

/** Proportional set size of a process in bytes: shared pages count once. 0 if it has ended. */
function pssOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Proportional set size of processes and all their descendants, in bytes. */
export const memoryOf = (pids: readonly number[]): number =>
  pids.flatMap(treeOf).reduce((sum, { pid }) => sum + pssOf(pid), 0);

/** The same for the descendants of this process, by the role of a process in Chromium (`renderer`, `gpu-process`, …). */
export function memoryByRole(): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const { pid } of treeOf(process.pid).slice(1)) {
    const role = roleOf(pid);
    sizes.set(role, (sizes.get(role) ?? 0) + pssOf(pid));
  }
  return sizes;
}

function roleOf(pid: number): string {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    const role = /--utility-sub-type=(\w+)/.exec(command)?.[1] ?? /--type=([\w-]+)/.exec(command)?.[1];
    return role ?? (/chrom/i.test(command.split('\0')[0] ?? '') ? 'browser' : 'service');
  } catch {
    return 'ended';
  }
}
