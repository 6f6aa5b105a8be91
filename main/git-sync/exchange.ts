import type {
  GitBinding,
  GitConflict,
  GitCopyChanges,
  GitDifference,
  GitPulled,
  GitPullWrite,
  GitPushed,
  GitPushWrite,
} from '../../preload/contract/schema/git.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../users/access/actor.ts';
import type { UserRepository } from '../users/accounts/user-repository.ts';
import type { TaskRow } from '../work/tables/task-table.ts';
import { changedFiles, filesOf, hasAnnotations, noteFile, ownFile, stateOf } from './annotation-files.ts';
import { objectOf } from './annotation-objects.ts';
import type { BindingRepository } from './binding-repository.ts';
import type { Connected } from './connected.ts';
import { formatAfter, isOfCopy, isOld, isSameListing, noteIn, type CopyState } from './copy/copy-note.ts';
import { requireTakeable, type ExternalChanges, type ReadExternalChanges } from './copy/external-changes.ts';
import { copyChanges, losesMore, withNote, type WriteCopy } from './copy/write-copy.ts';
import type { Files, GitStore, Listing, NewCommit } from './git-store.ts';
import { difference, merge, type Conflict, type Difference } from './merge.ts';
import { joinedPath } from './project-folders.ts';
import { newUid, type Own, type TaskObjects } from './task-objects.ts';
import type { WorkServiceDependencies } from '../work/work-dependencies.ts';

export const shownConflicts = 500;
const noFiles: Files = new Map();

/** Listing of the copy in a bound folder at a commit; empty if there is and was none. */
export const copyAt = async (
  store: GitStore,
  commit: string | null,
  { folder, format }: GitBinding,
  files: Files,
): Promise<Listing> =>
  commit === null || (format === null && !files.has(noteFile)) ? noFiles : store.list(commit, folder, isOfCopy);

/** Reads the files of a bound folder at a commit; empty without a commit. */
export const filesAt = async (store: GitStore, commit: string | null, { folder }: GitBinding): Promise<Files> =>
  commit === null ? noFiles : store.read(commit, folder, (path) => ownFile.test(path));

/** Pulls and pushes a task: merges remote and local changes relative to the last common state. */
export function createExchange(
  dependencies: Pick<WorkServiceDependencies, 'users' | 'clock'> & {
    readonly bindings: BindingRepository;
    readonly objects: TaskObjects;
    readonly connected: Connected;
    readonly writeCopy: WriteCopy;
    readonly readExternalChanges: ReadExternalChanges;
    readonly storeOf: (task: Pick<TaskRow, 'id'>) => GitStore;
  },
) {
  const { bindings, objects, connected, writeCopy, readExternalChanges, storeOf, users, clock } = dependencies;

  async function pull(
    actor: Actor,
    task: TaskRow,
    binding: GitBinding,
    given: GitPullWrite,
    signal: AbortSignal,
  ): Promise<GitPulled> {
    const store = storeOf(task);
    const there = await connected(actor, binding, given, (connection) =>
      store.fetch(connection, binding.branch, signal),
    );
    const facts = objects.facts(task);
    const files = await filesAt(store, there, binding);
    const baseFiles = await filesAt(store, binding.base, binding);
    const [own, base] = [stateOf(files, facts), stateOf(baseFiles, facts)];
    if (binding.base !== null && !hasAnnotations(files)) throw goneThere(binding);
    const place = {
      store,
      there: there ?? '',
      folder: binding.folder,
      found: { files, listing: await copyAt(store, there, binding, files) },
      before: binding.base === null ? null : await copyAt(store, binding.base, binding, files),
    };
    const foreign = await readExternalChanges(task, place, { state: own, signal });
    const copies = foreign ? [presentCopy(task, foreign)] : [];
    if (given.copy === 'ask' && foreign)
      return { changed: counts(nothing), conflicts: [], conflict_count: 0, copies, binding };
    if (given.copy === 'take') requireTakeable(copies);
    const theirs = given.copy === 'take' && foreign ? foreign.state : own;
    signal.throwIfAborted();
    // Synchronous from here, so that no edit occurs between reading and saving.
    const mine = objects.read(actor, task, base, theirs);
    const decisions = new Map(given.decisions.map(({ uid, decision }) => [uid, decision]));
    const merged = merge({ base, mine: mine.state, theirs }, decisions, newUid);
    const isDecided = merged.conflicts.length === 0;
    const changed = isDecided ? objects.apply(actor, task, mine, merged.state) : nothing;
    if (isDecided) {
      bindings.pulled(task.id, there, clock());
      if (binding.project_id === null) bindings.setFormat(task.id, formatAfter(binding.format, baseFiles, files));
    }
    return {
      changed: counts(changed),
      conflicts: merged.conflicts.slice(0, shownConflicts).map((conflict) => presentConflict(task, conflict)),
      conflict_count: merged.conflicts.length,
      copies: [],
      binding: bindings.get(task.id) ?? binding,
    };
  }

  async function push(
    actor: Actor,
    task: TaskRow,
    binding: GitBinding,
    given: GitPushWrite,
    signal: AbortSignal,
  ): Promise<GitPushed> {
    const store = storeOf(task);
    return connected(actor, binding, given, async (connection) => {
      const there = await store.fetch(connection, binding.branch, signal);
      const facts = objects.facts(task);
      const { format } = binding;
      const files = await filesAt(store, there, binding);
      const found = { files, listing: await copyAt(store, there, binding, files) };
      if (there !== binding.base)
        requireSame(found, {
          files: await filesAt(store, binding.base, binding),
          listing: await copyAt(store, binding.base, binding, files),
        });
      requireFree(format, found, binding.folder);
      const base = stateOf(found.files, facts);
      const read = (): Own => {
        const own = objects.read(actor, task, base);
        objects.remember(task.id, own);
        return own;
      };
      const sends = (own: Own): boolean => !isNothing(difference(base, own.state)) || there === null;
      const writes = isOld(format, found) || sends(read());
      const { own, copy } = await writeCopy(read, writes ? format : null, { task, signal });
      const changed = difference(base, own.state);
      const losses = [...(copy?.losses ?? noteIn(found.files)?.losses ?? [])];
      const answer = { commit: null, changed: counts(changed), losses, needs_acceptance: false, binding };
      if (!writes) return answer;
      if (copy && format !== null && !given.accept_losses && losesMore(copy, format, found.files))
        return { ...answer, needs_acceptance: true };
      const to = withNote(filesOf(own.state, facts), format, copy);
      const changes = new Map<string, string | Buffer | null>([
        ...copyChanges(copy, found),
        ...changedFiles(found.files, to),
      ]);
      const author = authorOf(actor, users);
      const message = given.message || sentenceOf(changed, format);
      const commit = await store.commit({ parent: there, folder: binding.folder, changes, author, message });
      await store.push(connection, binding.branch, commit, signal);
      bindings.pushed(task.id, commit, clock());
      return { ...answer, commit, binding: bindings.get(task.id) ?? binding };
    });
  }

  return { pull, push };
}

