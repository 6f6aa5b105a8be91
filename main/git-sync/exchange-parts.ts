import type { GitBinding } from '../../preload/contract/schema/git.ts';
import type { Portions } from '../platform/portions.ts';
import type { Actor } from '../users/access/actor.ts';
import type { WorkServiceDependencies } from '../work/work-dependencies.ts';
import type { BindingRepository } from './binding-repository.ts';
import type { Connected } from './connected.ts';
import type { ReadExternalChanges } from './copy/external-changes.ts';
import type { WriteCopy } from './copy/write-copy.ts';
import type { Files, GitStore } from './git-store.ts';
import type { Member, MembersOf } from './members.ts';
import type { Difference } from './merge.ts';
import { joinedPath } from './project-folders.ts';
import { maxObjects, tooMany, type OwnOf, type TaskObjects } from './task-objects.ts';
import type { TaskRow } from '../work/tables/task-table.ts';

/** A task, or a project with all its tasks, and its repository. */
export interface Bound {
  readonly id: number;
  /** Null for a task, also if it is bound through its project. */
  readonly projectId: number | null;
  readonly binding: GitBinding;
  readonly store: GitStore;
  readonly membersOf: MembersOf;
  /** The tasks that may be exchanged. */
  readonly tasksOf: (actor: Actor, right: 'view:annotations' | 'update:annotations') => readonly TaskRow[];
  /** Files of each member at a commit. */
  readonly filesAt: (commit: string) => Promise<(member: Member) => Files>;
  /** The same after an exchange that ended at `base`. */
  readonly withBase: (base: string) => Bound;
}

export interface ExchangeDependencies extends Pick<WorkServiceDependencies, 'users' | 'clock'> {
  readonly bindings: BindingRepository;
  readonly objects: TaskObjects;
  readonly connected: Connected;
  readonly writeCopy: WriteCopy;
  readonly readExternalChanges: ReadExternalChanges;
}

const rowsOf = (bindings: BindingRepository, { projectId }: Bound) =>
  projectId === null ? bindings : bindings.projects;
export const bindingOf = (bindings: BindingRepository, bound: Bound): GitBinding =>
  rowsOf(bindings, bound).get(bound.id) ?? bound.binding;
export const setFormat = (bindings: BindingRepository, bound: Bound, format: string | null): void =>
  rowsOf(bindings, bound).setFormat(bound.id, format);

/** Reads the local annotations. @throws AppError if they are too many for the memory */
export function* readAll(objects: TaskObjects, actor: Actor, members: readonly Member[]): Portions<Map<Member, OwnOf>> {
  let count = 0;
  const owns = new Map<Member, OwnOf>();
  for (const member of members) {
    const own = yield* objects.read(actor, member.task, member.base, member.theirs);
    count += own.state.size;
    if (count > maxObjects) throw tooMany('project', count);
    owns.set(member, own);
  }
  return owns;
}

/** Binds a task that had no folder in the repository of its project. */
export function bindMember(
  bindings: BindingRepository,
  { binding: place, projectId }: Bound,
  { task, binding }: Member,
  folder: string,
): void {
  if (binding === null) bindings.put(task.id, { ...place, folder: joinedPath(place.folder, folder) }, projectId);
}

export const isNothing = ({ added, changed, removed }: Difference): boolean =>
  added.length + changed.length + removed.length === 0;

export type Counts = ReturnType<typeof counts>;

export function counts(all: readonly Difference[]) {
  const sum = (of: keyof Difference): number => all.reduce((total, one) => total + one[of].length, 0);
  return { added: sum('added'), changed: sum('changed'), removed: sum('removed') };
}
