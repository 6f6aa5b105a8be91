import { Argument, type Command, type Option } from 'commander';
import type { CliContext } from './context.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

interface Place {
  /** Names of the command and its parents, joined by spaces. */
  readonly path: string;
  readonly words: readonly string[];
  readonly options: readonly string[];
  /** Options that take a value, with the allowed values; empty choices complete to files. */
  readonly values: readonly { readonly option: string; readonly choices: readonly string[] }[];
}

/** Adds `completion`. Its scripts are generated from the command tree, so they are always complete. */
export function addCompletionCommand(program: Command, context: CliContext): void {
  program
    .command('completion')
    .summary('print the script that completes commands in a shell')
    .description('Prints a completion script for commands and options. Load it when your shell starts.')
    .addArgument(new Argument('<shell>', 'shell').choices(shells))
    .addHelpText(
      'after',
      `
Examples:
  bash        echo 'source <(limner completion bash)' >> ~/.bashrc
  zsh         echo 'source <(limner completion zsh)' >> ~/.zshrc, below compinit
  fish        limner completion fish > ~/.config/fish/completions/limner.fish
  powershell  Add-Content $PROFILE 'limner completion powershell | Out-String | Invoke-Expression'`,
    )
    .action((shell: (typeof shells)[number]) => context.print(writers[shell](placesOf(program, ''))));
}

function placesOf(command: Command, path: string): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = help.visibleOptions(command);
  const flags = (option: Option): string[] => [option.short, option.long].filter((flag) => flag !== undefined);
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  return [
    {
      path,
      words: [...commands.map((child) => child.name()), ...choices],
      options: options.flatMap(flags),
      values: options
        .filter(({ required, optional }) => required || optional)
        .flatMap((option) => flags(option).map((flag) => ({ option: flag, choices: option.argChoices ?? [] }))),
    },
    // Commander's own `help` command completes nothing further.
    ...command.commands.flatMap((child) => placesOf(child, `${path} ${child.name()}`.trim())),
  ];
}

const quoted = (text: string): string => `'${text}'`;
const pathsOf = (places: readonly Place[]): string[] =>
  places.flatMap(({ path }) => (path === '' ? [] : [quoted(path)]));

/** Candidates that are offered if `commands|previous word|current word` matches the pattern. The first match wins. */
interface Rule {
  /** Fixed parts of the pattern; any text may be between them. */
  readonly pattern: readonly string[];
  readonly offered: readonly string[];
}

const rulesOf = (places: readonly Place[]): Rule[] =>
  places.flatMap(({ path, words, options, values }) => [
    ...values.map(({ option, choices }) => ({ pattern: [`${path}|${option}|`, ''], offered: choices })),
    { pattern: [`${path}|`, '|-', ''], offered: options },
    { pattern: [`${path}|`, ''], offered: words },
  ]);

const globOf = ({ pattern }: Rule): string => pattern.map((part) => (part === '' ? '' : quoted(part))).join('*');

const bash = (places: readonly Place[]): string => `_limner() {
  local at='' next offered='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    next="\${at:+$at }\${COMP_WORDS[index]}"
    case "$next" in ${pathsOf(places).join('|')}) at=$next ;; esac
  done
  case "$at|\${COMP_WORDS[COMP_CWORD-1]}|\${COMP_WORDS[COMP_CWORD]}" in
${rulesOf(places)
  .map((rule) => `    ${globOf(rule)}) offered='${rule.offered.join(' ')}' ;;`)
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _limner limner`;

const zsh = (places: readonly Place[]): string => `#compdef limner
_limner() {
  local at='' next word
  local -a offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${at:+$at }$word"
    case "$next" in (${pathsOf(places).join('|')}) at=$next ;; esac
  done
  case "$at|\${words[CURRENT-1]}|\${words[CURRENT]}" in
${rulesOf(places)
  .map((rule) => `    ${globOf(rule)}) offered=(${rule.offered.join(' ')}) ;;`)
  .join('\n')}
  esac
  if (( $#offered )); then compadd -a offered; else _files; fi
}
compdef _limner limner`;

const fish = (places: readonly Place[]): string => `function __limner_offered
  set -l tokens (commandline -opc)
  set -l word (commandline -ct)
  set -l at ''
  for token in $tokens[2..]
    set -l next (string trim -- "$at $token")
    contains -- $next ${pathsOf(places).join(' ')}; and set at $next
  end
  switch "$at|$tokens[-1]|$word"
${rulesOf(places)
  .map(({ pattern, offered }) => {
    const offer = offered.length === 0 ? '__fish_complete_path $word' : `string split ' ' -- '${offered.join(' ')}'`;
    return `    case ${quoted(pattern.join('*'))}\n      ${offer}`;
  })
  .join('\n')}
  end
end
complete -c limner -f -a '(__limner_offered)'`;

/** PowerShell offers files on its own if a completer offers nothing. */
const powershell = (
  places: readonly Place[],
): string => `Register-ArgumentCompleter -Native -CommandName limner -ScriptBlock {
  param($word, $ast, $cursor)
  $before = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  $at = ''
  foreach ($one in $before | Select-Object -Skip 1) {
    $next = "$at $one".Trim()
    if ($next -cin @(${pathsOf(places).join(', ')})) { $at = $next }
  }
  $offered = @()
  switch -Wildcard -CaseSensitive ("$at|$($before[-1])|$word") {
${rulesOf(places)
  .map(
    ({ pattern, offered }) =>
      `    ${quoted(pattern.join('*'))} { $offered = @(${offered.map(quoted).join(', ')}); break }`,
  )
  .join('\n')}
  }
  $offered | Where-Object { $_ -clike "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}`;

const writers = { bash, zsh, fish, powershell } as const;
