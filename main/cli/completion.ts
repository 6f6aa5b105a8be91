import { Argument, type Command } from 'commander';
import type { CliContext } from './context.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** A command by its words, with what may follow it. */
interface Place {
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly { readonly long: string; readonly summary: string; readonly takesValue: boolean }[];
}

/** What the shell offers comes from the commands themselves: nothing of it is written down twice. */
export function addCompletionCommand(program: Command, context: CliContext): void {
  program
    .command('completion')
    .summary('print what a shell needs to complete commands and options')
    .description(
      'Prints a script for the shell. Once for all:\n' +
        '  bash:  limner completion bash > ~/.local/share/bash-completion/completions/limner\n' +
        '  zsh:   echo \'eval "$(limner completion zsh)"\' >> ~/.zshrc\n' +
        '  fish:  limner completion fish > ~/.config/fish/completions/limner.fish',
    )
    .addArgument(new Argument('<shell>', 'whose script').choices(shells))
    .action((shell: Shell) => {
      const places = placesOf(program, []);
      context.print(shell === 'fish' ? fishScript(places) : bashScript(places, shell === 'zsh'));
    });
}

function placesOf(command: Command, path: readonly string[]): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  const here: Place = {
    path,
    commands: commands.map((one) => ({ name: one.name(), summary: one.summary() || firstLine(one.description()) })),
    options: help
      .visibleOptions(command)
      .flatMap(({ long, description, required, optional }) =>
        long ? [{ long, summary: firstLine(description), takesValue: required || optional }] : [],
      ),
  };
  return [here, ...commands.flatMap((one) => placesOf(one, [...path, one.name()]))];
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';

function bashScript(places: readonly Place[], isZsh: boolean): string {
  const key = (path: readonly string[]): string => path.map((word) => ` ${word}`).join('');
  const steps = places
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `      "${key(path)}") path="${key(path)}" ;;`);
  const words = places.map(({ path, commands, options }) => {
    const all = [...commands.map(({ name }) => name), ...options.map(({ long }) => long)];
    return `    "${key(path)}") words="${all.join(' ')}" ;;`;
  });
  return [
    ...(isZsh ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    '_limner() {',
    '  local path="" words="" word index',
    '  for ((index = 1; index < COMP_CWORD; index++)); do',
    '    word="${COMP_WORDS[index]}"',
    '    case "$path $word" in',
    ...steps,
    '    esac',
    '  done',
    '  case "$path" in',
    ...words,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    // Where nothing fits, the shell offers files.
    'complete -o default -F _limner limner',
  ].join('\n');
}

function fishScript(places: readonly Place[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  return places
    .flatMap(({ path, commands, options }) => {
      const rest = commands.map(({ name }) => name).join(' ');
      const not = rest === '' ? '' : `; and not __fish_seen_subcommand_from ${rest}`;
      const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
      const when = path.length === 0 ? '__fish_use_subcommand' : `${seen}${not}`;
      const line = (what: string, summary: string): string =>
        `complete -c limner -n ${quoted(when)} ${what} -d ${quoted(summary)}`;
      return [
        ...commands.map(({ name, summary }) => line(`-a ${name}`, summary)),
        ...options.map(({ long, summary, takesValue }) =>
          line(`-l ${long.slice(2)}${takesValue ? ' -r' : ''}`, summary),
        ),
      ];
    })
    .join('\n');
}
