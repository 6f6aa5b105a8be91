import type { GitBinding, GitProjectRestored } from '../../../preload/contract/schema/git.ts';
import type { Actor } from '../../people/access/actor.ts';
import { hasAnnotations, stateOf } from './annotation-files.ts';
import { isOld } from './copy/copy-note.ts';
import { counts } from './exchange.ts';
import type { Files, GitStore } from './git-store.ts';
import { difference, type Difference } from './merge.ts';
import { byTask, isOfTask } from './project-folders.ts';
import type { createProjectTasks, Member } from './project-tasks.ts';
import { maxObjects, tooMany, type Own, type TaskObjects } from './task-objects.ts';

export type BoundProject = GitBinding & { readonly id: number };

const noFiles: Files = new Map();

/** What is here of a project beside what was last known of its repository; nothing is asked of that. */
export function createProjectStates({
  objects,
  membersOf,
  storeOf,
}: {
  readonly objects: TaskObjects;
  readonly membersOf: ReturnType<typeof createProjectTasks>;
  readonly storeOf: (projectId: number) => GitStore;
}) {
  /** What a push would bring there. */
  async function status(actor: Actor, project: BoundProject) {
    const store = storeOf(project.id);
    const { members, left } = await membersOf(actor, project, {
      store,
      there: project.base,
      right: 'view:annotations',
    });
    const owns = readAll(objects, actor, members);
    return {
      copy_is_old: members.some((member) => isOld(project.format, member)),
      to_push: sumOf([...owns].map(([member, own]) => difference(member.base, own.state))),
      left: [...left],
    };
  }

  async function restore(actor: Actor, project: BoundProject, commit: string): Promise<GitProjectRestored> {
    const store = storeOf(project.id);
    const past = byTask(await store.read(commit, project.folder, isOfTask));
    const context = { store, there: project.base, right: 'update:annotations' } as const;
    const { members, left } = await membersOf(actor, project, context);
    const bound = members.filter(({ binding }) => binding !== null);
    const was = bound.filter(({ folder }) => hasAnnotations(past.get(folder ?? '') ?? noFiles));
    const targets = was.map((member) => stateOf(past.get(member.folder ?? '') ?? noFiles, member.facts));
    const plans = was.map((member, index) => {
      const target = targets[index] ?? new Map<string, string>();
      return objects.plan(actor, member.task, objects.read(actor, member.task, member.base, target), target);
    });
    for (const plan of plans) plan.save();
    const later = members.filter((member) => !was.includes(member));
    const reason = 'It was not in the repository then. It stays as it is.';
    return {
      changed: sumOf(plans.map(({ steps }) => steps)),
      left: [...left, ...later.map(({ task }) => ({ task_id: task.id, name: task.name, reason }))],
    };
  }

  return { status, restore };
}

/** The annotations that are here. @throws AppError where they are too many to be held at once */
export function readAll(objects: TaskObjects, actor: Actor, members: readonly Member[]): Map<Member, Own> {
  let count = 0;
  return new Map(
    members.map((member) => {
      const own = objects.read(actor, member.task, member.base, member.theirs);
      count += own.state.size;
      if (count > maxObjects) throw tooMany('project', count);
      return [member, own];
    }),
  );
}

export const joinedSteps = (all: readonly Difference[]): Difference => ({
  added: all.flatMap(({ added }) => added),
  changed: all.flatMap(({ changed }) => changed),
  removed: all.flatMap(({ removed }) => removed),
});
export const sumOf = (all: readonly Difference[]) => counts(joinedSteps(all));
