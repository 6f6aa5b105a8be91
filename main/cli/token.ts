import type { Command } from 'commander';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { parseCount, parseId } from './options.ts';

interface TokenOptions extends ConnectionOptions {
  readonly json?: boolean;
  readonly readOnly?: boolean;
  readonly days?: number;
}

const msPerDay = 24 * 3600 * 1000;

/** Access tokens of the owner of the data directory, for other programs. */
export function addTokenCommand(program: Command, context: CliContext): void {
  const group = program.command('token').summary('access tokens for other programs: list, add, revoke');
  const add = (name: string, summary: string) => addConnectionOptions(group.command(name).description(summary));

  add('list', 'Lists the tokens, without their values.')
    .option('--json', 'print a JSON array')
    .action((options: TokenOptions) =>
      withClient(context, options, async (client) => {
        const { results } = await client.call('listAccessTokens', { query: { page_size: 'all' } });
        if (options.json === true) return context.print(JSON.stringify(results, null, 2));
        for (const { id, name, read_only, expiry_date, last_used_date } of results) {
          const marks = [
            read_only ? 'reads only' : 'reads and writes',
            expiry_date === null ? 'does not expire' : `until ${expiry_date.slice(0, 10)}`,
            last_used_date === null ? 'never used' : `last used ${last_used_date.slice(0, 16).replace('T', ' ')}`,
          ];
          context.print(`${String(id).padStart(4)}  ${name}  ${marks.join(', ')}`);
        }
      }),
    );
  add('add', 'Makes a token. Its value is printed this once, alone on its line.')
    .argument('<name>', 'what it is for')
    .option('--read-only', 'it may read, and change nothing')
    .option('--days <number>', 'it ends after so many days', parseCount)
    .option('--json', 'print the token as JSON, with its value')
    .action((name: string, options: TokenOptions) =>
      withClient(context, options, async (client) => {
        const { days, readOnly = false, json } = options;
        const expiry_date = days === undefined ? null : new Date(Date.now() + days * msPerDay).toISOString();
        const made = await client.call('createAccessToken', { body: { name, read_only: readOnly, expiry_date } });
        context.print(json === true ? JSON.stringify(made) : made.value);
      }),
    );
  add('revoke', 'Ends a token: whoever uses it is refused from now on.')
    .argument('<id>', 'as the list shows it', parseId)
    .action((id: number, options: ConnectionOptions) =>
      withClient(context, options, async (client) => {
        await client.call('deleteAccessToken', { params: { id } });
        context.print(`Revoked token ${id}.`);
      }),
    );
}
