import type { GitLoss, GitProjectPushed, GitPushWrite } from '../../preload/contract/schema/git.ts';
import { AppError } from '../platform/errors.ts';
import { inPortions } from '../platform/portions.ts';
import type { Actor } from '../users/access/actor.ts';
import type { UserRepository } from '../users/accounts/user-repository.ts';
import { changedFiles, filesOf, headFile, noteFile } from './annotation-files.ts';
import { readChangedTasks } from './changed-tasks.ts';
import { isOld, isSameListing, noteIn, type CopyState } from './copy/copy-note.ts';
import { copyChanges, joinedLosses, losesMore, withNote } from './copy/write-copy.ts';
import {
  bindingOf,
  bindMember,
  counts,
  isNothing,
  readAll,
  type Bound,
  type Counts,
  type ExchangeDependencies,
} from './exchange-parts.ts';
import { createPrepareFirst } from './first-push.ts';
import type { Compared, Place, Prepared } from './push-parts.ts';
import type { NewCommit } from './git-store.ts';
import { digestOfFacts, keepLastPush } from './last-push.ts';
import { difference } from './merge.ts';
import { folderFor, joinedPath } from './project-folders.ts';
import type { Own } from './object-edits.ts';
import type { OwnOf } from './task-objects.ts';

export function createPush(dependencies: ExchangeDependencies) {
  const { bindings, connected, users, clock } = dependencies;
  const prepareAll = createPrepareAll(dependencies);
  const prepareChanges = createPrepareChanges(dependencies);
  const prepareFirst = createPrepareFirst(dependencies);

  /** A process that ended during a push may not have noted that its commit arrived. */
  async function withArrived(bound: Bound, there: string | null): Promise<Bound> {
    const { id, projectId, binding, store } = bound;
    const isShared = projectId !== null || binding.project_id !== null;
    if (isShared || there === null || there === binding.base || !(await store.isOwn(there, binding.base))) return bound;
    // A first push writes this file. A kill while the binding was changed may have left the store of another folder.
    const head = joinedPath(binding.folder, headFile);
    if (binding.base === null && (await store.lastChange(there, head)) !== there) return bound;
    bindings.pushed(id, there, clock());
    return bound.withBase(there);
  }

  return async function push(
    actor: Actor,
    known: Bound,
    given: GitPushWrite,
    signal: AbortSignal,
  ): Promise<GitProjectPushed> {
    const { store, binding, projectId } = known;
    return connected(actor, binding, given, async (connection) => {
      const there = await store.fetch(connection, binding.branch, signal);
      const bound = await withArrived(known, there);
      const place = { actor, bound, there, signal };
      const prepared = (await prepareChanges(place)) ?? (await prepareFirst(place)) ?? (await prepareAll(place));
      const { tasks, losses, needsAcceptance, skipped } = prepared;
      const sent = tasks.filter((task) => task.sent !== null);
      const changed = () => summed(sent.flatMap((task) => task.sent?.counted() ?? []));
      const answer = {
        commit: null,
        losses: joinedLosses(losses),
        needs_acceptance: needsAcceptance && !given.accept_losses,
        skipped: [...skipped],
      };
      if (answer.needs_acceptance) return { ...answer, changed: changed(), binding: bindingOf(bindings, bound) };
      if (sent.length === 0) {
        if (there !== null) await keepPushes(bound, there, tasks);
        return { ...answer, changed: changed(), binding: bindingOf(bindings, bound) };
      }
      const message = (): string => given.message || sentenceOf(changed(), binding.format);
      const author = authorOf(actor, users);
      const changes = changesOf(sent);
      const commit = await store.commit({ parent: there, folder: binding.folder, changes, author, message });
      await store.push(connection, binding.branch, commit, signal);
      for (const { taskId, remember, bind } of sent) {
        bind();
        await remember();
        bindings.pushed(taskId, commit, clock());
      }
      if (projectId !== null) bindings.projects.pushed(projectId, commit, clock());
      await keepPushes(bound, commit, tasks);
      return { ...answer, changed: changed(), commit, binding: bindingOf(bindings, bound) };
    });
  };
}

async function* changesOf(tasks: readonly Compared[]): AsyncGenerator<readonly [string, string | Buffer | null]> {
  for (const { folder, sent } of tasks)
    for await (const [path, content] of sent?.changes ?? []) yield [joinedPath(folder, path), content];
}

function summed(all: readonly Counts[]): Counts {
  const sum = (of: keyof Counts): number => all.reduce((total, one) => total + one[of], 0);
  return { added: sum('added'), changed: sum('changed'), removed: sum('removed') };
}

/** A copy in a format is always compared completely. */
async function keepPushes({ binding, store }: Bound, commit: string, tasks: readonly Compared[]): Promise<void> {
  if (binding.format !== null) return;
  for (const { taskId, folder, facts, digests } of tasks) {
    const tree = await store.treeOf(commit, joinedPath(binding.folder, folder));
    if (tree !== null) await keepLastPush(store, taskId, { tree, facts: digestOfFacts(facts), digests: digests() });
  }
}

