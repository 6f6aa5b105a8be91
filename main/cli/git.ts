import { type Command, Option } from 'commander';
import type {
  GitConflict,
  GitCopyChanges,
  GitDifference,
  GitSkipped,
  GitLoss,
  GitPullWrite,
} from '../../preload/contract/schema/git.ts';
import { tableOf } from './collections.ts';
import { addGroup, asking, show, type JsonOptions } from './commands.ts';
import { note, type CliContext } from './context.ts';
import { refused } from './exit-codes.ts';
import { parseId, secretIn } from './options.ts';

interface GitOptions extends JsonOptions {
  /** True if the id is a project's. */
  readonly project?: boolean;
}
interface SpeakingOptions extends GitOptions {
  readonly key?: number;
  readonly passphraseFile?: string;
  readonly message?: string;
  readonly conflicts?: 'mine' | 'theirs' | 'both';
  readonly acceptLosses?: boolean;
  readonly copy?: 'take' | 'leave';
}
interface BindOptions extends GitOptions {
  readonly branch: string;
  readonly folder: string;
  readonly format?: string;
}

const examples = `
Examples:
  limner key create "this computer"
  limner git host git@server:team/data.git                     shows the host keys to compare
  limner git host git@server:team/data.git --confirm SHA256:…
  limner git bind 5 git@server:team/data.git --folder harbour
  limner git pull 5 && limner git push 5 --message "Second review"
  limner git bind 2 git@server:team/data.git --project          all tasks of project 2, one folder each
  limner git push 2 --project
  limner git bind 5 git@server:team/data.git --folder harbour --format "COCO 1.0"
  limner git push 5 --accept-losses                             even if COCO does not support everything`;

