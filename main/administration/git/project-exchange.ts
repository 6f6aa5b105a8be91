import type { GitBinding, GitProjectPulled, GitPullWrite } from '../../../preload/contract/schema/git.ts';
import type { Actor } from '../../people/access/actor.ts';
import { hasAnnotations } from './annotation-files.ts';
import { formatAfter } from './copy/copy-note.ts';
import { requireTakeable, type ForeignChanges } from './copy/foreign-changes.ts';
import { presentConflict, presentCopy, shownConflicts } from './exchange.ts';
import type { GitStore } from './git-store.ts';
import { merge, type Difference } from './merge.ts';
import { joinedPath } from './project-folders.ts';
import { bindMember, createProjectPush, type ProjectExchangeDependencies } from './project-push.ts';
import { readAll, sumOf, type BoundProject } from './project-states.ts';
import type { Member } from './project-tasks.ts';
import { newUid } from './task-objects.ts';

/** All tasks of a project with one repository: what is asked of it is asked once. */
export function createProjectExchange(dependencies: ProjectExchangeDependencies) {
  const { bindings, objects, membersOf, connected, readForeignChanges, storeOf, clock } = dependencies;
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
    const { members, left } = await membersOf(actor, project, { store, there, right: 'update:annotations' });
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
        left: [...left],
      };
    if (given.copy === 'take') requireTakeable(copies);
    signal.throwIfAborted();
    // From here on nothing waits: no edit comes between reading and saving.
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
      // A label that one task lacks is told before another one is changed.
      const plans = merged.map(({ member, own, state }) => objects.plan(actor, member.task, own, state));
      // Each task has its own base: after a crash in between, the next pull brings the others.
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
      left: [...left],
    };
  }

  /** Which tasks' copies other programs have changed, and how. */
  async function foreignOf(
    project: BoundProject,
    found: readonly Member[],
    { store, there, signal }: { readonly store: GitStore; readonly there: string | null; readonly signal: AbortSignal },
  ): Promise<Map<Member, ForeignChanges>> {
    const foreign = new Map<Member, ForeignChanges>();
    for (const member of there === null ? [] : found) {
      const folder = joinedPath(project.folder, member.folder ?? '');
      const place = { store, there: there ?? '', folder, found: member, before: member.listingBefore };
      const changes = await readForeignChanges(member.task, place, { state: member.theirs, signal });
      if (changes) foreign.set(member, changes);
    }
    return foreign;
  }

  return { pull, push: createProjectPush(dependencies) };
}

/** Of what both sides had last in each folder: what somebody has chosen since for one is meant for all. */
const formatOf = (project: BoundProject, found: readonly Member[]): string | null =>
  found
    .map(({ before, files }) => formatAfter(project.format, before, files))
    .find((format) => format !== project.format) ?? project.format;
