import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { locateApplication } from '../../../main/platform/application.ts';
import { opensWindow } from '../../../main/cli/program.ts';
import { commands } from '../../../scripts/reference/command-line.ts';
import { projectRoot } from '../../support/node-executable.ts';

const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: projectRoot })];
const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};

/** Commands of the fenced shell blocks of a page, each as one line. */
const commandsOf = (page: string): string[] =>
  [...readFileSync(join(projectRoot, page), 'utf8').matchAll(/^```(?:sh|console|bash)?\n([\s\S]*?)^```/gm)]
    .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'))
    .flatMap((line) => line.replace(/^\$ /, '').split(/\s+(?:&&|\|\|?|;)\s+/))
    .map((command) => command.trim());

/** Words as a shell splits them: quotes keep blanks together, a comment or a redirection ends the command. */
function waitMessage(command: string): string[] {
  const words = [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word);
  const end = words.findIndex((word) => /^(#|\d?>|<$)/.test(word));
  return (end === -1 ? words : words.slice(0, end)).map((word) => word.replaceAll(/["']/g, ''));
}

/** Commands that are parsed and do nothing. */
async function inertProgram(): Promise<Command> {
  const program = await commands(locateApplication(join(projectRoot, 'main'), 'cli.ts'));
  const disarm = (command: Command): void => {
    command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
    // A group of commands without a subcommand shows its help.
    if (command.commands.length === 0) command.action(() => undefined);
    command.commands.forEach(disarm);
  };
  disarm(program);
  return program;
}

const program = await inertProgram();

/** Why `limner` refuses these words; null where it takes them. */
async function refusalOf(words: readonly string[]): Promise<string | null> {
  try {
    await program.parseAsync(opensWindow(words) ? ['open', ...words] : [...words], { from: 'user' });
    return null;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? null : error.message;
    throw error;
  }
}

test('every command of limner in the documents is one that limner takes', async () => {
  const shown = pages.flatMap((page) =>
    commandsOf(page).flatMap((command) => {
      const words = waitMessage(command.replace(/^(npx|\w+=\S+) +/, ''));
      return words[0] === 'limner' ? [{ page, command, words: words.slice(1) }] : [];
    }),
  );
  expect(shown.length).toBeGreaterThan(20);
  const refused: string[] = [];
  for (const { page, command, words } of shown) {
    const refusal = await refusalOf(words);
    if (refusal !== null) refused.push(`${page}: ${command}: ${refusal}`);
  }
  expect(refused).toEqual([]);
});

test('an option or a command that limner lacks is noticed', async () => {
  expect(await refusalOf(['export', '--task', '5', '--format', 'COCO 1.0', '--imags'])).toMatch(/--imags/);
  expect(await refusalOf(['exprot'])).toMatch(/exprot/);
  expect(await refusalOf(['export', '--task', '5', '--format', 'COCO 1.0', '--output', 'a.zip'])).toBeNull();
});

test('every npm script in the documents exists', () => {
  const named = pages.flatMap((page) =>
    [...readFileSync(join(projectRoot, page), 'utf8').matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => ({
      page,
      name,
    })),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ name }) => !(name in scripts))).toEqual([]);
});
