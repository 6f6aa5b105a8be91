import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startFullWorkbench } from '../faults/backup/full-workbench.ts';
import { wholeState, type WholeState } from '../faults/backup/whole-state.ts';
import { compileCache, nodeExecutable, programEntry } from '../support/node-executable.ts';
import type { BenchOptions } from './support/options.ts';
import { asRatio, inMegabytes, inSeconds } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const images = 10_000;
const shapes = 1_000_000;

/**
 * Creates a backup, wipes the workbench and restores it. Compares every row and byte, and the time of a plain copy of
 * the files.
 */
export async function bench({ scale }: BenchOptions): Promise<void> {
  const size = { images: Math.ceil(images * scale), shapes: Math.ceil(shapes * scale), video: true };
  await withWorkspace(async (folder) => {
    const original = join(folder, 'original');
    await (await startFullWorkbench(original, size)).stop();
    const before = wholeState(original);
    const copyMs = timed(() => cpSync(original, join(folder, 'copy'), { recursive: true }));
    rmSync(join(folder, 'copy'), { recursive: true });
    const file = join(folder, 'whole.limner');
    const backup = await measured(['backup', '--data-dir', original, '--output', file]);
    rmSync(original, { recursive: true });
    mkdirSync(original);
    const restore = await measured(['restore', file, '--data-dir', original]);
    requireSame(before, wholeState(original));
    printTable(
      `${size.images.toLocaleString('en')} images, ${size.shapes.toLocaleString('en')} shapes: ${Object.keys(before).length.toLocaleString('en')} tables and files`,
      ['', 'time', 'ratio', 'peak memory'],
      [
        ['anchor: the files copied', inSeconds(copyMs), asRatio(copyMs, copyMs), '–'],
        ['backup', inSeconds(backup.ms), asRatio(backup.ms, copyMs), inMegabytes(backup.peakBytes)],
        ['restore', inSeconds(restore.ms), asRatio(restore.ms, copyMs), inMegabytes(restore.peakBytes)],
      ],
    );
    printNote(`The file has ${inMegabytes(statSync(file).size)}. Wiped and restored, no row and no byte differs.`);
  });
}

function timed(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

async function measured(args: readonly string[]) {
  const started = performance.now();
  const child = spawn(nodeExecutable(), [programEntry('cli'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...compileCache },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = text));
  let peakBytes: number | null = null;
  const look = setInterval(() => (peakBytes = peakOf(child.pid ?? 0) ?? peakBytes), 50);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(look);
  if (code !== 0) throw new Error(`limner ${args[0]} ended with ${code}: ${said}`);
  return { ms: performance.now() - started, peakBytes };
}

/** Only Linux reports the peak memory. */
function peakOf(pid: number): number | null {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}

function requireSame(before: WholeState, after: WholeState): void {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const different = [...names].filter((name) => before[name] !== after[name]);
  if (different.length > 0) throw new Error(`The restored workbench differs in ${different.join(', ')}.`);
}
