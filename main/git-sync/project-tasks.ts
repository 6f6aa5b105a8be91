import type { GitBinding, GitSkipped, GitProjectRestored } from '../../preload/contract/schema/git.ts';
import type { Actor } from '../users/access/actor.ts';
import { AppError } from '../platform/errors.ts';
import type { TaskRow } from '../work/tables/task-table.ts';
import { hasAnnotations, stateOf, taskNameIn, type TaskFacts } from './annotation-files.ts';
import type { BindingRepository } from './binding-repository.ts';
import type { Files, GitStore, Listing } from './git-store.ts';
import { byTask, isOfTask, isOfTaskCopy } from './project-folders.ts';
import { difference, type State, type Difference } from './merge.ts';
import { maxObjects, tooMany, type TaskObjects, type Own } from './task-objects.ts';
import { isOld } from './copy/copy-note.ts';
import { counts } from './exchange.ts';
import type { WorkServiceDependencies } from '../work/work-dependencies.ts';

/** A task of the project; `folder` is null if it has none in the repository yet. */
export interface Member {
  readonly task: TaskRow;
  readonly facts: TaskFacts;
  readonly folder: string | null;
  /** Null if not bound before. */
  readonly binding: GitBinding | null;
  /** Remote files, and those of the last common state. */
  readonly files: Files;
  readonly before: Files;
  /** The same for the copy in a format; null if nothing was pulled or pushed yet. */
  readonly listing: Listing;
  readonly listingBefore: Listing | null;
  readonly theirs: State;
  readonly base: State;
}

export interface Members {
  readonly members: readonly Member[];
  readonly skipped: readonly GitSkipped[];
  /** All folder names in use, of tasks and of copies. */
  readonly folders: readonly string[];
}

type Right = 'view:annotations' | 'update:annotations';
const noFiles: Files = new Map();

/** Matches the tasks of a project with the folders of its repository. */
export function createProjectTasks(
  dependencies: Pick<WorkServiceDependencies, 'access' | 'tasks'> & {
    readonly bindings: BindingRepository;
    readonly objects: TaskObjects;
  },
) {
  const { access, bindings, objects, tasks } = dependencies;

  async function foldersAt(store: GitStore, commit: string | null, folder: string) {
    if (commit === null) return { own: new Map<string, Files>(), copies: new Map<string, Listing>() };
    return {
      own: byTask(await store.read(commit, folder, isOfTask)),
      copies: byTask(await store.list(commit, folder, isOfTaskCopy)),
    };
  }

  return async function membersOf(
    actor: Actor,
    project: GitBinding & { readonly id: number },
    { store, there, right }: { readonly store: GitStore; readonly there: string | null; readonly right: Right },
  ): Promise<Members> {
    const rows = tasks.idsOfProject(project.id).map((id) => access.task(actor, id, right));
    const now = await foldersAt(store, there, project.folder);
    const folders = now.own;
    const known = new Map(rows.map(({ id }) => [id, bindings.get(id) ?? null]));
    const past = new Map([[there, now]]);
    for (const binding of known.values()) {
      if (binding?.project_id !== project.id || past.has(binding.base)) continue;
      past.set(binding.base, await foldersAt(store, binding.base, project.folder));
    }
    const prefix = project.folder === '' ? 0 : project.folder.length + 1;
    const members: Member[] = [];
    const skipped: GitSkipped[] = [];
    const leave = (task: TaskRow, reason: string): void =>
      void skipped.push({ task_id: task.id, name: task.name, reason });
    // Excludes folders to which another task is bound separately.
    const open = new Set(folders.keys());
    for (const binding of known.values())
      if (binding?.address === project.address && binding.branch === project.branch)
        open.delete(binding.folder.slice(prefix));

    function folderOf(task: TaskRow, facts: TaskFacts): string | null {
      for (const name of open) {
        const files = folders.get(name) ?? noFiles;
        if (hasAnnotations(files) && nameOf(files, name) === task.name && isReadable(files, facts)) return name;
      }
      return null;
    }

    for (const task of rows) {
      const binding = known.get(task.id) ?? null;
      if (task.media_id === null || (task.size ?? 0) === 0) {
        leave(task, 'It has no images yet.');
        continue;
      }
      if (binding !== null && binding.project_id !== project.id) {
        leave(task, 'It is bound to its own repository.');
        continue;
      }
      const facts = objects.facts(task);
      const folder = binding === null ? folderOf(task, facts) : binding.folder.slice(prefix);
      if (folder !== null) open.delete(folder);
      const files = folders.get(folder ?? '') ?? noFiles;
      const base = binding === null ? undefined : past.get(binding.base);
      const before = base?.own.get(folder ?? '') ?? noFiles;
      const copies = {
        listing: now.copies.get(folder ?? '') ?? noFiles,
        listingBefore: binding?.base === null || base === undefined ? null : (base.copies.get(folder ?? '') ?? noFiles),
      };
      if (binding !== null && binding.base !== null && !hasAnnotations(files)) {
        leave(
          task,
          `Its folder ${folder} is no longer in the repository. The task was not changed. To push it again, bind the project again.`,
        );
        continue;
      }
      try {
        const states = { theirs: stateOf(files, facts), base: stateOf(before, facts) };
        members.push({ task, facts, folder, binding, files, before, ...copies, ...states });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        leave(task, error.message);
      }
    }
    for (const name of open)
      if (hasAnnotations(folders.get(name) ?? noFiles))
        skipped.push({
          task_id: null,
          name: nameOf(folders.get(name) ?? noFiles, name),
          reason: `No task of this project has this name and these images (${name} of the repository). Create it, then pull again.`,
        });
    return { members, skipped, folders: [...folders.keys(), ...now.copies.keys()] };
  };
}

