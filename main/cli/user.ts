import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import type { UserPatch } from '../../preload/contract/schema/people.ts';
import { groups, type User } from '../../preload/contract/schema/server.ts';
import type { ApiClient } from './api-client.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { secretIn } from './options.ts';
import { tableLines } from './table.ts';

interface JsonOption extends ConnectionOptions {
  readonly json?: boolean;
}

interface ProfileOptions extends JsonOption {
  readonly username?: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly role?: (typeof groups)[number];
}

interface PasswordOption {
  readonly passwordFile?: string;
}

interface ResetOptions extends JsonOption, PasswordOption {
  readonly keepTokens?: boolean;
}

const examples = `
Examples:
  limner user add painter --role worker
  limner user set painter --role admin
  limner user reset-password admin`;

/** People and their accounts, as an administrator manages them. */
export function addUserCommand(program: Command, context: CliContext): void {
  const group = program
    .command('user')
    .summary('list, add, change and remove accounts, and give new passwords')
    .description(
      'The accounts of this workbench. Whoever may read the data directory may manage them, with and without a Limner that runs.',
    )
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', examples);
  addUserList(group, context);
  addUserAdd(group, context);
  addUserSet(group, context);
  addUserState(group, context);
  addUserPassword(group, context);
  addUserRemove(group, context);
}

function addUserList(group: Command, context: CliContext): void {
  const command = group
    .command('list')
    .description('Lists the accounts with their role, state and last sign-in.')
    .option('--search <text>', 'only those whose names contain this')
    .option('--json', 'print JSON');
  addConnectionOptions(command).action((options: JsonOption & { readonly search?: string }) =>
    withClient(context, options, async (client) => {
      const { results } = await client.call('listUsers', { query: { page_size: 'all', search: options.search } });
      const users = results.filter(isInFull);
      if (options.json) return context.print(JSON.stringify(users, null, 2));
      const rows = users.map((user) => [
        String(user.id),
        user.username,
        [user.first_name, user.last_name].join(' ').trim() || '-',
        user.email || '-',
        user.groups.join(','),
        user.is_active ? 'active' : 'deactivated',
        user.last_login?.slice(0, 16).replace('T', ' ') ?? 'never',
      ]);
      const head = ['ID', 'USER', 'NAME', 'E-MAIL', 'ROLE', 'STATE', 'LAST SIGN-IN'];
      for (const line of tableLines([head, ...rows])) context.print(line);
    }),
  );
}

function addUserAdd(group: Command, context: CliContext): void {
  const command = group
    .command('add')
    .argument('<username>', 'name to sign in with, of at least five characters')
    .description('Adds an account. Without --password-file a password is made, and printed this once.');
  addPasswordOption(addProfileOptions(command)).action((username: string, options: ProfileOptions & PasswordOption) =>
    withClient(context, options, async (client) => {
      const password = givenOrNewPassword(options);
      const { email = '', firstName = '', lastName = '', role = 'user' } = options;
      const names = { username, email, first_name: firstName, last_name: lastName };
      await client.call('register', { body: { ...names, password1: password, password2: password } });
      const added = await userNamed(client, username);
      const user = role === 'user' ? added : await change(client, added, rolePatch(role));
      tellPassword(context, options, user, password, `Added ${username} (${role}).`);
    }),
  );
}

function addUserSet(group: Command, context: CliContext): void {
  const command = group
    .command('set')
    .argument('<user>', 'user name')
    .description('Changes the names, the e-mail address or the role of an account.')
    .option('--username <name>', 'new user name');
  addProfileOptions(command).action((name: string, options: ProfileOptions) =>
    withClient(context, options, async (client) => {
      const { username, email, firstName, lastName, role } = options;
      const names = { username, email, first_name: firstName, last_name: lastName };
      const patch = { ...names, ...(role === undefined ? {} : rolePatch(role)) };
      if (Object.values(patch).every((value) => value === undefined)) {
        throw new CommandError(exitCodes.usage, 'Say what to change: limner user set --help lists what can be.');
      }
      tell(context, options, await change(client, await userNamed(client, name), patch), `Changed ${name}.`);
    }),
  );
}

function addUserState(group: Command, context: CliContext): void {
  const add = (name: string, isActive: boolean, description: string, done: string) =>
    addConnectionOptions(
      group
        .command(name)
        .argument('<user>', 'user name')
        .description(description)
        .option('--json', 'print the account as JSON'),
    ).action((username: string, options: JsonOption) =>
      withClient(context, options, async (client) => {
        const found = await userNamed(client, username);
        if (!isActive) await requireOther(client, found);
        const user = await change(client, found, { is_active: isActive });
        tell(context, options, user, `${username} ${done}`);
      }),
    );
  add(
    'deactivate',
    false,
    'Lets an account sign in no more; its sessions and tokens stop at once, its work stays.',
    'is deactivated. Everything that belongs to the account stays.',
  );
  add('reactivate', true, 'Lets a deactivated account sign in again.', 'may sign in again.');
}

