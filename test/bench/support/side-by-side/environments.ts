import { execFile } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../../support/node-executable.ts';

const run = promisify(execFile);

export type Environment = 'screen' | 'labelme' | 'x-anylabeling' | 'labelimg' | 'label-studio';

/** Interpreters to try in this order. labelme 7.9.1 needs Python 3.13 or 3.12, the others have no wheels for it. */
const interpreters: Readonly<Record<Environment, readonly string[]>> = {
  screen: ['python3.11', 'python3'],
  labelme: ['python3.13', 'python3.12'],
  'x-anylabeling': ['python3.11', 'python3'],
  labelimg: ['python3.11', 'python3'],
  'label-studio': ['python3.11', 'python3'],
};

const requirementsOf = (name: Environment) => join(import.meta.dirname, 'requirements', `${name}.txt`);

/** Release of a program: the first line of its requirements is `package==version`. */
export const versionOf = (name: Environment): string =>
  readFileSync(requirementsOf(name), 'utf8').trim().split('\n')[0]!.split('==')[1]!;

/** A virtual environment in `.cache` with a pinned release. Returns its folder. The first call installs it. */
export async function prepareEnvironment(name: Environment): Promise<string> {
  const folder = join(projectRoot, '.cache', `peer-${name}-${versionOf(name)}`);
  if (existsSync(join(folder, 'complete'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const reasons: string[] = [];
  for (const python of interpreters[name]) {
    try {
      console.log(`  Installing ${name} ${versionOf(name)} into ${folder} …`);
      await run(python, ['-m', 'venv', folder]);
      const pip = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--disable-pip-version-check'];
      await run(join(folder, 'bin', 'python'), [...pip, '-r', requirementsOf(name)], { maxBuffer: 2 ** 26 });
      // Compiled beforehand, so that no program compiles modules while it is measured.
      await run(join(folder, 'bin', 'python'), ['-m', 'compileall', '-q', join(folder, 'lib')]).catch(() => undefined);
      await run('touch', [join(folder, 'complete')]);
      return folder;
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
      if (existsSync(folder)) {
        renameSync(folder, partial);
        rmSync(partial, { recursive: true, force: true });
      }
    }
  }
  throw new Error(`Cannot install ${name} ${versionOf(name)}: ${reasons.join('; ')}`);
}
