import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { runLimner } from './support/run-limner.ts';

const directory = sharedFolder();
const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

type Offers = (script: string, ...words: string[]) => string[];

const lines = (shell: string, ...args: string[]): string[] => {
  const { stdout, stderr } = spawnSync(shell, args, { encoding: 'utf8', cwd: directory });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
};

const bash: Offers = (script, ...words) => {
  const ask = `source "$1"; shift; COMP_WORDS=(limner "$@"); COMP_CWORD=$#; _limner; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return lines('bash', '--norc', '-c', ask, 'bash', script, ...words);
};
const fish: Offers = (script, ...words) =>
  lines('fish', '--no-config', '-c', 'source $argv[1]; complete -C "limner $argv[2..]"', script, ...words);

describe.each([
  ['bash', bash],
  ['fish', fish],
])('limner completion %s', (shell, offers) => {
  const script = join(directory, `limner.${shell}`);
  const requested = (...words: string[]): string[] => offers(script, ...words);
  beforeAll(async () => {
    const { exitCode, output } = await runLimner(['completion', shell]);
    expect(exitCode).toBe(0);
    writeFileSync(script, output);
  });

  it.skipIf(!isThere(shell))('offers commands, their options, and the choices of an option', () => {
    expect(requested('')).toEqual(expect.arrayContaining(['serve', 'import', 'user', 'completion']));
    expect(requested('ser')).toEqual(['serve']);
    expect(requested('user', 're')).toEqual(expect.arrayContaining(['reactivate', 'reset-password', 'remove']));
    expect(requested('user', 'add', 'painter', '--ro')).toEqual(['--role']);
    expect(requested('user', 'add', 'painter', '--role', '')).toEqual(
      expect.arrayContaining(['admin', 'user', 'worker']),
    );
    expect(requested('import', '--output')).toEqual([]);
  });
});

describe('limner completion zsh', () => {
  it.skipIf(!isThere('zsh'))('is a script that zsh reads', async () => {
    const script = join(directory, 'limner.zsh');
    writeFileSync(script, (await runLimner(['completion', 'zsh'])).output);
    expect(
      lines('zsh', '-f', '-c', 'autoload -U compinit; compinit -u -D; source $1; print $_comps[limner]', 'zsh', script),
    ).toEqual(['_limner']);
  });
});

describe('limner completion powershell', () => {
  it('is a script that offers commands, options and choices for the current word', async () => {
    const { exitCode, output } = await runLimner(['completion', 'powershell']);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^Register-ArgumentCompleter -Native -CommandName limner /);
    expect(output).toContain("'user add|--role|*' { $offered = @('admin', 'user', 'worker'); break }");
    expect(output).toMatch(/'user\|\*' \{ \$offered = @\('list', 'add', /);
    const count = (letter: string): number => output.split(letter).length;
    expect(count('{')).toBe(count('}'));
  });
});
