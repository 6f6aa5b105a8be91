import type {
  GitBinding,
  GitProjectPulled,
  GitProjectPushed,
  GitPullWrite,
  GitPushWrite,
} from '../../../preload/contract/schema/git.ts';
import type { Actor } from '../../people/access/actor.ts';
import type { UserRepository } from '../../people/users/user-repository.ts';
import type { Clock } from '../../platform/clock.ts';
import { changedFiles, filesOf, hasAnnotations } from './annotation-files.ts';
import type { BindingRepository } from './binding-repository.ts';
import type { Connected } from './connected.ts';
import { authorOf, isNothing, presentConflict, requireSame, sentenceOf, shownConflicts } from './exchange.ts';
import type { GitStore } from './git-store.ts';
import { difference, merge, type Difference } from './merge.ts';
import { folderFor, joinedPath } from './project-folders.ts';
import type { createProjectTasks, Member } from './project-tasks.ts';
import { joinedSteps, readAll, sumOf, type BoundProject } from './project-states.ts';
import { newUid, type Own, type TaskObjects } from './task-objects.ts';

/** All tasks of a project with one repository: what is asked of it is asked once, and a push is one commit. */
export function createProjectExchange(dependencies: {
  readonly bindings: BindingRepository;
  readonly objects: TaskObjects;
  readonly membersOf: ReturnType<typeof createProjectTasks>;
  readonly connected: Connected;
  readonly storeOf: (projectId: number) => GitStore;
  readonly users: UserRepository;
  readonly clock: Clock;
}) {
  const { bindings, objects, membersOf, connected, storeOf, users, clock } = dependencies;
  const bindingOf = (project: BoundProject): GitBinding => bindings.projects.get(project.id) ?? project;

  function bindMember(project: BoundProject, { task, binding }: Member, folder: string): void {
    if (binding === null) bindings.put(task.id, { ...project, folder: joinedPath(project.folder, folder) }, project.id);
  }

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
    const { members, left } = await membersOf(actor, project, { store, there, right: 'update:annotations' });
    signal.throwIfAborted();
    // From here on nothing waits: no edit comes between reading and saving.
    const found = members.filter(({ folder, files }) => folder !== null && hasAnnotations(files));
    const owns = readAll(objects, actor, found);
    const decisions = new Map(given.decisions.map(({ uid, decision }) => [uid, decision]));
    const merged = found.map((member) => {
      const own = owns.get(member) ?? { state: new Map(), ids: new Map() };
      const { theirs, base } = member;
      return { member, own, ...merge({ base, mine: own.state, theirs }, decisions, newUid) };
    });
    const conflicts = merged.flatMap(({ member, conflicts: all }) =>
      all.map((conflict) => presentConflict(member.task, conflict)),
    );
    const changes: Difference[] = [];
    if (conflicts.length === 0) {
      // A label that one task lacks is told before another one is changed.
      const plans = merged.map(({ member, own, state }) => objects.plan(actor, member.task, own, state));
      // Each task has its own base: after a crash in between, the next pull brings the others.
      for (const [index, { member }] of merged.entries()) {
        bindMember(project, member, member.folder ?? '');
        plans[index]?.save();
        bindings.pulled(member.task.id, there, clock());
      }
      if (there !== null) bindings.projects.pulled(project.id, there, clock());
      changes.push(...plans.map(({ steps }) => steps));
    }
    return {
      changed: sumOf(changes),
      conflicts: conflicts.slice(0, shownConflicts),
      conflict_count: conflicts.length,
      binding: bindingOf(project),
      left: [...left],
    };
  }

  async function push(
    actor: Actor,
    project: BoundProject,
    given: GitPushWrite,
    signal: AbortSignal,
  ): Promise<GitProjectPushed> {
    const store = storeOf(project.id);
    return connected(actor, project, given, async (connection) => {
      const there = await store.fetch(connection, project.branch, signal);
      const { members, left, folders } = await membersOf(actor, project, { store, there, right: 'update:annotations' });
      for (const { files, before } of members) requireSame(files, before);
      const owns = readAll(objects, actor, members);
      const taken = new Set([...folders.keys(), ...members.flatMap(({ folder }) => folder ?? [])]);
      const changes = new Map<string, string | null>();
      const steps: Difference[] = [];
      const sent: { member: Member; folder: string; own: Own }[] = [];
      for (const [member, own] of owns) {
        const folder = member.folder ?? folderFor(member.task.name, taken);
        taken.add(folder);
        const changed = difference(member.theirs, own.state);
        if (isNothing(changed) && member.binding !== null) continue;
        steps.push(changed);
        sent.push({ member, folder, own });
        for (const [path, text] of changedFiles(member.files, filesOf(own.state, member.facts)))
          changes.set(joinedPath(folder, path), text);
      }
      const changed = sumOf(steps);
      if (sent.length === 0) return { commit: null, changed, binding: bindingOf(project), left: [...left] };
      const message = given.message || sentenceOf(joinedSteps(steps));
      const author = authorOf(actor, users);
      const commit = await store.commit({ parent: there, folder: project.folder, changes, author, message });
      await store.push(connection, project.branch, commit, signal);
      for (const { member, folder, own } of sent) {
        bindMember(project, member, folder);
        objects.remember(member.task.id, own);
        bindings.pushed(member.task.id, commit, clock());
      }
      bindings.projects.pushed(project.id, commit, clock());
      return { commit, changed, binding: bindingOf(project), left: [...left] };
    });
  }

  return { pull, push };
}
