import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import type { UserPatch } from '../../preload/contract/schema/people.ts';
import { groups, type User } from '../../preload/contract/schema/server.ts';
import type { ApiClient } from './api-client.ts';
import { tableOf, type Columns } from './collections.ts';
import { addGroup, asking, show, type JsonOptions } from './commands.ts';
import { note, type CliContext } from './context.ts';
import { failed, refused, usage } from './exit-codes.ts';
import { secretIn } from './options.ts';

interface ProfileOptions extends JsonOptions {
  readonly username?: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly role?: (typeof groups)[number];
}

interface PasswordOption {
  readonly passwordFile?: string;
}

interface ResetOptions extends JsonOptions, PasswordOption {
  readonly keepTokens?: boolean;
}

const examples = `
Examples:
  limner user add painter --role worker
  limner user set painter --role admin
  limner user reset-password admin`;

export function addUserCommand(program: Command, context: CliContext): void {
  const addPlain = addGroup(program, {
    name: 'user',
    summary: 'list, add, change and delete accounts, and reset passwords',
    description:
      'Manages the accounts of this workbench, whether Limner is running or not. Requires access to the data directory.',
    examples,
  });
  const add = (name: string, description: string, json = 'print the account as JSON'): Command =>
    addPlain(name, description, json).argument('<user>', 'user name');

  addPlain('list', 'Lists the accounts with their role, state and last sign-in.')
    .option('--search <text>', 'only accounts whose names contain this text')
    .action(
      asking(context, async (client, options: JsonOptions & { readonly search?: string }) => {
        const { results } = await client.call('listUsers', { query: { page_size: 'all', search: options.search } });
        const users = results.filter(isInFull);
        show(context, options, users, () => tableOf(users, userColumns));
      }),
    );
  addProfileOptions(
    addPlain(
      'add',
      'Adds an account. Without --password-file, creates a password and prints it once.',
      'print the account as JSON',
    ),
  )
    .argument('<username>', 'user name, at least five characters')
    .option(...passwordOption)
    .action(
      asking(context, async (client, username: string, options: ProfileOptions & PasswordOption) => {
        const password = givenOrNewPassword(options);
        const { email = '', firstName = '', lastName = '', role = 'user' } = options;
        const names = { username, email, first_name: firstName, last_name: lastName };
        await client.call('register', { body: { ...names, password1: password, password2: password } });
        const added = await userNamed(client, username);
        const user = role === 'user' ? added : await change(client, added, rolePatch(role));
        tellPassword(context, options, user, password, `Added ${username} (${role}).`);
      }),
    );
  addProfileOptions(
    add('set', 'Changes the name, e-mail address or role of an account.').option('--username <name>', 'new user name'),
  ).action(
    asking(context, async (client, name: string, options: ProfileOptions) => {
      const { username, email, firstName, lastName, role } = options;
      const names = { username, email, first_name: firstName, last_name: lastName };
      const patch = { ...names, ...(role === undefined ? {} : rolePatch(role)) };
      if (Object.values(patch).every((value) => value === undefined)) {
        throw usage('Give at least one change. See limner user set --help.');
      }
      show(context, options, await change(client, await userNamed(client, name), patch), () => `Changed ${name}.`);
    }),
  );
  add(
    'deactivate',
    'Deactivates an account: the user cannot sign in, and sessions and tokens end at once. Their work stays.',
  ).action(
    asking(context, async (client, username: string, options: JsonOptions) => {
      const found = await userNamed(client, username);
      await requireOther(client, found);
      const done = `${username} is deactivated. All data of the account stays.`;
      show(context, options, await change(client, found, { is_active: false }), () => done);
    }),
  );
  add('reactivate', 'Lets a deactivated account sign in again.').action(
    asking(context, async (client, username: string, options: JsonOptions) => {
      const user = await change(client, await userNamed(client, username), { is_active: true });
      show(context, options, user, () => `${username} can sign in again.`);
    }),
  );
  add(
    'reset-password',
    'Sets the password of --password-file, or creates one and prints it once.\n' +
      'Sessions and tokens end, also personal access tokens unless --keep-tokens is given. Also works for the only administrator, and while Limner is not running.',
    'print the account and its password as JSON',
  )
    .option('--keep-tokens', 'keep personal access tokens valid')
    .option(...passwordOption)
    .action(
      asking(context, async (client, username: string, options: ResetOptions) => {
        const password = givenOrNewPassword(options);
        const user = await userNamed(client, username);
        const { uid, token } = await client.call('createPasswordReset', { params: { id: user.id } });
        const passwords = { new_password1: password, new_password2: password };
        await client.call('confirmPasswordReset', {
          body: { uid, token, ...passwords, limner_keep_access_tokens: options.keepTokens === true },
        });
        tellPassword(context, options, user, password, `${username} has a new password.`);
      }),
    );
  add('remove', 'Deletes an account. Projects, tasks and annotations stay, without an owner or assignee.', 'print JSON')
    .option('--yes', 'delete the account; without this option only print the effects')
    .action(
      asking(context, async (client, username: string, options: JsonOptions & { readonly yes?: boolean }) => {
        const user = await userNamed(client, username);
        await requireOther(client, user);
        if (!options.yes) {
          const { count: projects } = await client.call('listProjects', { query: { owner: username, page_size: '1' } });
          const { count: tasks } = await client.call('listTasks', { query: { owner: username, page_size: '1' } });
          throw refused(
            `${username} would be deleted permanently; projects (${projects}) and tasks (${tasks}) of this owner would stay without an owner. Add --yes to delete, or use limner user deactivate. Nothing was changed.`,
          );
        }
        await client.call('deleteUser', { params: { id: user.id } });
        show(context, options, user, () => `Removed ${username}.`);
      }),
    );
}

