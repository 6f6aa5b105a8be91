import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  GitBinding,
  GitBindingWrite,
  GitCommit,
  GitProject,
  GitProjectPulled,
  GitProjectPushed,
  GitProjectRestored,
  GitPullWrite,
  GitPushWrite,
} from '../../preload/contract/schema/git.ts';
import { AppError, invalidField, notFound } from '../platform/errors.ts';
import type { FormatCatalog } from '../formats/format-catalog.ts';
import { listFolder } from '../platform/list-folder.ts';
import type { Actor } from '../users/access/actor.ts';
import type { SshKeys } from '../users/ssh-keys/ssh-keys.ts';
import type { AnnotationService } from '../work/annotations/annotation-service.ts';
import type { TaskRow } from '../work/tables/task-table.ts';
import { createBindingRepository, type BindingRepository } from './binding-repository.ts';
import { createConnected } from './connected.ts';
import { createReadExternalChanges } from './copy/external-changes.ts';
import { copiesFolder, createWriteCopy } from './copy/write-copy.ts';
import { createExchange } from './exchange.ts';
import type { Bound } from './exchange-parts.ts';
import { createGitHosts, createHostKeys } from './host-keys.ts';
import { createGitStore, type GitStore } from './git-store.ts';
import { filesAt, membersOfProject, membersOfTask, type MemberDependencies } from './members.ts';
import { byTask, isOfTask } from './project-folders.ts';
import { parseRemoteAddress } from './remote-address.ts';
import { createTaskObjects } from './task-objects.ts';
import type { WorkServiceDependencies } from '../work/work-dependencies.ts';

export interface GitDependencies extends Pick<
  WorkServiceDependencies,
  | 'database'
  | 'databaseFile'
  | 'dataDirectory'
  | 'workers'
  | 'access'
  | 'labelRows'
  | 'media'
  | 'tasks'
  | 'users'
  | 'clock'
  | 'log'
> {
  readonly formats: FormatCatalog;
  readonly annotations: AnnotationService;
  readonly sshKeys: SshKeys;
}

/** Differences between the bindings of tasks and of projects. */
interface PlaceKind {
  readonly name: 'task' | 'project';
  readonly rows: Pick<BindingRepository, 'get' | 'remove' | 'setFormat'> & {
    readonly put: (id: number, place: Pick<GitBinding, 'address' | 'branch' | 'folder' | 'format'>) => void;
  };
  /** Checks a right; `bind` also checks that the binding is the place's own. */
  readonly open: (actor: Actor, id: number, right: 'view' | 'change' | 'bind') => void;
  /** Name of the local store that the place owns, and of the one in use. */
  readonly ownStore: (id: number) => string;
  readonly storeOf: (id: number) => string;
  readonly bound: (actor: Actor, id: number, binding: GitBinding, store: GitStore) => Bound;
}

const storeOfProject = (projectId: number): string => `project-${projectId}`;