function addUserPassword(group: Command, context: CliContext): void {
  const command = group
    .command('reset-password')
    .argument('<user>', 'user name')
    .description(
      'Gives an account a new password: one that is made and printed this once, or that of --password-file.\n' +
        'Its sessions and tokens end, personal access tokens unless --keep-tokens is given. It works for the only administrator, too, while Limner does not run.',
    )
    .option('--keep-tokens', 'personal access tokens stay good')
    .option('--json', 'print the account and its password as JSON');
  addPasswordOption(addConnectionOptions(command)).action((username: string, options: ResetOptions) =>
    withClient(context, options, async (client) => {
      const password = givenOrNewPassword(options);
      const user = await userNamed(client, username);
      const { uid, token } = await client.call('createPasswordReset', { params: { id: user.id } });
      await client.call('confirmPasswordReset', {
        body: {
          uid,
          token,
          new_password1: password,
          new_password2: password,
          limner_keep_access_tokens: options.keepTokens === true,
        },
      });
      tellPassword(context, options, user, password, `${username} has a new password.`);
    }),
  );
}

function addUserRemove(group: Command, context: CliContext): void {
  const command = group
    .command('remove')
    .argument('<user>', 'user name')
    .description('Deletes an account. Projects, tasks and annotations stay, without an owner or assignee.')
    .option('--yes', 'delete it: without this it is only said what would happen')
    .option('--json', 'print JSON');
  addConnectionOptions(command).action((username: string, options: JsonOption & { readonly yes?: boolean }) =>
    withClient(context, options, async (client) => {
      const user = await userNamed(client, username);
      const { id } = user;
      await requireOther(client, user);
      if (!options.yes) {
        const { count: projects } = await client.call('listProjects', { query: { owner: username, page_size: '1' } });
        const { count: tasks } = await client.call('listTasks', { query: { owner: username, page_size: '1' } });
        throw new CommandError(
          exitCodes.refused,
          `${username} would be deleted for good; projects (${projects}) and tasks (${tasks}) of this owner would stay, without one. Add --yes to delete, or use limner user deactivate. Nothing was changed.`,
        );
      }
      await client.call('deleteUser', { params: { id } });
      tell(context, options, user, `Removed ${username}.`);
    }),
  );
}

const addProfileOptions = (command: Command): Command =>
  addConnectionOptions(command)
    .option('--email <address>', 'e-mail address; "" for none')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .addOption(new Option('--role <role>', 'what the person may do on this workbench').choices(groups))
    .option('--json', 'print the account as JSON');

const addPasswordOption = (command: Command): Command =>
  command.option('--password-file <file>', 'file whose first line is the password');

const rolePatch = (role: (typeof groups)[number]): UserPatch => ({
  groups: [role],
  is_superuser: role === 'admin',
  is_staff: role === 'admin',
});

/** The command line acts as an administrator, to whom every account is shown in full. */
const isInFull = (user: object): user is User => 'groups' in user;

async function userNamed(client: ApiClient, username: string): Promise<User> {
  const { results } = await client.call('listUsers', { query: { username } });
  const user = results.find(isInFull);
  if (user) return user;
  throw new CommandError(exitCodes.refused, `There is no user "${username}" here. limner user list names all of them.`);
}

/** Nobody shuts oneself out: this command would be the last that is answered. */
async function requireOther(client: ApiClient, { id, username }: User): Promise<void> {
  if ((await client.call('self', {})).id !== id) return;
  throw new CommandError(
    exitCodes.refused,
    `${username} is the owner of this workbench, as whom this command works. Nothing was changed.`,
  );
}

async function change(client: ApiClient, { id }: User, body: UserPatch): Promise<User> {
  const changed = await client.call('updateUser', { params: { id }, body });
  if (!isInFull(changed)) throw new CommandError(exitCodes.failed, 'The service did not answer the changed account.');
  return changed;
}

function givenOrNewPassword({ passwordFile }: PasswordOption): string {
  return passwordFile === undefined ? randomBytes(12).toString('base64url') : secretIn(passwordFile);
}

function tell(context: CliContext, { json }: JsonOption, user: User, sentence: string): void {
  context.print(json ? JSON.stringify(user, null, 2) : sentence);
}

/** A password that was made here is printed on standard output; one that was given is not repeated. */
function tellPassword(
  context: CliContext,
  options: JsonOption & PasswordOption,
  user: User,
  password: string,
  sentence: string,
): void {
  const isNew = options.passwordFile === undefined;
  if (options.json) return context.print(JSON.stringify(isNew ? { ...user, password } : user, null, 2));
  context.print(sentence);
  if (!isNew) return;
  context.print(`Password: ${password}`);
  note(context, 'It is shown only this once.');
}
