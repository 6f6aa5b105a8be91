import type { Command } from 'commander';
import type { ApiClient } from './api-client.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';

export interface JsonOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** Adds a command group. Returns a function that adds a subcommand with `--json` and `--data-dir`. */
export function addGroup(
  program: Command,
  {
    name,
    summary,
    description,
    examples = '',
  }: Readonly<Record<'name' | 'summary' | 'description', string>> & {
    readonly examples?: string;
  },
) {
  const group = program
    .command(name)
    .summary(summary)
    .description(description)
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', examples);
  return (command: string, about: string, json = 'print JSON'): Command =>
    addConnectionOptions(group.command(command).description(about).option('--json', json));
}

/** Wraps `work` as a Commander action: it is called with a client, then with the arguments and options. */
export const asking =
  <Typed extends readonly unknown[]>(
    context: CliContext,
    work: (client: ApiClient, ...typed: Typed) => Promise<void>,
  ) =>
  (...typed: Typed): Promise<void> => {
    // Commander passes the command itself as the last argument.
    const options = (typed.at(-1) as Command).opts<ConnectionOptions>();
    return withClient(context, options, (client) => work(client, ...typed));
  };

export function show(
  { print }: CliContext,
  { json }: JsonOptions,
  answer: unknown,
  lines: () => string | readonly string[],
): void {
  if (json) return print(JSON.stringify(answer, null, 2));
  for (const line of [lines()].flat()) print(line);
}

export const counted = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`;

/** Formats rows as lines with padded columns. The first column is right-aligned if it holds numbers. */
export function tableLines(rows: readonly (readonly string[])[], startsWithNumber = false): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: string, column: number): string =>
    startsWithNumber && column === 0 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(padded).join('  ').trimEnd());
}
