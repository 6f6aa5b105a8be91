import type { Command } from 'commander';
import { completeProgram } from '../../main/cli/program.ts';
import type { Application } from '../../main/platform/application.ts';
import { defaultDataDirectory } from '../../main/platform/paths.ts';
import { cell, escaped, referencePage, table } from './page.ts';

/** The commands of `limner`, defined and never run. */
export function commands(application: Application): Promise<Command> {
  return completeProgram({
    application,
    print: () => undefined,
    errorOutput: { write: () => true },
    stopSignal: new AbortController().signal,
  });
}

/** The directory depends on the user who generates the page. */
const withoutPaths = (text: string): string => text.replaceAll(defaultDataDirectory(), "the user's data directory");

const nameOf = (command: Command): string =>
  [...(command.parent ? [nameOf(command.parent)] : []), command.name()].join(' ');

/** Help of commander that follows the options: examples and notes. */
function textAfter(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (written) => (text += written) });
  command.outputHelp();
  const known = command.helpInformation();
  return withoutPaths(text.startsWith(known) ? text.slice(known.length).trim() : '');
}

function sections(command: Command, depth: number): string[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command).filter((child) => child.name() !== 'help');
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  const args = help.visibleArguments(command);
  const after = textAfter(command);
  const fence = '```';
  return [
    `${'#'.repeat(depth)} ${nameOf(command)}`,
    escaped(withoutPaths(command.description())),
    `${fence}text\n${help.commandUsage(command)}\n${fence}`,
    ...(args.length > 0
      ? [
          table(
            ['Argument', 'Meaning'],
            args.map((arg) => [`\`${help.argumentTerm(arg)}\``, cell(withoutPaths(help.argumentDescription(arg)))]),
          ),
        ]
      : []),
    ...(options.length > 0
      ? [
          table(
            ['Option', 'Meaning'],
            options.map((option) => [
              `\`${help.optionTerm(option).replaceAll('|', '\\|')}\``,
              cell(withoutPaths(help.optionDescription(option))),
            ]),
          ),
        ]
      : []),
    ...(after === '' ? [] : [`${fence}text\n${after}\n${fence}`]),
    ...children.flatMap((child) => sections(child, Math.min(depth + 1, 3))),
  ];
}

export async function commandLinePage(application: Application): Promise<string> {
  const program = await commands(application);
  const [, ...parts] = sections(program, 1);
  return referencePage({ title: 'Command line', order: 3, source: 'the commands in main/cli', parts });
}
