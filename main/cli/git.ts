import { type Command, Option } from 'commander';
import type { GitConflict, GitDifference } from '../../preload/contract/schema/git.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { parseId, secretIn } from './options.ts';
import { tableLines } from './table.ts';

interface GitOptions extends ConnectionOptions {
  readonly json?: boolean;
}
interface SpeakingOptions extends GitOptions {
  readonly key?: number;
  readonly passphraseFile?: string;
  readonly message?: string;
  readonly conflicts?: 'mine' | 'theirs' | 'both';
}

const examples = `
Examples:
  limner key make "this computer"
  limner git host git@server:team/data.git                     shows the host keys to compare
  limner git host git@server:team/data.git --confirm SHA256:…
  limner git bind 5 git@server:team/data.git --folder harbour
  limner git pull 5 && limner git push 5 --message "Second look"`;

/** Annotations of tasks in Git repositories. */
export function addGitCommand(program: Command, context: CliContext): void {
  const group = program
    .command('git')
    .summary('push and pull the annotations of tasks to and from Git repositories')
    .description('Annotations of tasks in folders of Git repositories, which are reached by SSH or as folders.')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', examples);
  const add = (name: string, description: string): Command =>
    addConnectionOptions(group.command(name).description(description).option('--json', 'print JSON'));
  addExchange(add, context);

  add('host', 'Shows the host keys of a server, or confirms them.')
    .argument('<address>', 'of the repository')
    .option('--confirm <fingerprint>', 'one that you have compared with what its owner says')
    .action((address: string, options: GitOptions & { readonly confirm?: string }) =>
      withClient(context, options, async (client) => {
        const { confirm: fingerprint } = options;
        const host = await (fingerprint === undefined
          ? client.call('getGitHost', { query: { address } })
          : client.call('confirmGitHost', { body: { address, fingerprint } }));
        if (options.json) return context.print(JSON.stringify(host, null, 2));
        for (const key of host.shown) context.print(`${key.type} ${key.fingerprint}`);
        const states = {
          unknown: 'not confirmed yet',
          confirmed: 'confirmed',
          other: 'NOT THE CONFIRMED KEYS: ask whoever runs the server before you go on',
        };
        note(context, `${host.host}, port ${host.port}: ${states[host.state]}.`);
      }),
    );
  add('bind', 'Binds a task to a folder of a repository.')
    .argument('<task>', 'number of the task', parseId)
    .argument('<address>', 'git@server:team/data.git, ssh://…, or the whole path of a folder')
    .option('--branch <name>', 'the branch', 'main')
    .option('--folder <path>', 'folder of this task in the repository', '')
    .action((id: number, address: string, options: GitOptions & { readonly branch: string; readonly folder: string }) =>
      withClient(context, options, async (client) => {
        const { branch, folder } = options;
        const bound = await client.call('bindTaskGit', { params: { id }, body: { address, branch, folder } });
        context.print(options.json ? JSON.stringify(bound, null, 2) : `Task ${id} is bound to ${address}`);
      }),
    );
  add('unbind', 'Unbinds a task; the repository and the annotations stay.')
    .argument('<task>', 'number of the task', parseId)
    .action((id: number, options: GitOptions) =>
      withClient(context, options, async (client) => {
        await client.call('unbindTaskGit', { params: { id } });
        context.print(options.json ? JSON.stringify({ id, bound: false }) : `Task ${id} is bound to nothing.`);
      }),
    );
  add('status', 'Says what a task is bound to, and what a push would bring there.')
    .argument('<task>', 'number of the task', parseId)
    .action((id: number, options: GitOptions) =>
      withClient(context, options, async (client) => {
        const state = await client.call('getTaskGit', { params: { id } });
        if (options.json) return context.print(JSON.stringify(state, null, 2));
        const { binding, to_push: toPush } = state;
        if (!binding || !toPush) return context.print(`Task ${id} is bound to nothing.`);
        context.print(`${binding.address} ${binding.branch} ${binding.folder}`.trimEnd());
        context.print(`to push: ${countsOf(toPush)}`);
      }),
    );
  add('history', 'Lists who has pushed what, the newest first.')
    .argument('<task>', 'number of the task', parseId)
    .action((id: number, options: GitOptions) =>
      withClient(context, options, async (client) => {
        const { results } = await client.call('getTaskGitHistory', { params: { id } });
        if (options.json) return context.print(JSON.stringify(results, null, 2));
        const rows = results.map(({ commit, date, author, message }) => [commit.slice(0, 12), date, author, message]);
        for (const line of tableLines([['COMMIT', 'WHEN', 'WHO', 'WHAT'], ...rows])) context.print(line);
      }),
    );
  add('restore', 'Brings the annotations of a task back to a past state. It is not pushed by itself.')
    .argument('<task>', 'number of the task', parseId)
    .argument('<commit>', 'as the history lists it; its beginning is enough')
    .action((id: number, commit: string, options: GitOptions) =>
      withClient(context, options, async (client) => {
        const { results } = await client.call('getTaskGitHistory', { params: { id } });
        const found = results.filter((one) => one.commit.startsWith(commit));
        if (found.length !== 1 || found[0] === undefined) {
          const message = `The history of task ${id} has ${found.length === 0 ? 'no' : 'several'} commits that begin with ${commit}. Nothing was changed.`;
          throw new CommandError(exitCodes.refused, message);
        }
        const body = { commit: found[0].commit };
        const { changed } = await client.call('restoreTaskGit', { params: { id }, body });
        context.print(options.json ? JSON.stringify(changed) : `Restored: ${countsOf(changed)}`);
      }),
    );
}

