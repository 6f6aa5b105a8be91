import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const projectRoot = join(import.meta.dirname, '..', '..');

/** The Node that the program runs under: the installed `node` package, otherwise the running one. */
export function nodeExecutable(): string {
  const names = process.platform === 'win32' ? ['node.exe'] : ['bin/node', 'node'];
  const installed = names
    .map((name) => join(projectRoot, 'node_modules', 'node', name))
    .find((path) => existsSync(path));
  return installed ?? process.execPath;
}

/** Set by `bundle-program.ts` for the suites that start the program. */
export const bundleVariable = 'LIMNER_TEST_PROGRAM';

/** Entry of the program in suites: from the bundle of this run, otherwise from its sources. */
export function programEntry(name: 'cli' | 'worker' | 'plugin-host'): string {
  const bundle = process.env[bundleVariable];
  return bundle === undefined ? join(projectRoot, 'main', `${name}.ts`) : join(bundle, `${name}.js`);
}

/** The compile cache is shared by the many starts of a test run, because compilation is half of a start. */
export const compileCache = { NODE_COMPILE_CACHE: join(projectRoot, '.cache', 'compile') };