function createPrepareChanges(dependencies: ExchangeDependencies) {
  return async ({ actor, bound, there, signal }: Place): Promise<Prepared | null> => {
    const { objects } = dependencies;
    const changed = await readChangedTasks(
      dependencies,
      actor,
      bound,
      { commit: there, right: 'update:annotations' },
      signal,
    );
    if (changed === null) return null;
    const tasks: Compared[] = [];
    for (const { task, facts, folder, own, steps, files, to, digests } of changed) {
      const remember = () => inPortions(objects.rememberChanges(task.id, own));
      const isSame = isNothing(steps);
      if (!isSame) await remember();
      const sent = isSame ? null : { counted: () => counts([steps]), changes: changedFiles(files, await to()) };
      tasks.push({ taskId: task.id, folder, facts, digests: () => digests, sent, remember, bind: () => undefined });
    }
    return { tasks, losses: [], needsAcceptance: false, skipped: [] };
  };
}

function createPrepareAll({ bindings, objects, writeCopy }: ExchangeDependencies) {
  return async ({ actor, bound, there, signal }: Place): Promise<Prepared> => {
    const { binding } = bound;
    const { format } = binding;
    const { members, skipped, folders } = await bound.membersOf(actor, there, 'update:annotations');
    for (const member of members) {
      requireSame(member, { files: member.before, listing: member.listingBefore ?? new Map<string, string>() });
      requireFree(format, member, joinedPath(binding.folder, member.folder ?? ''));
    }
    const owns = await inPortions(readAll(objects, actor, members), signal);
    const taken = new Set([...folders, ...members.flatMap(({ folder }) => folder ?? [])]);
    const losses: (readonly GitLoss[])[] = [];
    let needsAcceptance = false;
    const tasks: Compared[] = [];
    for (const [member, before] of owns) {
      const { task, facts } = member;
      const folder = member.folder ?? folderFor(task.name, taken);
      taken.add(folder);
      const isNew = member.binding === null || there === null;
      const changed = await inPortions(difference(member.theirs, before.state), signal);
      const rest = { taskId: task.id, folder, facts, bind: () => bindMember(bindings, bound, member, folder) };
      if (!isNew && isNothing(changed) && !isOld(format, member)) {
        losses.push(noteIn(member.files)?.losses ?? []);
        tasks.push({ ...rest, digests: () => before.digests, sent: null, remember: async () => undefined });
        continue;
      }
      const remember = (own: Own) => inPortions(objects.remember(task.id, own));
      const remembered = async (own: OwnOf): Promise<OwnOf> => {
        if (member.binding !== null) await remember(own);
        return own;
      };
      const read = async (): Promise<OwnOf> =>
        remembered(await inPortions(objects.read(actor, task, member.base, member.theirs), signal));
      const first = await remembered(before);
      const { own, copy } = await writeCopy(first, read, format, { task, signal });
      losses.push(copy?.losses ?? []);
      if (copy && format !== null) needsAcceptance ||= losesMore(copy, format, member.files);
      const steps = await inPortions(difference(member.theirs, own.state), signal);
      const to = withNote(await inPortions(filesOf(own.state, facts), signal), format, copy);
      const changes = new Map<string, string | Buffer | null>([
        ...copyChanges(copy, member),
        ...changedFiles(member.files, to),
      ]);
      const sent = { counted: () => counts([steps]), changes };
      tasks.push({ ...rest, digests: () => own.digests, sent, remember: () => remember(own) });
    }
    return { tasks, losses, needsAcceptance, skipped };
  };
}

function sentenceOf({ added, changed, removed }: Counts, format: string | null): string {
  if (added + changed + removed === 0 && format !== null) return `Annotations: copy in ${format}`;
  return `Annotations: ${added} added, ${changed} changed, ${removed} removed`;
}

function authorOf(actor: Actor, users: UserRepository): NewCommit['author'] {
  const user = users.get(actor.userId);
  return { name: nameOf(user) || actor.username, email: user?.email ?? '' };
}

const nameOf = (user: { first_name: string; last_name: string } | undefined): string =>
  `${user?.first_name ?? ''} ${user?.last_name ?? ''}`.trim();

/** Remote changes elsewhere in the repository are no obstacle; the push is committed on top of them. */
function requireSame(there: CopyState, base: CopyState): void {
  const isSame = changedFiles(there.files, base.files).size === 0 && changedFiles(base.files, there.files).size === 0;
  // Without a note, the files are not Limner's copy.
  const isCopied = noteIn(there.files) !== null;
  if (isSame && (!isCopied || isSameListing(there.listing, base.listing))) return;
  const message = 'The repository has changes that were not pulled yet. Nothing was sent. Pull, then push again.';
  throw new AppError('conflict', message);
}

/** Rejects a push that would overwrite files of other programs. */
function requireFree(format: string | null, { files, listing }: CopyState, folder: string): void {
  if (format === null || listing.size === 0 || files.has(noteFile)) return;
  const message = `The folder ${joinedPath(folder, 'export')} of the repository has files that Limner did not write. Nothing was sent. Move them elsewhere in the repository, or choose no format for this binding.`;
  throw new AppError('conflict', message);
}
