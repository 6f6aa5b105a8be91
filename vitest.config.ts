import { defineConfig } from 'vitest/config';

/** One project a folder of test/: `npm test` runs the first five, which need nothing but npm. */
const suites = ['unit', 'db', 'contract', 'formats', 'integration', 'e2e', 'electron', 'docker', 'sdk'];
const inBrowser = new Set(['e2e', 'electron']);
/** Suites whose tests ask a service by `fetch`: each answer is compared with the service's OpenAPI document. */
const checked = new Set(['contract', 'integration', 'sdk']);
const slow = new Set(['integration', 'e2e', 'electron', 'docker', 'sdk']);

export default defineConfig({
  test: {
    projects: suites.map((name) => ({
      test: {
        name,
        include: [`test/${name}/**/*.test.ts`],
        environment: 'node',
        ...(checked.has(name) ? { setupFiles: ['test/support/check-answers.ts'] } : {}),
        testTimeout: slow.has(name) ? 180_000 : 90_000,
        hookTimeout: slow.has(name) ? 180_000 : 90_000,
        ...(slow.has(name) ? { fileParallelism: false } : {}),
        // A browser on a busy machine may miss a moment; a second miss is a failure.
        retry: inBrowser.has(name) ? 1 : 0,
      },
    })),
  },
});
