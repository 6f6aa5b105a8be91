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
