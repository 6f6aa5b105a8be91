import type { Command } from 'commander';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { ApiFailure } from './api-failure.ts';
import { parseCount, parseId } from './options.ts';
import { tableLines } from './table.ts';

interface TokenOptions extends ConnectionOptions {
  readonly json?: boolean;
  readonly write?: boolean;
  readonly expiresIn?: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Access tokens of the owner of the workbench: nobody makes tokens for somebody else. */
export function addTokenCommand(program: Command, context: CliContext): void {
  const group = program
    .command('token')
    .summary("list, add and revoke the owner's access tokens")
    .description('Access tokens of the owner of this workbench, for programs that use its service (Bearer TOKEN).')
    .helpCommand('help [command]', 'show the help of a command');
  const add = (name: string, description: string): Command =>
    addConnectionOptions(group.command(name).description(description).option('--json', 'print JSON'));

  add('list', 'Lists the tokens; their values are not kept.').action((options: TokenOptions) =>
    withClient(context, options, async (client) => {
      const { results } = await client.call('listAccessTokens', { query: { page_size: 'all' } });
      if (options.json) return context.print(JSON.stringify(results, null, 2));
      const rows = results.map((token) => [
        String(token.id),
        token.name,
        token.read_only ? 'read' : 'read, write',
        token.created_date.slice(0, 10),
        token.expiry_date?.slice(0, 10) ?? 'never',
        token.last_used_date?.slice(0, 10) ?? 'never',
      ]);
      for (const line of tableLines([['ID', 'NAME', 'MAY', 'CREATED', 'EXPIRES', 'LAST USED'], ...rows])) {
        context.print(line);
      }
    }),
  );
  add('add', 'Makes a token that may read, and prints it this once.')
    .argument('<name>', 'what it is for')
    .option('--write', 'it may change things, too')
    .option('--expires-in <days>', 'days until it ends (default: never)', parseCount)
    .action((name: string, options: TokenOptions) =>
      withClient(context, options, async (client) => {
        const { expiresIn: days } = options;
        const expiry = days === undefined ? null : expiryAfter(days);
        const body = { name, read_only: options.write !== true, expiry_date: expiry };
        const token = await client.call('createAccessToken', { body });
        if (options.json) return context.print(JSON.stringify(token, null, 2));
        context.print(token.value);
        note(context, `Token ${token.id} "${token.name}": it is shown only this once.`);
      }),
    );
  add('revoke', 'Ends a token at once.')
    .argument('<id>', 'number of the token', parseId)
    .action((id: number, options: TokenOptions) =>
      withClient(context, options, async (client) => {
        await client.call('deleteAccessToken', { params: { id } }).catch((error: unknown) => {
          if (!(error instanceof ApiFailure) || error.status !== 404) throw error;
          throw new CommandError(exitCodes.refused, `There is no token ${id} of the owner. Nothing was changed.`);
        });
        context.print(options.json ? JSON.stringify({ id, revoked: true }) : `Revoked token ${id}.`);
      }),
    );
}

function expiryAfter(days: number): string {
  const date = new Date(Date.now() + days * dayMs);
  if (!Number.isNaN(date.getTime()) && date.getUTCFullYear() < 10_000) return date.toISOString();
  throw new CommandError(exitCodes.usage, `${days} days are too many: leave --expires-in out for a token without end.`);
}
