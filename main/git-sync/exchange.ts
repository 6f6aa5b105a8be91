import type {
  GitBinding,
  GitConflict,
  GitCopyChanges,
  GitLoss,
  GitProjectPulled,
  GitProjectPushed,
  GitProjectRestored,
  GitPullWrite,
  GitPushWrite,
} from '../../preload/contract/schema/git.ts';
import { AppError } from '../platform/errors.ts';
import { atOnce, inPortions, type Portions } from '../platform/portions.ts';
import type { Actor } from '../users/access/actor.ts';
import type { UserRepository } from '../users/accounts/user-repository.ts';
import type { TaskRow } from '../work/tables/task-table.ts';
import type { WorkServiceDependencies } from '../work/work-dependencies.ts';
import { changedFiles, filesOf, hasAnnotations, noteFile, stateOf } from './annotation-files.ts';
import { objectOf } from './annotation-objects.ts';
import type { BindingRepository } from './binding-repository.ts';
import type { Connected } from './connected.ts';
import { formatAfter, isOld, isSameListing, noteIn, type CopyState } from './copy/copy-note.ts';
import { requireTakeable, type ExternalChanges, type ReadExternalChanges } from './copy/external-changes.ts';
import { copyChanges, joinedLosses, losesMore, withNote, type WriteCopy } from './copy/write-copy.ts';
import type { Files, GitStore, NewCommit } from './git-store.ts';
import type { Member, Members, MembersOf } from './members.ts';
import { difference, merge, type Conflict, type Difference, type State } from './merge.ts';
import { folderFor, joinedPath } from './project-folders.ts';
import { maxObjects, newUid, tooMany, type Own, type TaskObjects } from './task-objects.ts';

const shownConflicts = 500;

/** A task, or a project with all its tasks, and its repository. */
export interface Bound {
  readonly id: number;
  /** Null for a task, also if it is bound through its project. */
  readonly projectId: number | null;
  readonly binding: GitBinding;
  readonly store: GitStore;
  readonly membersOf: MembersOf;
  /** Files of each member at a commit. */
  readonly filesAt: (commit: string) => Promise<(member: Member) => Files>;
}

interface ExchangeDependencies extends Pick<WorkServiceDependencies, 'users' | 'clock'> {
  readonly bindings: BindingRepository;
  readonly objects: TaskObjects;
  readonly connected: Connected;
  readonly writeCopy: WriteCopy;
  readonly readExternalChanges: ReadExternalChanges;
}

/**
 * Pulls and pushes a task, or the tasks of a project with one connection and one commit: merges remote and local changes
 * relative to the last common state.
 */
export const createExchange = (dependencies: ExchangeDependencies) => ({
  pull: createPull(dependencies),
  push: createPush(dependencies),
  ...createStates(dependencies),
});

