import { readdir, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { imageEndings } from '../../../preload/contract/media-names.ts';
import { addImagesSchema, type WatchedFolder } from '../../../preload/contract/schema/resources.ts';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { Actor } from '../../users/access/actor.ts';
import { requester } from '../../users/accounts/requester.ts';
import type { WatchedFile, WatchedFolderRepository, WatchedFolderRow } from '../tables/watched-folder-repository.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';
import type { createAddedImagesService } from './added-images.ts';

interface Dependencies extends Pick<WorkServiceDependencies, 'access' | 'users'> {
  readonly rows: WatchedFolderRepository;
  readonly images: ReturnType<typeof createAddedImagesService>;
  readonly log: Logger;
}

/** Time between two looks at the folders. A file that changed in between is not complete. */
const intervalMs = 3000;
/** A file that changed later than this ago may still be written. */
const quietMs = 2000;
const filesAtOnce = 1000;
const mostEntries = 200_000;

const isImage = (name: string): boolean => imageEndings.some((ending) => name.toLowerCase().endsWith(`.${ending}`));
/** Hidden files and unfinished downloads get another name when they are complete. */
const isTemporary = (name: string): boolean => name.startsWith('.') || /\.(part|tmp|crdownload|download)$/i.test(name);

/**
 * Adds new images of watched folders to their tasks. Looks at the folders regularly, because notifications of file
 * systems do not reach every disk and network folder.
 */
export function createWatchedFolders({ access, users, rows, images, log }: Dependencies) {
  /** Stamps of the last look, by path. */
  const seen = new Map<string, string>();
  /** Files of the running request of a task, with their stamps. */
  const tried = new Map<number, ReadonlyMap<string, string>>();
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> = Promise.resolve();
  let stopped = false;

  function present(id: number): WatchedFolder {
    const row = rows.get(id);
    return {
      path: row?.path ?? null,
      added_count: rows.count(id, 'added'),
      ignored_count: rows.count(id, 'ignored'),
      problem: row?.problem ?? null,
    };
  }

  async function look(row: WatchedFolderRow): Promise<void> {
    const { task_id: id, path } = row;
    // Its files are known when it has ended.
    if (images.isActive(id)) return;
    const names = await namesIn(path);
    const known = rows.files(id);
    const used = rows.framesIn(id, path.endsWith(sep) ? path : path + sep);
    const before = tried.get(id) ?? new Map<string, string>();
    tried.delete(id);
    const done: WatchedFile[] = [];
    const ready = new Map<string, string>();
    for (const name of names) {
      const earlier = known.get(name);
      if (earlier !== undefined && earlier.outcome !== 'ignored') continue;
      const file = join(path, name);
      const facts = await stat(file).catch(() => undefined);
      if (facts === undefined) continue;
      const stamp = `${facts.size} ${facts.mtimeMs}`;
      if (used.has(file)) done.push({ name, outcome: before.has(name) ? 'added' : 'present', stamp });
      else if (earlier?.stamp === stamp) continue;
      else if (!isImage(name) || before.get(name) === stamp) done.push({ name, outcome: 'ignored', stamp });
      else if (ready.size < filesAtOnce && isComplete(file, stamp, facts)) ready.set(name, stamp);
    }
    if (done.length > 0) rows.note(id, done);
    if (ready.size > 0) add(row, ready);
    rows.setProblem(id, null);
  }

  function isComplete(file: string, stamp: string, { size, mtimeMs }: { size: number; mtimeMs: number }): boolean {
    const isSame = seen.get(file) === stamp;
    seen.set(file, stamp);
    if (!isSame || size === 0 || Date.now() - mtimeMs < quietMs) return false;
    seen.delete(file);
    return true;
  }

  function add(row: WatchedFolderRow, ready: ReadonlyMap<string, string>): void {
    const files = [...ready.keys()].map((name) => join(row.path, name));
    images.start(requester(users, row), row.task_id, addImagesSchema.parse({ server_files: files }), []);
    tried.set(row.task_id, ready);
  }

  async function lookAtAll(): Promise<void> {
    for (const row of rows.all()) {
      if (stopped) return;
      try {
        await look(row);
      } catch (error) {
        if (!(error instanceof AppError)) log.warn('Cannot look at a watched folder', { task: row.task_id, error });
        rows.setProblem(row.task_id, error instanceof Error ? error.message : String(error));
      }
    }
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      looking = lookAtAll().finally(schedule);
    }, intervalMs).unref();
  }

  return {
    start: schedule,
    async stop(): Promise<void> {
      stopped = true;
      if (timer) clearTimeout(timer);
      await looking;
    },
    get(actor: Actor, id: number): WatchedFolder {
      access.task(actor, id);
      return present(id);
    },
    async set(actor: Actor, id: number, given: string): Promise<WatchedFolder> {
      images.requireOpen(actor, id);
      images.requireFiles(actor, given);
      const path = resolve(given);
      if (path !== given.replace(/(?<=.)[/\\]+$/, '')) {
        throw invalidRequest(`Cannot watch ${given}: give the absolute path of a folder.`);
      }
      await namesIn(path);
      tried.delete(id);
      rows.set({ task_id: id, path, owner_id: actor.userId, origin: actor.baseUrl });
      return present(id);
    },
    remove(actor: Actor, id: number): void {
      access.task(actor, id, 'upload:data');
      tried.delete(id);
      rows.remove(id);
    },
  };
}

/** Names of files in the folder itself. Throws a sentence if it cannot be read or has too many. */
async function namesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'it does not exist' : error.message;
    const message = `Cannot read the folder ${path}: ${reason}. Connect its disk, or choose another folder.`;
    throw invalidRequest(message);
  });
  if (entries.length > mostEntries) {
    const message = `Cannot watch ${path}: it has ${entries.length} files, more than ${mostEntries}. Move older files elsewhere.`;
    throw invalidRequest(message);
  }
  return entries.filter((entry) => entry.isFile() && !isTemporary(entry.name)).map(({ name }) => name);
}