export function addGitCommand(program: Command, context: CliContext): void {
  const add = addGroup(program, {
    name: 'git',
    summary: 'push and pull annotations of tasks and projects to and from Git repositories',
    description: 'Synchronizes annotations of tasks and projects with Git repositories, by SSH or in local folders.',
    examples,
  });
  const addOf = (name: string, description: string): Command =>
    add(name, description)
      .argument('<number>', 'id of the task', parseId)
      .option('--project', 'the id is that of a project: all its tasks');
  addExchange(addOf, context);

  add('host', 'Shows the host keys of a server, or confirms them.')
    .argument('<address>', 'address of the repository')
    .option('--confirm <fingerprint>', "fingerprint that you have compared with that from the server's owner")
    .action(
      asking(context, async (client, address: string, options: GitOptions & { readonly confirm?: string }) => {
        const { confirm: fingerprint } = options;
        const host = await (fingerprint === undefined
          ? client.call('getGitHost', { query: { address } })
          : client.call('confirmGitHost', { body: { address, fingerprint } }));
        show(context, options, host, () => host.offered.map((key) => `${key.type} ${key.fingerprint}`));
        if (options.json) return;
        const states = {
          unknown: 'not confirmed yet',
          confirmed: 'confirmed',
          changed: "NOT THE CONFIRMED KEYS: contact the server's owner before you continue",
        };
        note(context, `${host.host}, port ${host.port}: ${states[host.state]}.`);
      }),
    );
  addOf('bind', 'Binds a task to a folder of a repository.')
    .argument('<address>', 'git@server:team/data.git, ssh://…, or the absolute path of a folder')
    .option('--branch <name>', 'branch of the repository', 'main')
    .option('--folder <path>', 'folder in the repository', '')
    .option('--format <name>', "format of a copy that each push writes beside Limner's own files; none: no copy")
    .action(
      asking(context, async (client, id: number, address: string, options: BindOptions) => {
        const { branch, folder } = options;
        const format = options.format === 'none' ? null : options.format;
        const given = { params: { id }, body: { address, branch, folder, format } };
        const bound = await client.call(options.project ? 'bindProjectGit' : 'bindTaskGit', given);
        const copy = bound.binding?.format ? `, with a copy in ${bound.binding.format}` : '';
        show(context, options, bound, () => `${nameOf(id, options)} is bound to ${address}${copy}`);
      }),
    );
  addOf('unbind', 'Unbinds a task. The repository and the annotations do not change.').action(
    asking(context, async (client, id: number, options: GitOptions) => {
      await client.call(options.project ? 'unbindProjectGit' : 'unbindTaskGit', { params: { id } });
      context.print(options.json ? JSON.stringify({ id, bound: false }) : `${nameOf(id, options)} is not bound.`);
    }),
  );
  addOf('status', 'Shows the binding of a task and the changes to push.').action(
    asking(context, async (client, id: number, options: GitOptions) => {
      const state = await client.call(options.project ? 'getProjectGit' : 'getTaskGit', { params: { id } });
      if (options.json) return context.print(JSON.stringify(state, null, 2));
      const { binding, to_push: toPush } = state;
      if (!binding || !toPush) return context.print(`${nameOf(id, options)} is not bound.`);
      context.print(`${binding.address} ${binding.branch} ${binding.folder}`.trimEnd());
      context.print(`to push: ${countsOf(toPush)}`);
      if (binding.format !== null)
        context.print(`copy in ${binding.format}${state.is_copy_outdated ? ': the next push updates it' : ''}`);
      printSkipped(context, state);
    }),
  );
  addOf('history', 'Lists the pushes, newest first.').action(
    asking(context, async (client, id: number, options: GitOptions) => {
      const { results } = await client.call(historyOf(options), { params: { id } });
      show(context, options, results, () =>
        tableOf(results, {
          COMMIT: ({ commit }) => commit.slice(0, 12),
          WHEN: ({ date }) => date,
          WHO: ({ author }) => author,
          WHAT: ({ message }) => message,
        }),
      );
    }),
  );
  addOf('restore', 'Restores the annotations of a task to an earlier commit. Does not push.')
    .argument('<commit>', 'id from the history; its beginning is enough')
    .action(
      asking(context, async (client, id: number, commit: string, options: GitOptions) => {
        const { results } = await client.call(historyOf(options), { params: { id } });
        const found = results.filter((one) => one.commit.startsWith(commit));
        if (found.length !== 1 || found[0] === undefined) {
          const message = `The history of ${nameOf(id, options).toLowerCase()} has ${found.length === 0 ? 'no' : 'several'} commits that begin with ${commit}. Nothing was changed.`;
          throw refused(message);
        }
        const body = { commit: found[0].commit };
        const operation = options.project ? 'restoreProjectGit' : 'restoreTaskGit';
        const restored = await client.call(operation, { params: { id }, body });
        const { changed } = restored;
        context.print(options.json ? JSON.stringify(changed) : `Restored: ${countsOf(changed)}`);
        printSkipped(context, restored);
      }),
    );
}