const nothing: Difference = { added: [], changed: [], removed: [] };
export const isNothing = ({ added, changed, removed }: Difference): boolean =>
  added.length + changed.length + removed.length === 0;
export const counts = ({ added, changed, removed }: Difference): GitDifference => ({
  added: added.length,
  changed: changed.length,
  removed: removed.length,
});

export function sentenceOf(steps: Difference, format: string | null): string {
  const { added, changed, removed } = steps;
  if (isNothing(steps) && format !== null) return `Annotations: copy in ${format}`;
  return `Annotations: ${added.length} added, ${changed.length} changed, ${removed.length} removed`;
}

export function authorOf(actor: Actor, users: UserRepository): NewCommit['author'] {
  const user = users.get(actor.userId);
  return { name: nameOf(user) || actor.username, email: user?.email ?? '' };
}

const nameOf = (user: { first_name: string; last_name: string } | undefined): string =>
  `${user?.first_name ?? ''} ${user?.last_name ?? ''}`.trim();

/** Remote changes elsewhere in the repository are no obstacle; the push is committed on top of them. */
export function requireSame(there: CopyState, base: CopyState): void {
  const isSame = changedFiles(there.files, base.files).size === 0 && changedFiles(base.files, there.files).size === 0;
  // Without a note, the files are not Limner's copy.
  const isCopied = noteIn(there.files) !== null;
  if (isSame && (!isCopied || isSameListing(there.listing, base.listing))) return;
  const message = 'The repository has changes that were not pulled yet. Nothing was sent. Pull, then push again.';
  throw new AppError('conflict', message);
}

/** Rejects a push that would overwrite files of other programs. */
export function requireFree(format: string | null, { files, listing }: CopyState, folder: string): void {
  if (format === null || listing.size === 0 || files.has(noteFile)) return;
  const message = `The folder ${joinedPath(folder, 'export')} of the repository has files that Limner did not write. Nothing was sent. Move them elsewhere in the repository, or choose no format for this binding.`;
  throw new AppError('conflict', message);
}

/** Rejected, because an empty remote folder would delete all local annotations. */
function goneThere({ branch, folder }: GitBinding): AppError {
  const message = `The branch ${branch} of the repository no longer has annotations in ${folder || 'its root'}. Nothing was changed. Check the repository, or bind the task again to push the local annotations.`;
  return new AppError('conflict', message);
}

export const presentCopy = ({ id, name }: TaskRow, { changes }: ExternalChanges): GitCopyChanges => ({
  task_id: id,
  task_name: name,
  ...changes,
});

export function presentConflict({ id, name }: TaskRow, { uid, ...sides }: Conflict): GitConflict {
  const read = (text: string | null) => (text === null ? null : objectOf(text));
  const [base, mine, theirs] = [read(sides.base), read(sides.mine), read(sides.theirs)];
  const any = mine ?? theirs ?? base;
  const [kind, frame, label] = [any?.kind ?? 'shape', any?.frame ?? 0, any?.label ?? ''] as const;
  return { task_id: id, task_name: name, uid, kind, frame, label, base, mine, theirs };
}
