import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a process by `--import`. The first SIGUSR2 starts the measurement, the next one writes the delays of the
 * main thread's event loop to the file that LIMNER_BENCH_DELAYS names.
 */
const file = process.env['LIMNER_BENCH_DELAYS'];

if (isMainThread && file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  let isMeasuring = false;
  process.on('SIGUSR2', () => {
    isMeasuring = !isMeasuring;
    if (isMeasuring) {
      delays.reset();
      delays.enable();
      return;
    }
    delays.disable();
    const ms = (nanoseconds: number) => nanoseconds / 1e6;
    writeFileSync(file, JSON.stringify({ p99Ms: ms(delays.percentile(99)), maxMs: ms(delays.max) }));
  });
}