const userColumns: Columns<User> = {
  ID: ({ id }) => id,
  USER: ({ username }) => username,
  NAME: (user) => [user.first_name, user.last_name].join(' ').trim() || null,
  'E-MAIL': ({ email }) => email || null,
  ROLE: (user) => user.groups.join(','),
  STATE: (user) => (user.is_active ? 'active' : 'deactivated'),
  'LAST SIGN-IN': (user) => user.last_login?.slice(0, 16).replace('T', ' ') ?? 'never',
};

const addProfileOptions = (command: Command): Command =>
  command
    .option('--email <address>', 'e-mail address; "" for none')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .addOption(new Option('--role <role>', 'role in this workbench').choices(groups));

const passwordOption = ['--password-file <file>', 'file with the password in its first line'] as const;

const rolePatch = (role: (typeof groups)[number]): UserPatch => ({
  groups: [role],
  is_superuser: role === 'admin',
  is_staff: role === 'admin',
});

/** The command line acts as an administrator, who sees all fields of every account. */
const isInFull = (user: object): user is User => 'groups' in user;

async function userNamed(client: ApiClient, username: string): Promise<User> {
  const { results } = await client.call('listUsers', { query: { username } });
  const user = results.find(isInFull);
  if (user) return user;
  throw refused(`There is no user "${username}". limner user list shows all users.`);
}

/** Prevents users from locking themselves out. */
async function requireOther(client: ApiClient, { id, username }: User): Promise<void> {
  if ((await client.call('self', {})).id !== id) return;
  throw refused(
    `${username} owns this workbench and cannot be changed this way, because commands run as the owner. Nothing was changed.`,
  );
}

async function change(client: ApiClient, { id }: User, body: UserPatch): Promise<User> {
  const changed = await client.call('updateUser', { params: { id }, body });
  if (!isInFull(changed)) throw failed('The service returned an incomplete account.');
  return changed;
}

function givenOrNewPassword({ passwordFile }: PasswordOption): string {
  return passwordFile === undefined ? randomBytes(12).toString('base64url') : secretIn(passwordFile);
}

/** Prints a generated password to standard output; a password that the user gave is not repeated. */
function tellPassword(
  context: CliContext,
  options: JsonOptions & PasswordOption,
  user: User,
  password: string,
  sentence: string,
): void {
  const isNew = options.passwordFile === undefined;
  const lines = [sentence, ...(isNew ? [`Password: ${password}`] : [])];
  show(context, options, isNew ? { ...user, password } : user, () => lines);
  if (isNew && !options.json) note(context, 'It is shown only once.');
}
