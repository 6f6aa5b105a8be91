import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Appends to `file` one line for each run of suites: how many tests ran, and each that was left out, with its reason.
 * What runs everything reads it at its end, so that nothing is left out unseen.
 */
export function skipReport(file: string): Reporter {
  return {
    onTestRunEnd(modules: readonly TestModule[]) {
      const tests = modules.flatMap((module) => [...module.children.allTests()]);
      const skipped = tests.flatMap((test) => {
        const result = test.result();
        if (result.state !== 'skipped') return [];
        const reason = result.note ?? 'no reason given';
        return [`${relative(process.cwd(), test.module.moduleId)} › ${test.fullName} (${reason})`];
      });
      appendFileSync(file, `${JSON.stringify({ tests: tests.length, skipped })}\n`);
    },
  };
}
