import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { runLimner } from './support/run-limner.ts';

const run = promisify(execFile);

/** What bash offers for the last word of a line. */
async function offered(script: string, ...words: readonly string[]): Promise<string[]> {
  const ask = 'source "$1"; shift; COMP_WORDS=(limner "$@"); COMP_CWORD=$#; _limner; printf "%s\\n" "${COMPREPLY[@]}"';
  const { stdout } = await run('bash', ['--norc', '-c', ask, 'bash', script, ...words]);
  return stdout.split('\n').filter((word) => word !== '');
}

it.skipIf(process.platform === 'win32')('bash completes commands, those below them, and their options', async () => {
  const { output, exitCode } = await runLimner(['completion', 'bash']);
  expect(exitCode).toBe(0);
  const script = join(sharedFolder(), 'limner.bash');
  writeFileSync(script, output);
  expect(await offered(script, 'ser')).toEqual(['serve']);
  expect(await offered(script, '')).toEqual(expect.arrayContaining(['import', 'export', 'function', 'evaluate']));
  expect(await offered(script, 'function', 'de')).toEqual(['deploy', 'delete']);
  expect(await offered(script, 'export', '--form')).toEqual(['--format']);
  expect(await offered(script, 'export', '--task', '5', '--save')).toEqual(['--save-images']);
  expect(await offered(script, 'user', 'reset-password', '--da')).toEqual(['--data-dir']);
  expect(await offered(script, 'nonsense')).toEqual([]);
});

it('prints a script for each shell, and names those that there are', async () => {
  expect((await runLimner(['completion', 'zsh'])).output).toMatch(/^autoload -U \+X bashcompinit/);
  const fish = (await runLimner(['completion', 'fish'])).output;
  expect(fish).toContain("complete -c limner -n '__fish_use_subcommand' -a serve");
  expect(fish.split('\n').every((line) => line === '' || line.startsWith('complete -c limner -n '))).toBe(true);
  expect(await runLimner(['completion', 'tcsh'])).toMatchObject({ exitCode: 2 });
});
