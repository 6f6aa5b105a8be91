import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { usage } from './exit-codes.ts';

/**
 * File that an `--output` option means: a folder gets `name`, other paths are the file itself.
 * @throws CommandError `usage` for a path that ends like a folder and does not exist
 */
export function outputFile(output: string | undefined, name: string): string {
  const path = resolve(output ?? '.');
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return join(path, name);
  if (found === undefined && /[/\\]$/.test(output ?? '')) {
    throw usage(`Cannot write to ${output}: the folder does not exist. Create it, or check the path.`);
  }
  return path;
}
