import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Root of the repository. */
export const projectRoot = join(import.meta.dirname, '..', '..');

/** The Node that the program runs under: the installed `node` package, else the running one. */
export function nodeExecutable(): string {
  const names = process.platform === 'win32' ? ['node.exe'] : ['bin/node', 'node'];
  const installed = names
    .map((name) => join(projectRoot, 'node_modules', 'node', name))
    .find((path) => existsSync(path));
  return installed ?? process.execPath;
}

/** Set by `bundle-program.ts` for the suites that start the program. */
export const bundleVariable = 'LIMNER_TEST_PROGRAM';

/** An entry of the program as the suites start it: from the bundle of this run, without one from its sources. */
export function programEntry(name: 'cli' | 'worker' | 'plugin-host'): string {
  const bundle = process.env[bundleVariable];
  return bundle === undefined ? join(projectRoot, 'main', `${name}.ts`) : join(bundle, `${name}.js`);
}

/** Compiled code is kept between the many starts of a test run: half of a start is the compilation. */
export const compileCache = { NODE_COMPILE_CACHE: join(projectRoot, '.cache', 'compile') };