function addExchange(add: (name: string, description: string) => Command, context: CliContext): void {
  const speaking = (name: string, description: string): Command =>
    add(name, description)
      .option('--key <id>', 'id of the SSH key, if you have several', parseId)
      .option('--passphrase-file <file>', "file with the key's passphrase in its first line");
  const accessOf = ({ key, passphraseFile }: SpeakingOptions) => ({
    key_id: key,
    passphrase: passphraseFile === undefined ? undefined : secretIn(passphraseFile),
  });

  speaking('push', 'Pushes local changes to the repository.')
    .option('--message <text>', 'message of the commit')
    .option('--accept-losses', 'accept that the copy lacks data which its format does not support')
    .action(
      asking(context, async (client, id: number, options: SpeakingOptions) => {
        const body = { ...accessOf(options), message: options.message, accept_losses: options.acceptLosses };
        const pushed = await client.call(options.project ? 'pushProjectGit' : 'pushTaskGit', { params: { id }, body });
        show(context, options, pushed, () => lossLines(pushed.losses));
        if (pushed.needs_acceptance) throw unaccepted(pushed.binding.format ?? '');
        if (options.json) return;
        context.print(pushed.commit === null ? 'Nothing to push.' : `Pushed: ${countsOf(pushed.changed)}`);
        printSkipped(context, pushed);
      }),
    );
  speaking('pull', 'Pulls changes from the repository. Exits with code 3 if there are conflicts.')
    .addOption(new Option('--conflicts <side>', 'resolves all conflicts').choices(['mine', 'theirs', 'both']))
    .addOption(
      new Option('--copy <action>', 'handling of changes that other programs made to the copy').choices([
        'take',
        'leave',
      ]),
    )
    .action(
      asking(context, async (client, id: number, options: SpeakingOptions) => {
        const pull = (decisions: GitPullWrite['decisions']) =>
          client.call(options.project ? 'pullProjectGit' : 'pullTaskGit', {
            params: { id },
            body: { ...accessOf(options), decisions, copy: options.copy },
          });
        const decisions = new Map<string, GitPullWrite['decisions'][number]>();
        let pulled = await pull([]);
        // Each answer lists only some of the conflicts, and lists one again if its versions changed.
        while (options.conflicts !== undefined && pulled.conflict_count > 0) {
          for (const { uid, version } of pulled.conflicts)
            decisions.set(uid, { uid, version, decision: options.conflicts });
          pulled = await pull([...decisions.values()]);
        }
        show(context, options, pulled, () => {
          if (pulled.copies.length > 0) return copyLines(pulled.copies);
          return pulled.conflict_count === 0 ? `Pulled: ${countsOf(pulled.changed)}` : conflictLines(pulled.conflicts);
        });
        if (!options.json) printSkipped(context, pulled);
        if (pulled.copies.length > 0) throw unsaid();
        if (pulled.conflict_count > 0) throw undecided(pulled.conflict_count);
      }),
    );
}

const nameOf = (id: number, { project }: GitOptions): string => `${project ? 'Project' : 'Task'} ${id}`;
const historyOf = ({ project }: GitOptions) => (project ? 'getProjectGitHistory' : 'getTaskGitHistory');

function printSkipped(context: CliContext, answer: { readonly skipped?: readonly GitSkipped[] } | object): void {
  for (const { name, reason } of 'skipped' in answer ? (answer.skipped ?? []) : [])
    note(context, `${name} was skipped: ${reason}`);
}

const countsOf = ({ added, changed, removed }: GitDifference): string =>
  `${added} added, ${changed} changed, ${removed} removed`;

const sideOf = (side: object | null): string => (side === null ? 'deleted' : 'changed');
const conflictLines = (conflicts: readonly GitConflict[]): string[] =>
  tableOf(conflicts, {
    FRAME: ({ frame }) => frame,
    KIND: ({ kind }) => kind,
    LABEL: ({ label }) => label,
    HERE: ({ mine }) => sideOf(mine),
    THERE: ({ theirs }) => sideOf(theirs),
  });

const undecided = (count: number) =>
  refused(
    `${count} conflicts. Nothing was changed. Resolve them on the page of the task or project, or all at once with --conflicts.`,
  );

const lossLines = (losses: readonly GitLoss[]): string[] =>
  losses.length === 0
    ? []
    : tableOf(losses, {
        'MISSING IN THE COPY': ({ type }) => type,
        LABEL: ({ label }) => label,
        COUNT: ({ count }) => count,
        WHY: ({ rule }) => rule,
      });

const copyLines = (copies: readonly GitCopyChanges[]): string[] =>
  copies.flatMap(({ task_name: name, format, changed, unmatched, reason }) => [
    `${name}: another program has changed the copy in ${format}: ${reason ?? countsOf(changed)}`,
    ...(unmatched > 0 ? [`  objects without a counterpart here, which would be left out: ${unmatched}`] : []),
  ]);

const unaccepted = (format: string) =>
  refused(
    `Nothing was pushed because the copy in ${format} does not support these objects. Limner's own files contain them. Push with --accept-losses, or bind with another --format.`,
  );
const unsaid = () =>
  refused(
    'Nothing was changed. Pull with --copy take to accept these changes, or with --copy leave to overwrite them with the next push.',
  );
