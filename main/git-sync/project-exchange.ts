import type {
  GitBinding,
  GitProjectPulled,
  GitPullWrite,
  GitLoss,
  GitProjectPushed,
  GitPushWrite,
} from '../../preload/contract/schema/git.ts';
import type { Actor } from '../users/access/actor.ts';
import { hasAnnotations, changedFiles, filesOf } from './annotation-files.ts';
import { formatAfter, isOld, noteIn } from './copy/copy-note.ts';
import { requireTakeable, type ExternalChanges, type ReadExternalChanges } from './copy/external-changes.ts';
import {
  presentConflict,
  presentCopy,
  shownConflicts,
  authorOf,
  isNothing,
  requireFree,
  requireSame,
  sentenceOf,
} from './exchange.ts';
import type { GitStore } from './git-store.ts';
import { merge, difference, type Difference } from './merge.ts';
import { joinedPath, folderFor } from './project-folders.ts';
import {
  readAll,
  sumOf,
  joinedSteps,
  type BoundProject,
  type Member,
  type createProjectTasks,
} from './project-tasks.ts';
import { newUid, type Own, type TaskObjects } from './task-objects.ts';
import type { BindingRepository } from './binding-repository.ts';
import type { Connected } from './connected.ts';
import { copyChanges, joinedLosses, losesMore, withNote, type WriteCopy } from './copy/write-copy.ts';
import type { WorkServiceDependencies } from '../work/work-dependencies.ts';

/** All tasks of a project with one repository, which is contacted only once. */
export function createProjectExchange(dependencies: ProjectExchangeDependencies) {
  const { bindings, objects, membersOf, connected, readExternalChanges, storeOf, clock } = dependencies;
  const bindingOf = (project: BoundProject): GitBinding => bindings.projects.get(project.id) ?? project;

  async function pull(
    actor: Actor,
    project: BoundProject,
    given: GitPullWrite,
    signal: AbortSignal,
  ): Promise<GitProjectPulled> {
    const store = storeOf(project.id);
    const there = await connected(actor, project, given, (connection) =>
      store.fetch(connection, project.branch, signal),
    );
    const { members, skipped } = await membersOf(actor, project, { store, there, right: 'update:annotations' });
    const found = members.filter(({ folder, files }) => folder !== null && hasAnnotations(files));
    const foreign = await foreignOf(project, found, { store, there, signal });
    const copies = [...foreign].map(([{ task }, changes]) => presentCopy(task, changes));
    if (given.copy === 'ask' && copies.length > 0)
      return {
        changed: sumOf([]),
        conflicts: [],
        conflict_count: 0,
        copies,
        binding: bindingOf(project),
        skipped: [...skipped],
      };
    if (given.copy === 'take') requireTakeable(copies);
    signal.throwIfAborted();
    // Synchronous from here, so that no edit occurs between reading and saving.
    const owns = readAll(objects, actor, found);
    const decisions = new Map(given.decisions.map(({ uid, decision }) => [uid, decision]));
    const merged = found.map((member) => {
      const own = owns.get(member) ?? { state: new Map(), ids: new Map() };
      const { base } = member;
      const theirs = (given.copy === 'take' ? foreign.get(member)?.state : undefined) ?? member.theirs;
      return { member, own, ...merge({ base, mine: own.state, theirs }, decisions, newUid) };
    });
    const conflicts = merged.flatMap(({ member, conflicts: all }) =>
      all.map((conflict) => presentConflict(member.task, conflict)),
    );
    const changes: Difference[] = [];
    if (conflicts.length === 0) {
      // All tasks are validated before the first change, so that a missing label changes nothing.
      const plans = merged.map(({ member, own, state }) => objects.plan(actor, member.task, own, state));
      // Each task has its own base, so the next pull after a crash completes the others.
      for (const [index, { member }] of merged.entries()) {
        bindMember(bindings, project, member, member.folder ?? '');
        plans[index]?.save();
        bindings.pulled(member.task.id, there, clock());
      }
      if (there !== null) bindings.projects.pulled(project.id, there, clock());
      bindings.projects.setFormat(project.id, formatOf(project, found));
      changes.push(...plans.map(({ steps }) => steps));
    }
    return {
      changed: sumOf(changes),
      conflicts: conflicts.slice(0, shownConflicts),
      conflict_count: conflicts.length,
      copies: [],
      binding: bindingOf(project),
      skipped: [...skipped],
    };
  }

  async function foreignOf(
    project: BoundProject,
    found: readonly Member[],
    { store, there, signal }: { readonly store: GitStore; readonly there: string | null; readonly signal: AbortSignal },
  ): Promise<Map<Member, ExternalChanges>> {
    const foreign = new Map<Member, ExternalChanges>();
    for (const member of there === null ? [] : found) {
      const folder = joinedPath(project.folder, member.folder ?? '');
      const place = { store, there: there ?? '', folder, found: member, before: member.listingBefore };
      const changes = await readExternalChanges(member.task, place, { state: member.theirs, signal });
      if (changes) foreign.set(member, changes);
    }
    return foreign;
  }

  return { pull, push: createProjectPush(dependencies) };
}

