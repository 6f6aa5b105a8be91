import { InvalidArgumentError, type Command } from 'commander';
import type { ModelVersions, VersionChanges } from '../../preload/contract/schema/function-versions.ts';
import { addConnectionOptions, withClient } from './connection.ts';
import type { ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { explained } from './function-problem.ts';
import { tableLines } from './table.ts';

interface JsonOptions extends ConnectionOptions {
  readonly json?: boolean;
}

function parseVersion(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be the number of a version.');
}

export function addVersionsCommand(group: Command, context: CliContext): void {
  const command = group
    .command('versions')
    .summary('list the versions of a function that are kept')
    .description('Lists the deployments of a function that are kept, the newest first.')
    .argument('<name>', 'name of the function')
    .option('--json', 'print JSON');
  addConnectionOptions(command).action((name: string, options: JsonOptions) =>
    withClient(context, options, async (client) => {
      const found = await explained(client.call('listModelVersions', { params: { name } }));
      if (options.json) context.print(JSON.stringify(found, null, 2));
      else for (const line of versionTable(found)) context.print(line);
    }),
  );
}

const versionTable = ({ versions }: ModelVersions): string[] =>
  versions.length === 0
    ? ['No versions are kept yet: the next deployment is the first.']
    : tableLines([
        ['VERSION', 'DEPLOYED', 'ANSWERS', 'FROM'],
        ...versions.map((one) => [
          String(one.version),
          one.created_date,
          one.is_current ? 'yes' : 'no',
          one.directory ?? one.image ?? '',
        ]),
      ]);

export function addChangesCommand(group: Command, context: CliContext): void {
  const command = group
    .command('changes')
    .summary('show what a version of a function changed')
    .description(
      'Shows what a version changed of the one before, or of another: its function.yaml and the files of its handler.\n' +
        'Of variables with another value it prints the names.',
    )
    .argument('<name>', 'name of the function')
    .argument('<version>', 'the version', parseVersion)
    .option('--since <version>', 'the version to compare with', parseVersion)
    .option('--json', 'print JSON');
  addConnectionOptions(command).action(
    (name: string, version: number, { since, ...options }: JsonOptions & { readonly since?: number }) =>
      withClient(context, options, async (client) => {
        const query = since === undefined ? {} : { since };
        const found = await explained(client.call('getVersionChanges', { params: { name, version }, query }));
        if (options.json) context.print(JSON.stringify(found, null, 2));
        else for (const line of changeLines(found)) context.print(line);
      }),
  );
}

const marks = { same: ' ', added: '+', removed: '-', skipped: '@' } as const;

function changeLines({ since, version, files, variables, knows_files: knowsFiles }: VersionChanges): string[] {
  const lines = files.flatMap(({ path, change, lines: changed }) => [
    `${change} ${path}${changed === null ? ' (no text, or too long to be compared)' : ''}`,
    ...(changed ?? []).map(({ kind, text }) =>
      kind === 'skipped' ? `${marks[kind]} ${text} lines are the same` : `${marks[kind]}${text}`,
    ),
  ]);
  if (variables.length > 0) lines.push(`Variables with another value: ${variables.join(', ')}`);
  if (!knowsFiles)
    lines.push('The files of the handler are not known of both: one was deployed before versions were kept.');
  return lines.length === 0 ? [`Versions ${since} and ${version} are the same.`] : lines;
}

export function addRollbackCommand(group: Command, context: CliContext): void {
  const command = group
    .command('rollback')
    .summary('let an earlier version of a function answer again')
    .description(
      'Lets an earlier version of a function answer again, as it was deployed. The one that answers now is kept. Goes on\n' +
        'in the background; `limner function logs NAME --follow` shows how.',
    )
    .argument('<name>', 'name of the function')
    .argument('<version>', 'the version', parseVersion);
  addConnectionOptions(command).action((name: string, version: number, options: ConnectionOptions) =>
    withClient(context, options, async (client) => {
      await explained(client.call('rollBackModel', { params: { name }, body: { version } }));
      context.print(`Version ${version} of ${name} is being started`);
    }),
  );
}