function nameOf(files: Files, folder: string): string {
  try {
    return taskNameIn(files) ?? folder;
  } catch {
    return folder;
  }
}

function isReadable(files: Files, facts: TaskFacts): boolean {
  try {
    stateOf(files, facts);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

export type BoundProject = GitBinding & { readonly id: number };

/** Local state of a project compared with the last known remote one; the repository is not contacted. */
export function createProjectStates({
  objects,
  membersOf,
  storeOf,
}: {
  readonly objects: TaskObjects;
  readonly membersOf: ReturnType<typeof createProjectTasks>;
  readonly storeOf: (projectId: number) => GitStore;
}) {
  async function status(actor: Actor, project: BoundProject) {
    const store = storeOf(project.id);
    const { members, skipped } = await membersOf(actor, project, {
      store,
      there: project.base,
      right: 'view:annotations',
    });
    const owns = readAll(objects, actor, members);
    return {
      is_copy_outdated: members.some((member) => isOld(project.format, member)),
      to_push: sumOf([...owns].map(([member, own]) => difference(member.base, own.state))),
      skipped: [...skipped],
    };
  }

  async function restore(actor: Actor, project: BoundProject, commit: string): Promise<GitProjectRestored> {
    const store = storeOf(project.id);
    const past = byTask(await store.read(commit, project.folder, isOfTask));
    const context = { store, there: project.base, right: 'update:annotations' } as const;
    const { members, skipped } = await membersOf(actor, project, context);
    const bound = members.filter(({ binding }) => binding !== null);
    const was = bound.filter(({ folder }) => hasAnnotations(past.get(folder ?? '') ?? noFiles));
    const targets = was.map((member) => stateOf(past.get(member.folder ?? '') ?? noFiles, member.facts));
    const plans = was.map((member, index) => {
      const target = targets[index] ?? new Map<string, string>();
      return objects.plan(actor, member.task, objects.read(actor, member.task, member.base, target), target);
    });
    for (const plan of plans) plan.save();
    const later = members.filter((member) => !was.includes(member));
    const reason = 'It was not in the repository at that time. It stays unchanged.';
    return {
      changed: sumOf(plans.map(({ steps }) => steps)),
      skipped: [...skipped, ...later.map(({ task }) => ({ task_id: task.id, name: task.name, reason }))],
    };
  }

  return { status, restore };
}

/** Reads the local annotations. @throws AppError if they are too many for the memory */
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
