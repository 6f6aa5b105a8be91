import type { GitBinding, GitSkipped } from '../../preload/contract/schema/git.ts';
import type { Actor } from '../users/access/actor.ts';
import { AppError } from '../platform/errors.ts';
import { inPortions } from '../platform/portions.ts';
import type { TaskRow } from '../work/tables/task-table.ts';
import { hasAnnotations, noteFile, ownFile, stateOf, taskNameIn, type TaskFacts } from './annotation-files.ts';
import type { BindingRepository } from './binding-repository.ts';
import type { Files, GitStore, Listing } from './git-store.ts';
import { byTask, isOfTask } from './project-folders.ts';
import type { State } from './merge.ts';
import type { TaskObjects } from './task-objects.ts';
import { isOfCopy, isOfTaskCopy } from './copy/copy-note.ts';
import type { WorkServiceDependencies } from '../work/work-dependencies.ts';

/**
 * A task that is exchanged, alone or with its project. `folder` is relative to the binding, and null if the task has
 * none in the repository of its project yet.
 */
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

export interface MemberDependencies extends Pick<WorkServiceDependencies, 'access' | 'tasks'> {
  readonly bindings: BindingRepository;
  readonly objects: TaskObjects;
}

type Right = 'view:annotations' | 'update:annotations';
const noFiles: Files = new Map();

/** @param there commit of the repository; null if it has none */
export type MembersOf = (actor: Actor, there: string | null, right: Right) => Promise<Members>;

/** Reads the files of a bound folder at a commit; empty without a commit. */
export const filesAt = async (store: GitStore, commit: string | null, { folder }: GitBinding): Promise<Files> =>
  commit === null ? noFiles : store.read(commit, folder, (path) => ownFile.test(path));

/** A task with its own binding. @throws AppError 409 for files of another program or for other images */
export function membersOfTask(objects: TaskObjects, store: GitStore, task: TaskRow, binding: GitBinding): MembersOf {
  return async (_actor, there) => {
    const facts = objects.facts(task);
    const files = await filesAt(store, there, binding);
    /** Empty if there is and was no copy. */
    const listingAt = async (commit: string | null): Promise<Listing> =>
      commit === null || (binding.format === null && !files.has(noteFile))
        ? noFiles
        : store.list(commit, binding.folder, isOfCopy);
    const listing = await listingAt(there);
    const isSame = there === binding.base;
    const before = isSame ? files : await filesAt(store, binding.base, binding);
    const listingBefore = binding.base === null ? null : isSame ? listing : await listingAt(binding.base);
    const states = await statesOf(files, before, facts, binding);
    const member = { task, facts, folder: '', binding, files, before, listing, listingBefore, ...states };
    return { members: [member], skipped: [], folders: [] };
  };
}

/** Matches the tasks of a project with the folders of its repository. */
export function membersOfProject(
  { access, bindings, objects, tasks }: MemberDependencies,
  store: GitStore,
  project: GitBinding & { readonly id: number },
): MembersOf {
  async function foldersAt(commit: string | null) {
    if (commit === null) return { own: new Map<string, Files>(), copies: new Map<string, Listing>() };
    return {
      own: byTask(await store.read(commit, project.folder, isOfTask)),
      copies: byTask(await store.list(commit, project.folder, isOfTaskCopy)),
    };
  }

  return async (actor, there, right) => {
    const rows = tasks.idsOfProject(project.id).map((id) => access.task(actor, id, right));
    const now = await foldersAt(there);
    const folders = now.own;
    const known = new Map(rows.map(({ id }) => [id, bindings.get(id) ?? null]));
    const past = new Map([[there, now]]);
    for (const binding of known.values()) {
      if (binding?.project_id !== project.id || past.has(binding.base)) continue;
      past.set(binding.base, await foldersAt(binding.base));
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

    async function folderOf(task: TaskRow, facts: TaskFacts): Promise<string | null> {
      for (const name of open) {
        const files = folders.get(name) ?? noFiles;
        if (!hasAnnotations(files) || nameOf(files, name) !== task.name) continue;
        if (await isReadable(files, facts)) return name;
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
      const folder = binding === null ? await folderOf(task, facts) : binding.folder.slice(prefix);
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
        const states = await statesOf(files, before, facts, binding);
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

async function statesOf(
  files: Files,
  before: Files,
  facts: TaskFacts,
  binding: GitBinding | null,
): Promise<Pick<Member, 'theirs' | 'base'>> {
  const read = (some: Files) => inPortions(stateOf(some, facts, binding !== null && binding.base !== null));
  const theirs = await read(files);
  return { theirs, base: files === before ? theirs : await read(before) };
}

async function isReadable(files: Files, facts: TaskFacts): Promise<boolean> {
  try {
    await inPortions(stateOf(files, facts));
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
