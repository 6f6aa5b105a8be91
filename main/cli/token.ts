import type { Command } from 'commander';
import { addition, listing, removal } from './collections.ts';
import { addGroup, type JsonOptions } from './commands.ts';
import type { CliContext } from './context.ts';
import { usage } from './exit-codes.ts';
import { parseCount } from './options.ts';

interface TokenOptions extends JsonOptions {
  readonly write?: boolean;
  readonly expiresIn?: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Access tokens of the workbench's owner: users create tokens only for themselves. */
export function addTokenCommand(program: Command, context: CliContext): void {
  const add = addGroup(program, {
    name: 'token',
    summary: "list, add and revoke the owner's access tokens",
    description: "Access tokens of the workbench's owner, for programs that use its API (Bearer TOKEN).",
  });

  listing(add('list', 'Lists the tokens without their values, which are not stored.'), context, 'listAccessTokens', {
    ID: ({ id }) => id,
    NAME: ({ name }) => name,
    MAY: (token) => (token.read_only ? 'read' : 'read, write'),
    CREATED: (token) => token.created_date.slice(0, 10),
    EXPIRES: (token) => token.expiry_date?.slice(0, 10) ?? 'never',
    'LAST USED': (token) => token.last_used_date?.slice(0, 10) ?? 'never',
  });
  addition(
    add('add', 'Creates a read-only token and prints it once.')
      .argument('<name>', 'name of the token')
      .option('--write', 'allow changes too')
      .option('--expires-in <days>', 'days until it expires (default: never)', parseCount),
    context,
    'createAccessToken',
    (name: string, { write, expiresIn: days }: TokenOptions) => ({
      body: { name, read_only: write !== true, expiry_date: days === undefined ? null : expiryAfter(days) },
    }),
    ({ id, name, value }) => [value, `Token ${id} "${name}": it is shown only once.`],
  );
  removal(add('revoke', 'Revokes a token immediately.'), context, 'deleteAccessToken', 'token', 'revoked');
}

function expiryAfter(days: number): string {
  const date = new Date(Date.now() + days * dayMs);
  if (!Number.isNaN(date.getTime()) && date.getUTCFullYear() < 10_000) return date.toISOString();
  throw usage(`${days} days are too many. Leave out --expires-in for a token that never expires.`);
}
