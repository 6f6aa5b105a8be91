import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  GitBinding,
  GitBindingWrite,
  GitCommit,
  GitDifference,
  GitPulled,
  GitPullWrite,
  GitPushed,
  GitPushWrite,
  GitTask,
} from '../../preload/contract/schema/git.ts';
import { AppError, invalidField, notFound } from '../platform/errors.ts';
import type { FormatCatalog } from '../formats/format-catalog.ts';
import { listFolder } from '../platform/list-folder.ts';
import type { Actor } from '../users/access/actor.ts';
import type { SshKeys } from '../users/ssh-keys/ssh-keys.ts';
import type { AnnotationService } from '../work/annotations/annotation-service.ts';
import type { TaskRow } from '../work/tables/task-table.ts';
import { stateOf } from './annotation-files.ts';
import type { Logger } from '../platform/log.ts';
import { createBindingRepository, type BindingRepository } from './binding-repository.ts';
import { createConnected } from './connected.ts';
import { isOld } from './copy/copy-note.ts';
import { createReadExternalChanges } from './copy/external-changes.ts';
import { copiesFolder, createWriteCopy } from './copy/write-copy.ts';
import { copyAt, counts, createExchange, filesAt } from './exchange.ts';
import { createGitHosts, createHostKeys } from './host-keys.ts';
import { createGitStore, type GitStore } from './git-store.ts';
import { difference } from './merge.ts';
import { createProjectGit, placeOfProject } from './project-git.ts';
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

/**
 * Synchronizes annotations of tasks with folders of remote Git repositories. The base is the state of the last pull or
 * push: a pull merges remote changes since then, a push sends local ones. One task at a time.
 */
export function createGitService(dependencies: GitDependencies) {
  const { database, databaseFile, dataDirectory, workers, access, tasks, users, clock, log } = dependencies;
  const { annotations, labelRows: labels, media, formats, sshKeys } = dependencies;
  const bindings = createBindingRepository(database);
  const objects = createTaskObjects({ annotations, bindings, labels, media });
  const hosts = createHostKeys(dataDirectory);
  const folder = join(dataDirectory, 'data', 'git');
  const storeAt = (name: string): GitStore => createGitStore(join(folder, name));
  const forget = (name: string): Promise<void> => rm(join(folder, name), { recursive: true, force: true });
  /** Name of the local store; tasks bound through a project share that of the project. */
  const placeOf = (taskId: number): string => {
    const projectId = bindings.get(taskId)?.project_id ?? null;
    return projectId === null ? String(taskId) : placeOfProject(projectId);
  };
  const storeOf = ({ id }: { readonly id: number }): GitStore => storeAt(placeOf(id));
  const connected = createConnected({ knownHosts: hosts.file, sshKeys });
  const writeCopy = createWriteCopy({ workers, formats, databaseFile, dataDirectory });
  const readExternalChanges = createReadExternalChanges({ workers, formats, databaseFile, dataDirectory });
  const exchange = createExchange({
    bindings,
    objects,
    connected,
    writeCopy,
    readExternalChanges,
    storeOf,
    users,
    clock,
  });
  const { aloneIn, isIdle } = createPlaces();
  const formatOf = (given: Pick<GitBindingWrite, 'format'>) => exporterName(formats, given);

  const bound = (task: TaskRow): GitBinding => boundTask(bindings, task);

  const alone = <Result>(taskId: number, work: () => Promise<Result>): Promise<Result> =>
    aloneIn(placeOf(taskId), work);
  const projects = createProjectGit({
    access,
    tasks,
    users,
    clock,
    bindings,
    objects,
    connected,
    writeCopy,
    readExternalChanges,
    storeAt,
    forget,
    aloneIn,
    formatOf,
  });

  return {
    ...createGitHosts(hosts),
    projects,

    async get(actor: Actor, taskId: number): Promise<GitTask> {
      const task = access.task(actor, taskId, 'view:annotations');
      const binding = bindings.get(taskId);
      if (!binding) return { binding: null, to_push: null, is_copy_outdated: false };
      const facts = objects.facts(task);
      const files = await filesAt(storeOf(task), binding.base, binding);
      const listing = await copyAt(storeOf(task), binding.base, binding, files);
      const base = stateOf(files, facts);
      return {
        binding,
        to_push: counts(difference(base, objects.read(actor, task, base).state)),
        is_copy_outdated: isOld(binding.format, { files, listing }),
      };
    },

    async bind(actor: Actor, taskId: number, given: GitBindingWrite): Promise<GitTask> {
      const task = access.task(actor, taskId, 'update');
      const { text: address } = parseRemoteAddress(given.address);
      const named = await formatOf(given);
      const before = bindings.get(taskId);
      requireOwn(task, before);
      const isSame = (['branch', 'folder'] as const).every((name) => before?.[name] === given[name]);
      // An omitted format stays unchanged.
      const format = named === undefined ? (before?.format ?? null) : named;
      if (before?.address !== address || !isSame)
        await alone(taskId, async () => {
          bindings.put(taskId, { ...given, address, format });
          await forget(String(taskId));
        });
      else if (format !== before.format) bindings.setFormat(taskId, format);
      return this.get(actor, task.id);
    },

    /** The repository and the annotations stay unchanged. */
    async unbind(actor: Actor, taskId: number): Promise<void> {
      requireOwn(access.task(actor, taskId, 'update'), bindings.get(taskId));
      return alone(taskId, async () => {
        bindings.remove(taskId);
        await forget(String(taskId));
      });
    },

    pull(actor: Actor, taskId: number, given: GitPullWrite, signal: AbortSignal): Promise<GitPulled> {
      const task = access.task(actor, taskId, 'update:annotations');
      return alone(taskId, () => exchange.pull(actor, task, bound(task), given, signal));
    },

    push(actor: Actor, taskId: number, given: GitPushWrite, signal: AbortSignal): Promise<GitPushed> {
      const task = access.task(actor, taskId, 'update:annotations');
      return alone(taskId, () => exchange.push(actor, task, bound(task), given, signal));
    },

    /** History of the folder as of the last pull or push; newest first. */
    async history(actor: Actor, taskId: number): Promise<GitCommit[]> {
      const task = access.task(actor, taskId, 'view:annotations');
      const { base, folder: within } = bound(task);
      return base === null ? [] : storeOf(task).history(base, within);
    },

    /** Restores the annotations of a past commit. The next push sends the change. */
    restore(actor: Actor, taskId: number, commit: string): Promise<GitDifference> {
      const task = access.task(actor, taskId, 'update:annotations');
      const binding = bound(task);
      if (binding.base === null) throw notFound('Nothing was pulled from or pushed to this repository yet.');
      return alone(taskId, async () => {
        const facts = objects.facts(task);
        const past = stateOf(await filesAt(storeOf(task), commit, binding), facts);
        const base = stateOf(await filesAt(storeOf(task), binding.base, binding), facts);
        return counts(objects.apply(actor, task, objects.read(actor, task, base, past), past));
      });
    },

    housekeep(): void {
      if (isIdle()) rmSync(copiesFolder(dataDirectory), { recursive: true, force: true });
      removeUnbound(folder, bindings, log);
    },
  };
}

