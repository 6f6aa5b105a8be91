import type {
  GitBinding,
  GitConflict,
  GitCopyChanges,
  GitProjectPulled,
  GitProjectRestored,
  GitPullWrite,
} from '../../preload/contract/schema/git.ts';
import { AppError } from '../platform/errors.ts';
import { atOnce, inPortions, type Portions } from '../platform/portions.ts';
import type { Actor } from '../users/access/actor.ts';
import type { TaskRow } from '../work/tables/task-table.ts';
import { hasAnnotations, stateOf } from './annotation-files.ts';
import { objectOf } from './annotation-objects.ts';
import { findPushedTasks, readChangedTasks } from './changed-tasks.ts';
import { formatAfter, isOld } from './copy/copy-note.ts';
import { requireTakeable, type ExternalChanges } from './copy/external-changes.ts';
import {
  bindingOf,
  bindMember,
  counts,
  readAll,
  setFormat,
  type Bound,
  type ExchangeDependencies,
} from './exchange-parts.ts';
import type { Member, Members } from './members.ts';
import { difference, merge, versionOf, type Conflict, type Decision, type Difference, type State } from './merge.ts';
import { joinedPath } from './project-folders.ts';
import { createPush } from './push.ts';
import { newUid, type TaskObjects } from './task-objects.ts';

const shownConflicts = 500;
const nothingPulled = { changed: counts([]), conflicts: [], conflict_count: 0, copies: [] };

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
    const pushed = await findPushedTasks({ bindings, objects }, actor, bound, {
      commit: there,
      right: 'update:annotations',
    });
    if (pushed !== null) {
      for (const { task } of pushed) bindings.pulled(task.id, there, clock());
      if (projectId !== null) bindings.projects.pulled(projectId, there, clock());
      return { ...nothingPulled, binding: bindingOf(bindings, bound), skipped: [] };
    }
    const { members, skipped } = await bound.membersOf(actor, there, 'update:annotations');
    for (const member of members) requirePresent(member);
    const found = members.filter(({ folder }) => folder !== null);
    const external = await externalChanges(bound, there, found, signal);
    const copies = [...external].map(([{ task }, changes]) => presentCopy(task, changes));
    if (given.copy === 'ask' && copies.length > 0) {
      return { ...nothingPulled, copies, binding: bindingOf(bindings, bound), skipped: [...skipped] };
    }
    if (given.copy === 'take') requireTakeable(copies);
    const taken = found.map((member) => {
      const changes = given.copy === 'take' ? external.get(member) : undefined;
      return { ...member, theirs: changes?.state ?? member.theirs };
    });
    const decisionsOn = decisionsOf(given.decisions);
    // All tasks are validated before the first change, so that a missing label changes nothing.
    function* prepare() {
      const merged = [];
      for (const [member, own] of yield* readAll(objects, actor, taken)) {
        const sides = { base: member.base, mine: own.state, theirs: member.theirs };
        merged.push({ member, own, ...(yield* merge(sides, decisionsOn(sides), newUid)) });
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
      if (binding.project_id === null) setFormat(bindings, bound, formatOf(binding, found));
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

function createStates({ bindings, objects }: Pick<ExchangeDependencies, 'bindings' | 'objects'>) {
  /** Local state compared with the last known remote one; the repository is not contacted. */
  async function status(actor: Actor, bound: Bound) {
    const { binding, membersOf } = bound;
    const at = { commit: binding.base, right: 'view:annotations' } as const;
    const changed = await readChangedTasks({ bindings, objects }, actor, bound, at);
    if (changed !== null)
      return { is_copy_outdated: false, to_push: counts(changed.map(({ steps }) => steps)), skipped: [] };
    const [own] = bound.projectId === null ? bound.tasksOf(actor, 'view:annotations') : [];
    if (own && binding.base === null && binding.format === null) {
      const added = await inPortions(objects.count(actor, own));
      return { is_copy_outdated: false, to_push: { ...counts([]), added }, skipped: [] };
    }
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
    for (const member of restored)
      targets.push([member, await inPortions(stateOf(pastOf(member), member.facts, true))]);
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

/** Format of all folders: a new choice in one of them, including none, applies to all. */
function formatOf({ format: own }: GitBinding, found: readonly Member[]): string | null {
  const [chosen = own] = found
    .map(({ before, files }) => formatAfter(own, before, files))
    .filter((format) => format !== own);
  return chosen;
}

/** Rejects a pull from an empty remote folder, because it would delete all local annotations. */
function requirePresent({ binding, files }: Member): void {
  if (binding === null || binding.base === null || hasAnnotations(files)) return;
  const { branch, folder } = binding;
  const message = `The branch ${branch} of the repository no longer has annotations in ${folder || 'its root'}. Nothing was changed. Check the repository, or bind the task again to push the local annotations.`;
  throw new AppError('conflict', message);
}

/** Decisions on the versions that they name. An object with other versions has none, so its conflict is returned again. */
function decisionsOf(given: GitPullWrite['decisions']) {
  const byUid = new Map(given.map((one) => [one.uid, one]));
  return ({ mine, theirs }: { readonly mine: State; readonly theirs: State }) => ({
    get(uid: string): Decision | undefined {
      const one = byUid.get(uid);
      return one?.version === versionOf(mine.get(uid), theirs.get(uid)) ? one.decision : undefined;
    },
  });
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
  const version = versionOf(sides.mine, sides.theirs);
  return { task_id: id, task_name: name, uid, kind, frame, label, base, mine, theirs, version };
}