function createPull({ bindings, objects, connected, readExternalChanges, clock }: ExchangeDependencies) {
  async function externalChanges(
    { store, binding }: Bound,
    there: string | null,
    found: readonly Member[],
    signal: AbortSignal,
  ): Promise<Map<Member, ExternalChanges>> {
    const external = new Map<Member, ExternalChanges>();
    for (const member of there === null ? [] : found) {
      const folder = joinedPath(binding.folder, member.folder ?? '');
      const place = { store, there: there ?? '', folder, found: member, before: member.listingBefore };
      const changes = await readExternalChanges(member.task, place, { state: member.theirs, signal });
      if (changes) external.set(member, changes);
    }
    return external;
  }

  return async function pull(
    actor: Actor,
    bound: Bound,
    given: GitPullWrite,
    signal: AbortSignal,
  ): Promise<GitProjectPulled> {
    const { store, binding, projectId } = bound;
    const there = await connected(actor, binding, given, (connection) =>
      store.fetch(connection, binding.branch, signal),
    );
    const { members, skipped } = await bound.membersOf(actor, there, 'update:annotations');
    for (const member of members) requirePresent(member);
    const found = members.filter(({ folder }) => folder !== null);
    const external = await externalChanges(bound, there, found, signal);
    const copies = [...external].map(([{ task }, changes]) => presentCopy(task, changes));
    if (given.copy === 'ask' && copies.length > 0) {
      const none = { changed: counts([]), conflicts: [], conflict_count: 0 };
      return { ...none, copies, binding: bindingOf(bindings, bound), skipped: [...skipped] };
    }
    if (given.copy === 'take') requireTakeable(copies);
    const taken = found.map((member) => {
      const changes = given.copy === 'take' ? external.get(member) : undefined;
      return { ...member, theirs: changes?.state ?? member.theirs };
    });
    const decisions = new Map(given.decisions.map(({ uid, decision }) => [uid, decision]));
    // All tasks are validated before the first change, so that a missing label changes nothing.
    function* prepare() {
      const merged = [];
      for (const [member, own] of yield* readAll(objects, actor, taken)) {
        const { base, theirs } = member;
        merged.push({ member, own, ...(yield* merge({ base, mine: own.state, theirs }, decisions, newUid)) });
      }
      const conflicts = merged.flatMap(({ member, conflicts: all }) => all.map((conflict) => ({ member, conflict })));
      const plans = [];
      for (const { member, own, state } of conflicts.length > 0 ? [] : merged)
        plans.push({ member, ...(yield* objects.plan(actor, member.task, own, state)) });
      return { conflicts, plans };
    }
    const moment = (): string => momentOf(objects, actor, taken);
    const { conflicts, plans, saved } = await preparedAndSaved(moment, prepare, signal, (prepared) => {
      if (prepared.conflicts.length > 0) return { ...prepared, saved: [] };
      // Each task has its own base, so the next pull after a crash completes the others.
      const saved = prepared.plans.map(({ member, save }) => {
        bindMember(bindings, bound, member, member.folder ?? '');
        const ids = save();
        bindings.pulled(member.task.id, there, clock());
        return { taskId: member.task.id, ids };
      });
      if (projectId !== null && there !== null) bindings.projects.pulled(projectId, there, clock());
      if (binding.project_id === null) rowsOf(bindings, bound).setFormat(bound.id, formatOf(binding, found));
      return { ...prepared, saved };
    });
    for (const { taskId, ids } of saved) await inPortions(objects.remember(taskId, { ids }));
    return {
      changed: counts(plans.map(({ steps }) => steps)),
      conflicts: conflicts
        .slice(0, shownConflicts)
        .map(({ member, conflict }) => presentConflict(member.task, conflict)),
      conflict_count: conflicts.length,
      copies: [],
      binding: bindingOf(bindings, bound),
      skipped: [...skipped],
    };
  };
}

