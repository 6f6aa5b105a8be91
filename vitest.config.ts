import { statfsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { runReport } from './scripts/run-report.ts';

/** One project a folder of test/: `npm test` runs the first five, which need nothing but npm. */
const suites = 'unit db contract formats integration faults peers system power e2e electron docker sdk'.split(' ');
/** Suites whose tests ask a service by `fetch`: each answer is compared with the service's OpenAPI document. */
const checked = new Set(['contract', 'integration', 'faults', 'sdk']);
const slow = new Set(['integration', 'faults', 'system', 'power', 'e2e', 'electron', 'docker', 'sdk']);
/** One after the other: they measure, or use a screen, a daemon or a machine's whole memory. */
const alone = new Set(['system', 'power', 'electron', 'docker', 'sdk']);
/** Files of these share the modules of their worker: none replaces a part of the program, or leaves a global behind. */
const shared = new Set(['unit', 'db', 'contract', 'formats', 'integration', 'faults', 'peers', 'e2e']);
/** All but these start the program, or its worker threads. */
const within = new Set(['unit', 'formats', 'peers']);
/** What a disk keeps is no matter of these: each of their commits would wait for it. */
const inMemory = new Set(['db', 'contract', 'formats', 'integration', 'faults']);
const bundle = 'test/support/bundle-program.ts';
const setupsOf = (name: string): string[] =>
  name === 'e2e' ? [bundle, 'test/e2e/support/build-renderer.ts'] : [bundle];
const patienceMs = 90_000;
const roomBytes = 4e9;
const report = process.env['LIMNER_TEST_REPORT'];

/** Linux's file system in memory, where it has room: containers are often given 64 MB of it. */
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
    // What differs is printed whole: the end of a run may be all that is left of it.
    chaiConfig: { truncateThreshold: 0 },
    // One would be left to the run itself, which has little to do.
    maxWorkers: '100%',
    projects: suites.map((name) => ({
      test: {
        name,
        include: [`test/${name}/**/*.test.ts`],
        environment: 'node',
        ...(inMemory.has(name) && memory !== undefined ? { env: { TMPDIR: memory } } : {}),
        ...(checked.has(name) ? { setupFiles: ['test/support/check-answers.ts'] } : {}),
        ...(within.has(name) ? {} : { globalSetup: setupsOf(name) }),
        testTimeout: slow.has(name) ? 2 * patienceMs : patienceMs,
        hookTimeout: slow.has(name) ? 2 * patienceMs : patienceMs,
        // What is waited for comes when the machine has time for it: only its never coming is a failure.
        expect: { poll: { timeout: patienceMs, interval: 20 } },
        ...(alone.has(name) ? { fileParallelism: false } : {}),
        isolate: !shared.has(name),
      },
    })),
  },
});
