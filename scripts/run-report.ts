import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Appends one line to `file` for each run of suites: the number of tests, the skipped tests with their reasons, and the
 * files with failures. CI reads it at the end, so that no skipped test goes unnoticed.
 */
export function runReport(file: string): Reporter {
  return {
    onTestRunEnd(modules: readonly TestModule[]) {
      const nameOf = (module: TestModule): string => relative(process.cwd(), module.moduleId);
      const tests = modules.flatMap((module) => [...module.children.allTests()]);
      const skipped = tests.flatMap((test) => {
        const result = test.result();
        if (result.state !== 'skipped') return [];
        const reason = result.note ?? 'no reason given';
        return [`${nameOf(test.module)} › ${test.fullName} (${reason})`];
      });
      const failed = modules.filter((module) => !module.ok()).map(nameOf);
      appendFileSync(file, `${JSON.stringify({ tests: tests.length, skipped, failed })}\n`);
    },
  };
}