function createPush({ bindings, objects, connected, writeCopy, users, clock }: ExchangeDependencies) {
  return async function push(
    actor: Actor,
    bound: Bound,
    given: GitPushWrite,
    signal: AbortSignal,
  ): Promise<GitProjectPushed> {
    const { store, binding, projectId } = bound;
    return connected(actor, binding, given, async (connection) => {
      const there = await store.fetch(connection, binding.branch, signal);
      const { members, skipped, folders } = await bound.membersOf(actor, there, 'update:annotations');
      const { format } = binding;
      for (const member of members) {
        requireSame(member, { files: member.before, listing: member.listingBefore ?? new Map<string, string>() });
        requireFree(format, member, joinedPath(binding.folder, member.folder ?? ''));
      }
      const owns = await inPortions(readAll(objects, actor, members), signal);
      const taken = new Set([...folders, ...members.flatMap(({ folder }) => folder ?? [])]);
      const changes = new Map<string, string | Buffer | null>();
      const steps: Difference[] = [];
      const sent: { member: Member; folder: string; own: Own }[] = [];
      const losses: (readonly GitLoss[])[] = [];
      let needsAcceptance = false;
      for (const [member, before] of owns) {
        const folder = member.folder ?? folderFor(member.task.name, taken);
        taken.add(folder);
        const isNew = member.binding === null || there === null;
        const changed = await inPortions(difference(member.theirs, before.state), signal);
        if (!isNew && isNothing(changed) && !isOld(format, member)) {
          losses.push(noteIn(member.files)?.losses ?? []);
          continue;
        }
        // Stored before the push, so that an interrupted one leaves the same uids on both sides.
        const remembered = async (own: Own): Promise<Own> => {
          if (member.binding !== null) await inPortions(objects.remember(member.task.id, own));
          return own;
        };
        const read = async (): Promise<Own> =>
          remembered(await inPortions(objects.read(actor, member.task, member.base, member.theirs), signal));
        const first = await remembered(before);
        const { own, copy } = await writeCopy(first, read, format, { task: member.task, signal });
        losses.push(copy?.losses ?? []);
        if (copy && format !== null) needsAcceptance ||= losesMore(copy, format, member.files);
        steps.push(await inPortions(difference(member.theirs, own.state), signal));
        sent.push({ member, folder, own });
        const to = withNote(await inPortions(filesOf(own.state, member.facts), signal), format, copy);
        for (const [path, content] of [...copyChanges(copy, member), ...changedFiles(member.files, to)])
          changes.set(joinedPath(folder, path), content);
      }
      const answer = {
        commit: null,
        changed: counts(steps),
        losses: joinedLosses(losses),
        needs_acceptance: needsAcceptance && !given.accept_losses,
        skipped: [...skipped],
      };
      if (sent.length === 0 || answer.needs_acceptance) return { ...answer, binding: bindingOf(bindings, bound) };
      const message = given.message || sentenceOf(steps, format);
      const author = authorOf(actor, users);
      const commit = await store.commit({ parent: there, folder: binding.folder, changes, author, message });
      await store.push(connection, binding.branch, commit, signal);
      for (const { member, folder, own } of sent) {
        bindMember(bindings, bound, member, folder);
        await inPortions(objects.remember(member.task.id, own));
        bindings.pushed(member.task.id, commit, clock());
      }
      if (projectId !== null) bindings.projects.pushed(projectId, commit, clock());
      return { ...answer, commit, binding: bindingOf(bindings, bound) };
    });
  };
}

function createStates({ objects }: Pick<ExchangeDependencies, 'objects'>) {
  /** Local state compared with the last known remote one; the repository is not contacted. */
  async function status(actor: Actor, { binding, membersOf }: Bound) {
    const { members, skipped }: Members = await membersOf(actor, binding.base, 'view:annotations');
    const owns = await inPortions(readAll(objects, actor, members));
    const steps: Difference[] = [];
    for (const [member, own] of owns) steps.push(await inPortions(difference(member.base, own.state)));
    return {
      is_copy_outdated: members.some((member) => isOld(binding.format, member)),
      to_push: counts(steps),
      skipped: [...skipped],
    };
  }

  /** Restores the annotations of a past commit. The next push sends the change. */
  async function restore(actor: Actor, bound: Bound, commit: string): Promise<GitProjectRestored> {
    const pastOf = await bound.filesAt(commit);
    const { members, skipped } = await bound.membersOf(actor, bound.binding.base, 'update:annotations');
    const isRestored = (member: Member): boolean =>
      member.binding !== null && (bound.projectId === null || hasAnnotations(pastOf(member)));
    const restored = members.filter(isRestored);
    const targets: (readonly [Member, State])[] = [];
    for (const member of restored) targets.push([member, await inPortions(stateOf(pastOf(member), member.facts))]);
    function* prepare() {
      const plans = [];
      for (const [{ task, base }, target] of targets) {
        const own = yield* objects.read(actor, task, base, target);
        plans.push({ task, ...(yield* objects.plan(actor, task, own, target)) });
      }
      return plans;
    }
    const moment = (): string => momentOf(objects, actor, restored);
    const plans = await preparedAndSaved(moment, prepare, undefined, (prepared) =>
      prepared.map(({ task, steps, save }) => ({ taskId: task.id, steps, ids: save() })),
    );
    for (const { taskId, ids } of plans) await inPortions(objects.remember(taskId, { ids }));
    const reason = 'It was not in the repository at that time. It stays unchanged.';
    const later = members.filter((member) => !isRestored(member));
    return {
      changed: counts(plans.map(({ steps }) => steps)),
      skipped: [...skipped, ...later.map(({ task }) => ({ task_id: task.id, name: task.name, reason }))],
    };
  }

  return { status, restore };
}