function placeKinds(dependencies: MemberDependencies): { readonly tasks: PlaceKind; readonly projects: PlaceKind } {
  const { access, bindings, objects, tasks: taskRows } = dependencies;
  const taskRights = { view: 'view:annotations', change: 'update:annotations', bind: 'update' } as const;

  const tasks: PlaceKind = {
    name: 'task',
    rows: bindings,
    open(actor, id, right) {
      const task = access.task(actor, id, taskRights[right]);
      if (right === 'bind') requireOwn(task, bindings.get(id));
    },
    ownStore: String,
    // Tasks bound through a project share its store.
    storeOf(id) {
      const projectId = bindings.get(id)?.project_id ?? null;
      return projectId === null ? String(id) : storeOfProject(projectId);
    },
    bound: (actor, id, binding, store) => ({
      id,
      projectId: null,
      binding,
      store,
      tasksOf: (who, right) => [access.task(who, id, right)],
      membersOf: membersOfTask(objects, store, access.task(actor, id, 'view:annotations'), binding),
      async filesAt(commit) {
        const files = await filesAt(store, commit, binding);
        return () => files;
      },
      withBase: (base) => tasks.bound(actor, id, { ...binding, base }, store),
    }),
  };

  const projects: PlaceKind = {
    name: 'project',
    rows: bindings.projects,
    open: (actor, id, right) => void access.project(actor, id, right === 'bind' ? 'update' : 'view'),
    ownStore: storeOfProject,
    storeOf: storeOfProject,
    bound: (actor, id, binding, store) => ({
      id,
      projectId: id,
      binding,
      store,
      tasksOf: (who, right) => taskRows.idsOfProject(id).map((task) => access.task(who, task, right)),
      membersOf: membersOfProject(dependencies, store, { ...binding, id }),
      async filesAt(commit) {
        const folders = byTask(await store.read(commit, binding.folder, isOfTask));
        return (member) => folders.get(member.folder ?? '') ?? new Map<string, string>();
      },
      withBase: (base) => projects.bound(actor, id, { ...binding, base }, store),
    }),
  };

  return { tasks, projects };
}

/**
 * Synchronizes annotations of tasks with folders of remote Git repositories. The base is the state of the last pull or
 * push: a pull merges remote changes since then, a push sends local ones. One operation at a time per local store.
 */
