import type { GitBinding, GitLoss, GitProjectPushed, GitPushWrite } from '../../../preload/contract/schema/git.ts';
import type { Actor } from '../../people/access/actor.ts';
import type { UserRepository } from '../../people/users/user-repository.ts';
import type { Clock } from '../../platform/clock.ts';
import { changedFiles, filesOf } from './annotation-files.ts';
import type { BindingRepository } from './binding-repository.ts';
import type { Connected } from './connected.ts';
import { isOld, noteIn } from './copy/copy-note.ts';
import type { ReadForeignChanges } from './copy/foreign-changes.ts';
import { copyChanges, joinedLosses, losesMore, withNote, type WriteCopy } from './copy/write-copy.ts';
import { authorOf, isNothing, requireFree, requireSame, sentenceOf } from './exchange.ts';
import type { GitStore } from './git-store.ts';
import { difference, type Difference } from './merge.ts';
import { folderFor, joinedPath } from './project-folders.ts';
import { joinedSteps, readAll, sumOf, type BoundProject } from './project-states.ts';
import type { createProjectTasks, Member } from './project-tasks.ts';
import type { Own, TaskObjects } from './task-objects.ts';

export interface ProjectExchangeDependencies {
  readonly bindings: BindingRepository;
  readonly objects: TaskObjects;
  readonly membersOf: ReturnType<typeof createProjectTasks>;
  readonly connected: Connected;
  readonly writeCopy: WriteCopy;
  readonly readForeignChanges: ReadForeignChanges;
  readonly storeOf: (projectId: number) => GitStore;
  readonly users: UserRepository;
  readonly clock: Clock;
}

/** A task that had no folder in the repository of its project before. */
export function bindMember(
  bindings: BindingRepository,
  project: BoundProject,
  { task, binding }: Member,
  folder: string,
): void {
  if (binding === null) bindings.put(task.id, { ...project, folder: joinedPath(project.folder, folder) }, project.id);
}

/** Brings what has changed here of all tasks of a project, as one commit. */
export function createProjectPush(dependencies: ProjectExchangeDependencies) {
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
      const { members, left, folders } = await membersOf(actor, project, { store, there, right: 'update:annotations' });
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
        left: [...left],
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
