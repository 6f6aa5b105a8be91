import type {
  GitBinding,
  GitConflict,
  GitDifference,
  GitPulled,
  GitPullWrite,
  GitPushed,
  GitPushWrite,
} from '../../../preload/contract/schema/git.ts';
import { AppError } from '../../platform/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Actor } from '../../people/access/actor.ts';
import type { UserRepository } from '../../people/users/user-repository.ts';
import type { TaskRow } from '../../work/tables/task-table.ts';
import { changedFiles, filesOf, hasAnnotations, ownFile, stateOf } from './annotation-files.ts';
import { objectOf } from './annotation-objects.ts';
import type { BindingRepository } from './binding-repository.ts';
import type { Connected } from './connected.ts';
import type { Files, GitStore, NewCommit } from './git-store.ts';
import { difference, merge, type Conflict, type Difference } from './merge.ts';
import { newUid, type TaskObjects } from './task-objects.ts';

export const shownConflicts = 500;
const noFiles: Files = new Map();

/** Reads the files of a bound folder at a commit; none where there is no commit yet. */
export const filesAt = async (store: GitStore, commit: string | null, { folder }: GitBinding): Promise<Files> =>
  commit === null ? noFiles : store.read(commit, folder, (path) => ownFile.test(path));

/** Brings what has changed over there, and what has changed here: a task, its repository, and what both had last. */
export function createExchange(dependencies: {
  readonly bindings: BindingRepository;
  readonly objects: TaskObjects;
  readonly connected: Connected;
  readonly storeOf: (task: Pick<TaskRow, 'id'>) => GitStore;
  readonly users: UserRepository;
  readonly clock: Clock;
}) {
  const { bindings, objects, connected, storeOf, users, clock } = dependencies;

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
    const theirs = stateOf(files, facts);
    const base = stateOf(await filesAt(store, binding.base, binding), facts);
    if (binding.base !== null && !hasAnnotations(files)) throw goneThere(binding);
    signal.throwIfAborted();
    // From here on nothing waits: no edit comes between reading and saving.
    const own = objects.read(actor, task, base, theirs);
    const decisions = new Map(given.decisions.map(({ uid, decision }) => [uid, decision]));
    const merged = merge({ base, mine: own.state, theirs }, decisions, newUid);
    const isDecided = merged.conflicts.length === 0;
    const changed = isDecided ? objects.apply(actor, task, own, merged.state) : nothing;
    if (isDecided) bindings.pulled(task.id, there, clock());
    return {
      changed: counts(changed),
      conflicts: merged.conflicts.slice(0, shownConflicts).map((conflict) => presentConflict(task, conflict)),
      conflict_count: merged.conflicts.length,
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
      const files = await filesAt(store, there, binding);
      if (there !== binding.base) requireSame(files, await filesAt(store, binding.base, binding));
      const base = stateOf(files, facts);
      const own = objects.read(actor, task, base);
      objects.remember(task.id, own);
      const changed = difference(base, own.state);
      const changes = changedFiles(files, filesOf(own.state, facts));
      if (isNothing(changed) && there !== null) return { commit: null, changed: counts(changed), binding };
      const author = authorOf(actor, users);
      const message = given.message || sentenceOf(changed);
      const commit = await store.commit({ parent: there, folder: binding.folder, changes, author, message });
      await store.push(connection, binding.branch, commit, signal);
      bindings.pushed(task.id, commit, clock());
      return { commit, changed: counts(changed), binding: bindings.get(task.id) ?? binding };
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

export const sentenceOf = ({ added, changed, removed }: Difference): string =>
  `Annotations: ${added.length} added, ${changed.length} changed, ${removed.length} removed`;

export function authorOf(actor: Actor, users: UserRepository): NewCommit['author'] {
  const user = users.get(actor.userId);
  return { name: nameOf(user) || actor.username, email: user?.email ?? '' };
}

const nameOf = (user: { first_name: string; last_name: string } | undefined): string =>
  `${user?.first_name ?? ''} ${user?.last_name ?? ''}`.trim();

/** Others may have pushed elsewhere in the repository; then a push goes on top of theirs. */
export function requireSame(there: Files, base: Files): void {
  if (changedFiles(there, base).size === 0 && changedFiles(base, there).size === 0) return;
  const message = 'The repository has changes that are not here yet. Nothing was sent. Pull, then push again.';
  throw new AppError('conflict', message, { detail: message });
}

/** Taken for deleted, everything here would go. */
function goneThere({ branch, folder }: GitBinding): AppError {
  const message = `The branch ${branch} of the repository has no annotations in ${folder || 'its root'} any more. Nothing was changed. Look at the repository, or bind the task anew to push what is here.`;
  return new AppError('conflict', message, { detail: message });
}

export function presentConflict({ id, name }: TaskRow, { uid, ...sides }: Conflict): GitConflict {
  const read = (text: string | null) => (text === null ? null : objectOf(text));
  const [base, mine, theirs] = [read(sides.base), read(sides.mine), read(sides.theirs)];
  const any = mine ?? theirs ?? base;
  const [kind, frame, label] = [any?.kind ?? 'shape', any?.frame ?? 0, any?.label ?? ''] as const;
  return { task_id: id, task_name: name, uid, kind, frame, label, base, mine, theirs };
}