export function createGitService(dependencies: GitDependencies) {
  const { database, databaseFile, dataDirectory, workers, access, users, clock, log } = dependencies;
  const { annotations, labelRows: labels, media, formats, sshKeys } = dependencies;
  const bindings = createBindingRepository(database);
  const objects = createTaskObjects({ annotations, bindings, labels, media });
  const hosts = createHostKeys(dataDirectory);
  const folder = join(dataDirectory, 'data', 'git');
  const forget = (name: string): Promise<void> => rm(join(folder, name), { recursive: true, force: true });
  const exchange = createExchange({
    bindings,
    objects,
    connected: createConnected({ knownHosts: hosts.file, sshKeys }),
    writeCopy: createWriteCopy({ workers, formats, databaseFile, dataDirectory }),
    readExternalChanges: createReadExternalChanges({ workers, formats, databaseFile, dataDirectory }),
    users,
    clock,
  });
  const busy = new Set<string>();

  /** One operation at a time, because a pull and a push of the same place share their base. */
  async function alone<Result>(store: string, work: () => Promise<Result>): Promise<Result> {
    if (busy.has(store)) throw inUse();
    busy.add(store);
    try {
      return await work();
    } finally {
      busy.delete(store);
    }
  }

  async function formatOf({ format }: Pick<GitBindingWrite, 'format'>): Promise<string | null | undefined> {
    if (format === undefined || format === null) return format;
    const exporter = await formats.exporter(format);
    if (!exporter) throw invalidField('format', `There is no exporter for ${format}.`);
    return exporter.display_name;
  }

  function createPlaces({ name, rows, open, ownStore, storeOf, bound }: PlaceKind) {
    const storeAt = (id: number): GitStore => createGitStore(join(folder, storeOf(id)));
    function opened(actor: Actor, id: number): Bound {
      const binding = rows.get(id);
      if (!binding) throw notFound(`This ${name} is not bound to a Git repository.`);
      return bound(actor, id, binding, storeAt(id));
    }
    async function get(actor: Actor, id: number): Promise<GitProject> {
      open(actor, id, 'view');
      const binding = rows.get(id);
      if (!binding) return { binding: null, to_push: null, is_copy_outdated: false, skipped: [] };
      return { binding, ...(await exchange.status(actor, bound(actor, id, binding, storeAt(id)))) };
    }

    return {
      get,

      async bind(actor: Actor, id: number, given: GitBindingWrite): Promise<GitProject> {
        open(actor, id, 'bind');
        const { text: address } = parseRemoteAddress(given.address);
        const named = await formatOf(given);
        const before = rows.get(id);
        const isSame = (['branch', 'folder'] as const).every((field) => before?.[field] === given[field]);
        // An omitted format stays unchanged.
        const format = named === undefined ? (before?.format ?? null) : named;
        if (before?.address !== address || !isSame)
          await alone(storeOf(id), async () => {
            rows.put(id, { ...given, address, format });
            await forget(ownStore(id));
          });
        else if (format !== before.format) rows.setFormat(id, format);
        return get(actor, id);
      },

      /** The repository and the annotations stay unchanged. */
      async unbind(actor: Actor, id: number): Promise<void> {
        open(actor, id, 'bind');
        return alone(storeOf(id), async () => {
          rows.remove(id);
          await forget(ownStore(id));
        });
      },

      async pull(actor: Actor, id: number, given: GitPullWrite, signal: AbortSignal): Promise<GitProjectPulled> {
        open(actor, id, 'change');
        return alone(storeOf(id), () => exchange.pull(actor, opened(actor, id), given, signal));
      },

      async push(actor: Actor, id: number, given: GitPushWrite, signal: AbortSignal): Promise<GitProjectPushed> {
        open(actor, id, 'change');
        return alone(storeOf(id), () => exchange.push(actor, opened(actor, id), given, signal));
      },

      /** History of the folder as of the last pull or push; newest first. */
      async history(actor: Actor, id: number): Promise<GitCommit[]> {
        open(actor, id, 'view');
        const { binding, store } = opened(actor, id);
        return binding.base === null ? [] : store.history(binding.base, binding.folder);
      },

      async restore(actor: Actor, id: number, commit: string): Promise<GitProjectRestored> {
        open(actor, id, 'change');
        const { binding } = opened(actor, id);
        if (binding.base === null) throw notFound('Nothing was pulled from or pushed to this repository yet.');
        return alone(storeOf(id), () => exchange.restore(actor, opened(actor, id), commit));
      },
    };
  }

  const { tasks: ofTasks, projects: ofProjects } = placeKinds({ access, tasks: dependencies.tasks, bindings, objects });
  const tasks = createPlaces(ofTasks);

  return {
    ...createGitHosts(hosts),
    tasks: {
      ...tasks,
      get: withoutSkipped(tasks.get),
      bind: withoutSkipped(tasks.bind),
      pull: withoutSkipped(tasks.pull),
      push: withoutSkipped(tasks.push),
      restore: withoutSkipped(tasks.restore),
    },
    projects: createPlaces(ofProjects),

    /** Deletes stores of deleted tasks and projects. */
    housekeep(): void {
      if (busy.size === 0) rmSync(copiesFolder(dataDirectory), { recursive: true, force: true });
      const known = new Set([...bindings.taskIds().map(String), ...bindings.projects.ids().map(storeOfProject)]);
      for (const name of listFolder(folder)) {
        if (known.has(name)) continue;
        forget(name).catch((error: unknown) =>
          log.warn('The local repository of a deleted task could not be deleted', { task: name, error }),
        );
      }
    },
  };
}

/** An exchange of one task skips none. */
const withoutSkipped =
  <Given extends unknown[], Answer extends Pick<GitProject, 'skipped'>>(work: (...given: Given) => Promise<Answer>) =>
  async (...given: Given): Promise<Omit<Answer, 'skipped'>> => {
    const { skipped: _, ...answer } = await work(...given);
    return answer;
  };

function requireOwn(task: TaskRow, binding: GitBinding | undefined): void {
  if (binding === undefined || binding.project_id === null || binding.project_id !== task.project_id) return;
  const message =
    'This task uses the repository of its project. Nothing was changed. Unbind the project, or move the task out of it, first.';
  throw new AppError('conflict', message);
}

const inUse = (): AppError =>
  new AppError('conflict', 'Another operation on this repository is running. Wait until it has ended, then try again.');
