import type {
  GitBindingWrite,
  GitCommit,
  GitProject,
  GitProjectPulled,
  GitProjectPushed,
  GitProjectRestored,
  GitPullWrite,
  GitPushWrite,
} from '../../preload/contract/schema/git.ts';
import type { Actor } from '../users/access/actor.ts';
import { notFound } from '../platform/errors.ts';
import type { BindingRepository } from './binding-repository.ts';
import type { ReadExternalChanges } from './copy/external-changes.ts';
import type { WriteCopy } from './copy/write-copy.ts';
import type { Connected } from './connected.ts';
import type { GitStore } from './git-store.ts';
import { createProjectExchange } from './project-exchange.ts';
import { createProjectStates, createProjectTasks, type BoundProject } from './project-tasks.ts';
import { parseRemoteAddress } from './remote-address.ts';
import type { TaskObjects } from './task-objects.ts';
import type { WorkServiceDependencies } from '../work/work-dependencies.ts';

export const placeOfProject = (projectId: number): string => `project-${projectId}`;

export function createProjectGit(
  dependencies: Pick<WorkServiceDependencies, 'access' | 'tasks' | 'users' | 'clock'> & {
    readonly bindings: BindingRepository;
    readonly objects: TaskObjects;
    readonly connected: Connected;
    readonly storeAt: (place: string) => GitStore;
    readonly forget: (place: string) => Promise<void>;
    /** Runs one operation at a time per place. */
    readonly writeCopy: WriteCopy;
    readonly readExternalChanges: ReadExternalChanges;
    readonly formatOf: (given: Pick<GitBindingWrite, 'format'>) => Promise<string | null | undefined>;
    readonly aloneIn: <Result>(place: string, work: () => Promise<Result>) => Promise<Result>;
  },
) {
  const { access, tasks, users, clock, bindings, objects, connected, writeCopy, readExternalChanges, storeAt } =
    dependencies;
  const storeOf = (id: number): GitStore => storeAt(placeOfProject(id));
  const membersOf = createProjectTasks({ access, tasks, bindings, objects });
  const exchange = createProjectExchange({
    bindings,
    objects,
    membersOf,
    connected,
    writeCopy,
    readExternalChanges,
    storeOf,
    users,
    clock,
  });
  const states = createProjectStates({ objects, membersOf, storeOf });
  const alone = <Result>(id: number, work: () => Promise<Result>): Promise<Result> =>
    dependencies.aloneIn(placeOfProject(id), work);
  const forget = (id: number): Promise<void> => dependencies.forget(placeOfProject(id));

  function bound(id: number): BoundProject {
    const binding = bindings.projects.get(id);
    if (!binding) throw notFound('This project is not bound to a Git repository.');
    return { ...binding, id };
  }

  async function get(actor: Actor, id: number): Promise<GitProject> {
    access.project(actor, id, 'view');
    const binding = bindings.projects.get(id);
    if (!binding) return { binding: null, to_push: null, is_copy_outdated: false, skipped: [] };
    return { binding, ...(await states.status(actor, { ...binding, id })) };
  }

  return {
    get,

    async bind(actor: Actor, id: number, given: GitBindingWrite) {
      access.project(actor, id, 'update');
      const { text: address } = parseRemoteAddress(given.address);
      const named = await dependencies.formatOf(given);
      const before = bindings.projects.get(id);
      const isSame = (['branch', 'folder'] as const).every((name) => before?.[name] === given[name]);
      // An omitted format stays unchanged.
      const format = named === undefined ? (before?.format ?? null) : named;
      if (before?.address !== address || !isSame)
        await alone(id, async () => {
          bindings.projects.put(id, { ...given, address, format });
          await forget(id);
        });
      else if (format !== before.format) bindings.projects.setFormat(id, format);
      return get(actor, id);
    },

    /** The repository and the annotations stay unchanged. */
    unbind(actor: Actor, id: number): Promise<void> {
      access.project(actor, id, 'update');
      return alone(id, async () => {
        bindings.projects.remove(id);
        await forget(id);
      });
    },

    pull(actor: Actor, id: number, given: GitPullWrite, signal: AbortSignal): Promise<GitProjectPulled> {
      access.project(actor, id, 'view');
      return alone(id, () => exchange.pull(actor, bound(id), given, signal));
    },

    push(actor: Actor, id: number, given: GitPushWrite, signal: AbortSignal): Promise<GitProjectPushed> {
      access.project(actor, id, 'view');
      return alone(id, () => exchange.push(actor, bound(id), given, signal));
    },

    /** History of the folder as of the last pull or push; newest first. */
    async history(actor: Actor, id: number): Promise<GitCommit[]> {
      access.project(actor, id, 'view');
      const { base, folder } = bound(id);
      return base === null ? [] : storeOf(id).history(base, folder);
    },

    /** Restores the annotations of all tasks from a past commit. The next push sends the change. */
    restore(actor: Actor, id: number, commit: string): Promise<GitProjectRestored> {
      access.project(actor, id, 'view');
      const project = bound(id);
      if (project.base === null) throw notFound('Nothing was pulled from or pushed to this repository yet.');
      return alone(id, () => states.restore(actor, project, commit));
    },
  };
}
