import type { Command } from 'commander';
import type { User } from '../../preload/contract/schema/server.ts';
import { randomSecret } from '../people/auth/secrets.ts';
import type { ApiClient } from './api-client.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { CommandError, exitCodes } from './exit-codes.ts';

interface JsonOption {
  readonly json?: boolean;
}
type ListOptions = ConnectionOptions & JsonOption;
interface AddOptions extends ConnectionOptions, JsonOption {
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly admin?: boolean;
}
interface SetOptions extends ConnectionOptions {
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly admin?: boolean;
  readonly active?: boolean;
}

/** Long enough that nobody guesses it, short enough to be typed once. */
const passwordBytes = 12;
const pageSize = 500;

/** Who may sign in, for whoever owns the data directory: also where the only administrator forgot the password. */
export function addUserCommand(program: Command, context: CliContext): void {
  const group = program.command('user').summary('people who may sign in: list, add, change, reset a password, remove');
  const add = (name: string, summary: string) => addConnectionOptions(group.command(name).description(summary));

  add('list', 'Lists everybody.')
    .option('--json', 'print a JSON array')
    .action((options: ListOptions) =>
      withClient(context, options, async (client) => {
        const users = await allUsers(client);
        if (options.json === true) context.print(JSON.stringify(users, null, 2));
        else for (const user of users) context.print(lineOf(user));
      }),
    );
  nameOptions(add('add', 'Adds somebody. The password is made, and printed this once.').argument('<username>'))
    .option('--admin', 'makes an administrator of them')
    .option('--json', 'print JSON: {"id", "username", "password"}')
    .action((username: string, options: AddOptions) =>
      withClient(context, options, async (client) => {
        const password = randomSecret(passwordBytes);
        const { firstName: first_name = '', lastName: last_name = '', email = '' } = options;
        const body = { username, email, first_name, last_name, password1: password, password2: password };
        await client.call('register', { body });
        const { id } = await userNamed(client, username);
        if (options.admin === true) await client.call('updateUser', { params: { id }, body: adminFields(true) });
        if (options.json === true) context.print(JSON.stringify({ id, username, password }));
        else context.print(`Added ${username} (${id}). Password, shown only now: ${password}`);
      }),
    );
  nameOptions(add('set', 'Changes what is given of somebody.').argument('<username>'))
    .option('--admin', 'makes an administrator of them')
    .option('--no-admin', 'makes them a user like others')
    .option('--active', 'lets them sign in again')
    .option('--no-active', 'signs them out everywhere and lets them in no more; their work stays')
    .action((username: string, options: SetOptions) =>
      withClient(context, options, async (client) => {
        const body = {
          ...(options.email === undefined ? {} : { email: options.email }),
          ...(options.firstName === undefined ? {} : { first_name: options.firstName }),
          ...(options.lastName === undefined ? {} : { last_name: options.lastName }),
          ...(options.admin === undefined ? {} : adminFields(options.admin)),
          ...(options.active === undefined ? {} : { is_active: options.active }),
        };
        if (Object.keys(body).length === 0) throw new CommandError(exitCodes.usage, 'Say what to change: see --help.');
        const { id } = await userNamed(client, username);
        await client.call('updateUser', { params: { id }, body });
        context.print(lineOf(await userNamed(client, username)));
      }),
    );
  add('reset-password', 'Gives somebody a new password, printed this once. Their sessions end.')
    .argument('<username>')
    .option('--json', 'print JSON: {"username", "password"}')
    .action((username: string, options: ListOptions) =>
      withClient(context, options, async (client) => {
        const { id } = await userNamed(client, username);
        const { uid, token } = await client.call('createPasswordReset', { params: { id } });
        const password = randomSecret(passwordBytes);
        const body = { uid, token, new_password1: password, new_password2: password };
        await client.call('confirmPasswordReset', { body });
        if (options.json === true) context.print(JSON.stringify({ username, password }));
        else context.print(`New password of ${username}, shown only now: ${password}`);
      }),
    );
  add('remove', 'Removes somebody. What they made stays, without an owner.')
    .argument('<username>')
    .action((username: string, options: ConnectionOptions) =>
      withClient(context, options, async (client) => {
        const { id } = await userNamed(client, username);
        await client.call('deleteUser', { params: { id } });
        context.print(`Removed ${username}.`);
      }),
    );
}

const nameOptions = (command: Command): Command =>
  command
    .option('--email <address>', 'their e-mail address; nothing is ever sent')
    .option('--first-name <name>', 'their first name')
    .option('--last-name <name>', 'their last name');

const adminFields = (isAdmin: boolean) => ({
  groups: [isAdmin ? ('admin' as const) : ('user' as const)],
  is_superuser: isAdmin,
  is_staff: isAdmin,
});

async function allUsers(client: ApiClient): Promise<User[]> {
  const users: User[] = [];
  for (let page = 1; ; page += 1) {
    const query = { page: String(page), page_size: String(pageSize), sort: 'username' };
    const { results, next } = await client.call('listUsers', { query });
    users.push(...results.filter((user) => 'email' in user));
    if (next === null) return users;
  }
}

async function userNamed(client: ApiClient, username: string): Promise<User> {
  const { results } = await client.call('listUsers', { query: { username } });
  const found = results.find((user): user is User => user.username === username && 'email' in user);
  if (found !== undefined) return found;
  throw new CommandError(exitCodes.refused, `There is nobody named "${username}". Nothing was changed.`);
}

function lineOf({ id, username, email, is_superuser, is_active, last_login }: User): string {
  const role = is_superuser ? 'administrator' : 'user';
  const seen = last_login === null ? 'never signed in' : `last signed in ${last_login.slice(0, 16).replace('T', ' ')}`;
  const marks = [role, ...(is_active ? [] : ['deactivated']), ...(email === '' ? [] : [email]), seen];
  return `${String(id).padStart(4)}  ${username}  ${marks.join(', ')}`;
}