const rowsOf = (bindings: BindingRepository, { projectId }: Bound) =>
  projectId === null ? bindings : bindings.projects;
const bindingOf = (bindings: BindingRepository, bound: Bound): GitBinding =>
  rowsOf(bindings, bound).get(bound.id) ?? bound.binding;

/** Reads the local annotations. @throws AppError if they are too many for the memory */
function* readAll(objects: TaskObjects, actor: Actor, members: readonly Member[]): Portions<Map<Member, Own>> {
  let count = 0;
  const owns = new Map<Member, Own>();
  for (const member of members) {
    const own = yield* objects.read(actor, member.task, member.base, member.theirs);
    count += own.state.size;
    if (count > maxObjects) throw tooMany('project', count);
    owns.set(member, own);
  }
  return owns;
}

const momentOf = (objects: TaskObjects, actor: Actor, members: readonly Pick<Member, 'task'>[]): string =>
  members.map(({ task }) => objects.moment(actor, task)).join('\n');

const triesInPortions = 3;

/**
 * Prepares a save in portions, and again if an edit occurred since its start. If users edit all the time, prepares it in one
 * go. No edit occurs between the end of the preparation and the save.
 * @param moment a text that changes with every edit
 */
async function preparedAndSaved<Prepared, Saved>(
  moment: () => string,
  prepare: () => Portions<Prepared>,
  signal: AbortSignal | undefined,
  save: (prepared: Prepared) => Saved,
): Promise<Saved> {
  for (let attempt = 0; attempt < triesInPortions; attempt += 1) {
    const before = moment();
    const prepared = await inPortions(prepare(), signal);
    if (moment() === before) return save(prepared);
  }
  return save(atOnce(prepare()));
}

/** Binds a task that had no folder in the repository of its project. */
function bindMember(
  bindings: BindingRepository,
  { binding: place, projectId }: Bound,
  { task, binding }: Member,
  folder: string,
): void {
  if (binding === null) bindings.put(task.id, { ...place, folder: joinedPath(place.folder, folder) }, projectId);
}

/** Format of all folders: a new choice in one of them, including none, applies to all. */
function formatOf({ format: own }: GitBinding, found: readonly Member[]): string | null {
  const [chosen = own] = found
    .map(({ before, files }) => formatAfter(own, before, files))
    .filter((format) => format !== own);
  return chosen;
}

const isNothing = ({ added, changed, removed }: Difference): boolean =>
  added.length + changed.length + removed.length === 0;

function counts(all: readonly Difference[]) {
  const sum = (of: keyof Difference): number => all.reduce((total, one) => total + one[of].length, 0);
  return { added: sum('added'), changed: sum('changed'), removed: sum('removed') };
}

function sentenceOf(steps: readonly Difference[], format: string | null): string {
  if (steps.every(isNothing) && format !== null) return `Annotations: copy in ${format}`;
  const { added, changed, removed } = counts(steps);
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

/** Rejects a pull from an empty remote folder, because it would delete all local annotations. */
function requirePresent({ binding, files }: Member): void {
  if (binding === null || binding.base === null || hasAnnotations(files)) return;
  const { branch, folder } = binding;
  const message = `The branch ${branch} of the repository no longer has annotations in ${folder || 'its root'}. Nothing was changed. Check the repository, or bind the task again to push the local annotations.`;
  throw new AppError('conflict', message);
}

const presentCopy = ({ id, name }: TaskRow, { changes }: ExternalChanges): GitCopyChanges => ({
  task_id: id,
  task_name: name,
  ...changes,
});

function presentConflict({ id, name }: TaskRow, { uid, ...sides }: Conflict): GitConflict {
  const read = (text: string | null) => (text === null ? null : objectOf(text));
  const [base, mine, theirs] = [read(sides.base), read(sides.mine), read(sides.theirs)];
  const any = mine ?? theirs ?? base;
  const [kind, frame, label] = [any?.kind ?? 'shape', any?.frame ?? 0, any?.label ?? ''] as const;
  return { task_id: id, task_name: name, uid, kind, frame, label, base, mine, theirs };
}
