import { inPortions } from '../platform/portions.ts';
import type { Actor } from '../users/access/actor.ts';
import type { AnnotationDigests } from '../work/annotations/annotation-digest-repository.ts';
import type { TaskRow } from '../work/tables/task-table.ts';
import { filesOf, frameFile, headFile, isTrackFile, stateOf, type TaskFacts } from './annotation-files.ts';
import type { BindingRepository } from './binding-repository.ts';
import type { Bound } from './exchange-parts.ts';
import type { Files } from './git-store.ts';
import { digestOfFacts, readLastPush, type LastPush } from './last-push.ts';
import { difference, type Difference } from './merge.ts';
import { joinedPath } from './project-folders.ts';
import type { Own } from './object-edits.ts';
import type { TaskObjects } from './task-objects.ts';

const noFiles: Files = new Map();

/** A task of which only the changed frames were read. */
export interface ChangedTask {
  readonly task: TaskRow;
  readonly facts: TaskFacts;
  /** Relative to the binding. */
  readonly folder: string;
  /** The changed objects, and those of the repository on the same frames. */
  readonly own: Own;
  readonly steps: Difference;
  /** Files of the repository that may change, and these files as a push writes them. */
  readonly files: Files;
  readonly to: () => Promise<Files>;
  readonly digests: AnnotationDigests;
}

type Right = Parameters<Bound['tasksOf']>[1];

interface Dependencies {
  readonly bindings: BindingRepository;
  readonly objects: TaskObjects;
}

/** A task whose folder in the repository is that of its last push. */
interface PushedTask {
  readonly task: TaskRow;
  readonly facts: TaskFacts;
  readonly last: LastPush;
  readonly place: string;
  /** Relative to the binding. */
  readonly folder: string;
}

/**
 * Tasks for which the repository has nothing new. Null if everything must be compared: before the first push, after a
 * change in the repository or of labels, and with a copy in a format.
 */
export async function findPushedTasks(
  { bindings, objects }: Dependencies,
  actor: Actor,
  { binding, store, projectId, tasksOf }: Bound,
  { commit, right }: { readonly commit: string | null; readonly right: Right },
): Promise<readonly PushedTask[] | null> {
  if (commit === null || binding.format !== null) return null;
  const found: PushedTask[] = [];
  for (const task of tasksOf(actor, right)) {
    const { base = null, folder: place = '', project_id: project = null } = bindings.get(task.id) ?? {};
    if (base === null || project !== (projectId ?? binding.project_id)) return null;
    const last = await readLastPush(store, task.id);
    const facts = objects.facts(task);
    if (last?.facts !== digestOfFacts(facts)) return null;
    for (const one of new Set([commit, base])) if ((await store.treeOf(one, place)) !== last.tree) return null;
    const folder = place.slice(binding.folder.length).replace(/^\//, '');
    found.push({ task, facts, last, place, folder });
  }
  // Folders without a task are reported, for which their files must be read.
  const known = new Set(found.map(({ folder }) => folder));
  for (const name of projectId === null ? [] : await store.folders(commit, binding.folder)) {
    if (known.has(name)) continue;
    if ((await store.treeOf(commit, joinedPath(binding.folder, name, headFile))) !== null) return null;
  }
  return found;
}

/**
 * Compares tasks with a commit, and reads only the frames that changed since their last push.
 * @returns null if everything must be read: see {@link findPushedTasks}
 */
export async function readChangedTasks(
  dependencies: Dependencies,
  actor: Actor,
  bound: Bound,
  at: { readonly commit: string | null; readonly right: Right },
  signal?: AbortSignal,
): Promise<readonly ChangedTask[] | null> {
  const { objects } = dependencies;
  const pushed = await findPushedTasks(dependencies, actor, bound, at);
  if (pushed === null || at.commit === null) return null;
  const changed: ChangedTask[] = [];
  for (const { task, facts, last, place, folder } of pushed) {
    const changes = await inPortions(objects.readChanges(actor, task, last.digests), signal);
    const { found, frames, haveTracksChanged, digests } = changes;
    const paths = new Set([headFile, ...frames.map(frameFile)]);
    const mayChange = (path: string): boolean => paths.has(path) || (haveTracksChanged && isTrackFile(path));
    const isSame = frames.length === 0 && !haveTracksChanged;
    const files = isSame ? noFiles : await bound.store.read(at.commit, place, mayChange);
    const theirs = await inPortions(stateOf(files, facts, true), signal);
    const own = await inPortions(objects.nameChanges(task.id, found, theirs), signal);
    const steps = await inPortions(difference(theirs, own.state), signal);
    const to = () => inPortions(filesOf(own.state, facts), signal);
    changed.push({ task, facts, folder, own, steps, files, to, digests });
  }
  return changed;
}
