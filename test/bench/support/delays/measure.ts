import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type * as PerformanceHooks from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ElectronApplication } from 'playwright-core';
import { nodeExecutable } from '../../../support/node-executable.ts';

/** Delays of a main thread's event loop. They contain the resolution of the measurement, 1 ms. */
export interface Delays {
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Starts a measurement and returns a function that ends it. */
export type MeasureDelays = () => Promise<() => Promise<Delays>>;

const probe = join(import.meta.dirname, 'probe.ts');
const waitMs = 20;
const mostWaits = 500;

/** Node.js options and environment of a process that {@link delaysOf} measures. */
export const measurable = (file: string) => ({
  nodeOptions: ['--import', probe],
  env: { LIMNER_BENCH_DELAYS: file },
});

/** @param file as given to {@link measurable} */
export const delaysOf =
  (pid: number, file: string): MeasureDelays =>
  async () => {
    rmSync(file, { force: true });
    process.kill(pid, 'SIGUSR2');
    await sleep(waitMs);
    return async () => {
      process.kill(pid, 'SIGUSR2');
      for (let waits = 0; !existsSync(file) && waits < mostWaits; waits += 1) await sleep(waitMs);
      // The file is small, but it may exist before it is written.
      await sleep(waitMs);
      return JSON.parse(readFileSync(file, 'utf8')) as Delays;
    };
  };

/** A process that only waits: what a window's thread loses to the computer alone. */
export async function startIdleProcess(file: string) {
  const { nodeOptions, env } = measurable(file);
  const script = 'setInterval(() => undefined, 1e6); console.log("ready")';
  const child = spawn(nodeExecutable(), [...nodeOptions, '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  await once(child.stdout, 'data');
  return { measure: delaysOf(child.pid ?? 0, file), stop: () => void child.kill('SIGKILL') };
}

declare global {
  // eslint-disable-next-line no-var -- globals need it
  var measuredDelays: { percentile(share: number): number; readonly max: number; disable(): void } | undefined;
}

/** The main process of Electron. */
export const delaysOfElectron =
  (electron: ElectronApplication): MeasureDelays =>
  async () => {
    await electron.evaluate(() => {
      const hooks = process.mainModule?.require('node:perf_hooks') as typeof PerformanceHooks;
      const delays = hooks.monitorEventLoopDelay({ resolution: 1 });
      delays.enable();
      globalThis.measuredDelays = delays;
    });
    return () =>
      electron.evaluate(() => {
        const delays = globalThis.measuredDelays;
        delays?.disable();
        return { p99Ms: (delays?.percentile(99) ?? NaN) / 1e6, maxMs: (delays?.max ?? NaN) / 1e6 };
      });
  };