/** One operation at a time, because a pull and a push of the same place share their base. */
function createPlaces() {
  const busy = new Set<string>();
  return {
    isIdle: (): boolean => busy.size === 0,
    async aloneIn<Result>(place: string, work: () => Promise<Result>): Promise<Result> {
      if (busy.has(place)) throw inUse();
      busy.add(place);
      try {
        return await work();
      } finally {
        busy.delete(place);
      }
    },
  };
}

function removeUnbound(folder: string, bindings: BindingRepository, log: Logger): void {
  const known = new Set([...bindings.taskIds().map(String), ...bindings.projects.ids().map(placeOfProject)]);
  for (const name of listFolder(folder)) {
    if (known.has(name)) continue;
    rm(join(folder, name), { recursive: true, force: true }).catch((error: unknown) =>
      log.warn('The local repository of a deleted task could not be deleted', { task: name, error }),
    );
  }
}

function boundTask(bindings: BindingRepository, { id }: TaskRow): GitBinding {
  const binding = bindings.get(id);
  if (!binding) throw notFound('This task is not bound to a Git repository.');
  return binding;
}

async function exporterName(
  formats: FormatCatalog,
  { format }: Pick<GitBindingWrite, 'format'>,
): Promise<string | null | undefined> {
  if (format === undefined || format === null) return format;
  const exporter = await formats.exporter(format);
  if (!exporter) throw invalidField('format', `There is no exporter for ${format}.`);
  return exporter.display_name;
}

function requireOwn(task: TaskRow, binding: GitBinding | undefined): void {
  if (binding === undefined || binding.project_id === null || binding.project_id !== task.project_id) return;
  const message =
    'This task uses the repository of its project. Nothing was changed. Unbind the project, or move the task out of it, first.';
  throw new AppError('conflict', message);
}

const inUse = (): AppError =>
  new AppError('conflict', 'Another operation on this repository is running. Wait until it has ended, then try again.');