/** What speaks to the repository. */
function addExchange(add: (name: string, description: string) => Command, context: CliContext): void {
  const speaking = (name: string, description: string): Command =>
    add(name, description)
      .argument('<task>', 'number of the task', parseId)
      .option('--key <id>', 'the SSH key, where there are several', parseId)
      .option('--passphrase-file <file>', 'file whose first line opens the key');
  const accessOf = ({ key, passphraseFile }: SpeakingOptions) => ({
    key_id: key,
    passphrase: passphraseFile === undefined ? undefined : secretIn(passphraseFile),
  });

  speaking('push', 'Brings what has changed here to the repository.')
    .option('--message <text>', 'of the commit')
    .action((id: number, options: SpeakingOptions) =>
      withClient(context, options, async (client) => {
        const body = { ...accessOf(options), message: options.message };
        const pushed = await client.call('pushTaskGit', { params: { id }, body });
        if (options.json) return context.print(JSON.stringify(pushed, null, 2));
        context.print(pushed.commit === null ? 'Nothing to push.' : `Pushed: ${countsOf(pushed.changed)}`);
      }),
    );
  speaking('pull', 'Brings what has changed in the repository. Ends with 3 where somebody has to decide first.')
    .addOption(
      new Option('--conflicts <side>', 'decides on all objects that both sides changed').choices([
        'mine',
        'theirs',
        'both',
      ]),
    )
    .action((id: number, options: SpeakingOptions) =>
      withClient(context, options, async (client) => {
        const pull = (decisions: { uid: string; decision: 'mine' | 'theirs' | 'both' }[]) =>
          client.call('pullTaskGit', { params: { id }, body: { ...accessOf(options), decisions } });
        const decisions = new Map<string, { uid: string; decision: 'mine' | 'theirs' | 'both' }>();
        let pulled = await pull([]);
        // Answers name a part of them at a time.
        while (options.conflicts !== undefined && pulled.conflict_count > 0) {
          for (const { uid } of pulled.conflicts) decisions.set(uid, { uid, decision: options.conflicts });
          pulled = await pull([...decisions.values()]);
        }
        if (options.json) context.print(JSON.stringify(pulled, null, 2));
        else if (pulled.conflict_count === 0) context.print(`Pulled: ${countsOf(pulled.changed)}`);
        else for (const line of conflictLines(pulled.conflicts)) context.print(line);
        if (pulled.conflict_count > 0) throw undecided(pulled.conflict_count);
      }),
    );
}

const countsOf = ({ added, changed, removed }: GitDifference): string =>
  `${added} added, ${changed} changed, ${removed} removed`;

const sideOf = (side: object | null): string => (side === null ? 'deleted' : 'changed');
const conflictLines = (conflicts: readonly GitConflict[]): string[] =>
  tableLines([
    ['FRAME', 'KIND', 'LABEL', 'HERE', 'THERE'],
    ...conflicts.map(({ frame, kind, label, mine, theirs }) => [
      String(frame),
      kind,
      label,
      sideOf(mine),
      sideOf(theirs),
    ]),
  ]);

const undecided = (count: number): CommandError =>
  new CommandError(
    exitCodes.refused,
    `Objects that were changed here and there: ${count}. Nothing was changed. Decide on them on the page of the task, or on all at once with --conflicts.`,
  );