/** Format of all folders: a new choice in one of them applies to all. */
const formatOf = (project: BoundProject, found: readonly Member[]): string | null =>
  found
    .map(({ before, files }) => formatAfter(project.format, before, files))
    .find((format) => format !== project.format) ?? project.format;

export interface ProjectExchangeDependencies extends Pick<WorkServiceDependencies, 'users' | 'clock'> {
  readonly bindings: BindingRepository;
  readonly objects: TaskObjects;
  readonly membersOf: ReturnType<typeof createProjectTasks>;
  readonly connected: Connected;
  readonly writeCopy: WriteCopy;
  readonly readExternalChanges: ReadExternalChanges;
  readonly storeOf: (projectId: number) => GitStore;
}

/** Binds a task that had no folder in the project's repository. */
function bindMember(
  bindings: BindingRepository,
  project: BoundProject,
  { task, binding }: Member,
  folder: string,
): void {
  if (binding === null) bindings.put(task.id, { ...project, folder: joinedPath(project.folder, folder) }, project.id);
}

/** Pushes the local changes of all tasks of a project as one commit. */
function createProjectPush(dependencies: ProjectExchangeDependencies) {
  const { bindings, objects, membersOf, connected, writeCopy, storeOf, users, clock } = dependencies;
  const bindingOf = (project: BoundProject): GitBinding => bindings.projects.get(project.id) ?? project;

  return async function push(
    actor: Actor,
    project: BoundProject,
    given: GitPushWrite,
    signal: AbortSignal,
  ): Promise<GitProjectPushed> {
    const store = storeOf(project.id);
    return connected(actor, project, given, async (connection) => {
      const there = await store.fetch(connection, project.branch, signal);
      const { members, skipped, folders } = await membersOf(actor, project, {
        store,
        there,
        right: 'update:annotations',
      });
      const { format } = project;
      for (const member of members) {
        requireSame(member, { files: member.before, listing: member.listingBefore ?? new Map<string, string>() });
        requireFree(format, member, joinedPath(project.folder, member.folder ?? ''));
      }
      const owns = readAll(objects, actor, members);
      const taken = new Set([...folders, ...members.flatMap(({ folder }) => folder ?? [])]);
      const changes = new Map<string, string | Buffer | null>();
      const steps: Difference[] = [];
      const sent: { member: Member; folder: string; own: Own }[] = [];
      const losses: GitLoss[][] = [];
      let needsAcceptance = false;
      for (const [member, before] of owns) {
        const folder = member.folder ?? folderFor(member.task.name, taken);
        taken.add(folder);
        const isAsThere = isNothing(difference(member.theirs, before.state)) && member.binding !== null;
        if (isAsThere && !isOld(format, member)) {
          losses.push([...(noteIn(member.files)?.losses ?? [])]);
          continue;
        }
        const read = (): Own => objects.read(actor, member.task, member.base, member.theirs);
        const made = format === null ? null : await writeCopy(read, format, { task: member.task, signal });
        const { own, copy } = made ?? { own: before, copy: null };
        losses.push([...(copy?.losses ?? [])]);
        if (copy && format !== null) needsAcceptance ||= losesMore(copy, format, member.files);
        steps.push(difference(member.theirs, own.state));
        sent.push({ member, folder, own });
        const to = withNote(filesOf(own.state, member.facts), format, copy);
        for (const [path, content] of [...copyChanges(copy, member), ...changedFiles(member.files, to)])
          changes.set(joinedPath(folder, path), content);
      }
      const changed = sumOf(steps);
      const answer = {
        commit: null,
        changed,
        losses: joinedLosses(losses),
        needs_acceptance: needsAcceptance && !given.accept_losses,
        skipped: [...skipped],
      };
      if (sent.length === 0 || answer.needs_acceptance) return { ...answer, binding: bindingOf(project) };
      const message = given.message || sentenceOf(joinedSteps(steps), format);
      const author = authorOf(actor, users);
      const commit = await store.commit({ parent: there, folder: project.folder, changes, author, message });
      await store.push(connection, project.branch, commit, signal);
      for (const { member, folder, own } of sent) {
        bindMember(bindings, project, member, folder);
        objects.remember(member.task.id, own);
        bindings.pushed(member.task.id, commit, clock());
      }
      bindings.projects.pushed(project.id, commit, clock());
      return { ...answer, commit, binding: bindingOf(project) };
    });
  };
}
