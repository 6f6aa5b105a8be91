import { statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { runReport } from './scripts/run-report.ts';

/** One project per folder of test/. `npm test` runs the first five, which need only npm. */
const suites =
  'unit db contract formats integration faults peers system power e2e electron electron-22 docker sdk'.split(' ');
/** Suites that call the service by `fetch`. Each answer is checked against its OpenAPI document. */
const checked = new Set(['contract', 'integration', 'faults', 'sdk']);
const slow = new Set(['integration', 'faults', 'system', 'power', 'e2e', 'electron', 'electron-22', 'docker', 'sdk']);
/** Files run one after the other, because they measure, or use a screen, a daemon or all memory of the machine. */
const alone = new Set(['system', 'power', 'electron', 'electron-22', 'docker', 'sdk']);
/** Files share the modules of their worker: none replaces a part of the program or leaves a global. */
const shared = new Set(['unit', 'db', 'contract', 'formats', 'integration', 'faults', 'peers', 'e2e']);
/** Suites that start neither the program nor its worker threads from the bundle. */
const within = new Set(['unit', 'formats', 'peers', 'electron-22']);
/** These suites do not test durability, so they run on a RAM disk: each commit would otherwise wait for the disk. */
const inMemory = new Set(['db', 'contract', 'formats', 'integration', 'faults']);
/** The suites of `npm test`. */
const quick = new Set(['unit', 'db', 'contract', 'formats', 'integration']);
/** Quick suites wait for other processes and timers. Vitest limits a percentage to 100%. */
const quickWorkers = Math.ceil(1.5 * availableParallelism());
const bundle = 'test/support/bundle-program.ts';
const setupsOf = (name: string): string[] =>
  name === 'e2e' ? [bundle, 'test/e2e/support/build-renderer.ts'] : [bundle];
/** Electron 22 runs the tests of the stand-in too. */
const foldersOf = (name: string): string[] => (name === 'electron-22' ? ['electron', name] : [name]);
const patienceMs = 90_000;
const roomBytes = 4e9;
const report = process.env['LIMNER_TEST_REPORT'];

/** Linux's RAM disk, if it has space. Containers often have only 64 MB of it. */
function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize < roomBytes ? undefined : '/dev/shm';
  } catch {
    return undefined;
  }
}
const memory = memoryFolder();

export default defineConfig({
  test: {
    ...(report === undefined ? {} : { reporters: ['default', runReport(report)] }),
    // Differences are printed in full, because a CI log may be cut to its end.
    chaiConfig: { truncateThreshold: 0 },
    // By default one CPU is reserved for Vitest's main process, which is mostly idle.
    maxWorkers: '100%',
    projects: suites.map((name) => ({
      test: {
        name,
        include: foldersOf(name).map((folder) => `test/${folder}/**/*.test.ts`),
        environment: 'node',
        ...(name === 'electron-22' ? { env: { LIMNER_DESKTOP: name } } : {}),
        ...(inMemory.has(name) && memory !== undefined ? { env: { TMPDIR: memory } } : {}),
        ...(checked.has(name) ? { setupFiles: ['test/support/check-answers.ts'] } : {}),
        ...(within.has(name) ? {} : { globalSetup: setupsOf(name) }),
        testTimeout: slow.has(name) ? 2 * patienceMs : patienceMs,
        hookTimeout: slow.has(name) ? 2 * patienceMs : patienceMs,
        // Generous, because slow machines must not fail tests.
        expect: { poll: { timeout: patienceMs, interval: 20 } },
        ...(quick.has(name)
          ? // All CPUs are busy with other workers, so that garbage collection in several threads costs only overhead.
            { maxWorkers: quickWorkers, execArgv: ['--single-threaded-gc'] }
          : // Vitest needs a separate group for each number of workers.
            alone.has(name)
            ? { fileParallelism: false }
            : { sequence: { groupOrder: 1 } }),
        isolate: !shared.has(name),
      },
    })),
  },
});
