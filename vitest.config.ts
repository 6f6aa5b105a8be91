import { defineConfig } from 'vitest/config';
import { runReport } from './scripts/run-report.ts';

/** One project a folder of test/: `npm test` runs the first five, which need nothing but npm. */
const suites = 'unit db contract formats integration peers system power e2e electron docker sdk'.split(' ');
/** Suites whose tests ask a service by `fetch`: each answer is compared with the service's OpenAPI document. */
const checked = new Set(['contract', 'integration', 'sdk']);
const slow = new Set(['integration', 'system', 'power', 'e2e', 'electron', 'docker', 'sdk']);
/** One after the other: they measure, or use a screen, a daemon or a machine's whole memory. */
const alone = new Set(['system', 'power', 'electron', 'docker', 'sdk']);
/** Files of these share the modules of their worker: none replaces a part of the program, or leaves a global behind. */
const shared = new Set(['unit', 'db', 'contract', 'formats', 'integration', 'peers', 'e2e']);
/** All but these start the program, or its worker threads. */
const within = new Set(['unit', 'formats', 'peers']);
const bundle = 'test/support/bundle-program.ts';
const setupsOf = (name: string): string[] =>
  name === 'e2e' ? [bundle, 'test/e2e/support/build-renderer.ts'] : [bundle];
const patienceMs = 90_000;
const report = process.env['LIMNER_TEST_REPORT'];

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
