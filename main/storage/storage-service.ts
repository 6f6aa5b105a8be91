import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import {
  volumeKinds,
  type Relinked,
  type Storage,
  type StorageMove,
  type Volume,
  type VolumeKind,
} from '../../preload/contract/schema/storage.ts';
import { requireAdmin, type Caller } from '../users/access/access-rules.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { homeOf, readVolumes } from '../platform/volumes.ts';
import { freeBytes } from '../backup/backup-folder.ts';
import { noteMove, requireTarget, type Move, type PreparedMove } from './move-volume.ts';
import { folderNames, kindOf } from './volume-kinds.ts';
import type { BaseDependencies } from '../db/base-dependencies.ts';

export interface StorageDependencies extends Pick<
  BaseDependencies,
  'dataDirectory' | 'databaseFile' | 'workers' | 'log'
> {
  readonly moveOn: ((move: PreparedMove) => void) | undefined;
  readonly isBackingUp: () => boolean;
}

interface Running {
  readonly move: Move;
  readonly controller: AbortController;
  progress: number;
  message: string;
}

export function createStorageService(dependencies: StorageDependencies) {
  const { dataDirectory: root, databaseFile, workers, log, moveOn, isBackingUp } = dependencies;
  let running: Running | null = null;
  let ended = Promise.resolve();

  function moving(): StorageMove {
    const { last } = readVolumes(root);
    return {
      last: last && { ...last, volume: kindOf(last.volume) },
      running: running && {
        volume: kindOf(running.move.volume),
        folder: join(running.move.home, running.move.volume),
        progress: running.progress,
        message: running.message,
      },
    };
  }

  async function describe(kind: VolumeKind): Promise<Volume[]> {
    const name = folderNames[kind];
    const home = homeOf(root, name);
    const folder = join(home, name);
    if (!existsSync(folder)) return [];
    const { files, sizeBytes } = await workers.run('measureTree', folder);
    return [
      { name: kind, folder, moved: home !== root, files, size_bytes: sizeBytes, free_bytes: await freeBytes(folder) },
    ];
  }

  async function run(work: Running): Promise<void> {
    const { move, controller } = work;
    try {
      if (!moveOn) throw cannot();
      const prepared = await workers.run('prepareMove', move, {
        signal: controller.signal,
        onProgress(share, message) {
          work.progress = share;
          work.message = message ?? work.message;
        },
      });
      moveOn(prepared);
    } catch (error) {
      log.error('A volume could not be moved', { volume: move.volume, home: move.home, error });
      noteMove(move, error);
      running = null;
    }
  }

  return {
    async get(actor: Caller): Promise<Storage> {
      requireAdmin(actor);
      const [volumes, places] = await Promise.all([
        Promise.all(volumeKinds.map(describe)),
        workers.run('findImageFolders', { databaseFile }),
      ]);
      const free = await freeBytes(root);
      return { data_directory: root, free_bytes: free, volumes: volumes.flat(), in_place: places, ...moving() };
    },
    move(actor: Caller): StorageMove {
      requireAdmin(actor);
      return moving();
    },
    /** Rejects invalid input immediately, then copies while the app keeps running. */
    async begin(actor: Caller, { volume, folder }: { volume: VolumeKind; folder: string }): Promise<StorageMove> {
      requireAdmin(actor);
      if (!isAbsolute(folder)) throw invalidField('folder', 'Enter the absolute path of the folder.');
      if (running) throw new AppError('conflict', 'A volume is being moved. Wait for its end, or cancel it.');
      if (isBackingUp()) throw new AppError('conflict', 'A backup is being created or restored. Wait for its end.');
      const move: Move = { root, volume: folderNames[volume], home: resolve(folder) };
      running = { move, controller: new AbortController(), progress: 0, message: '' };
      try {
        await requireTarget(move);
      } catch (error) {
        running = null;
        throw error instanceof AppError && error.code === 'invalid' ? invalidField('folder', error.message) : error;
      }
      ended = run(running);
      return moving();
    },
    async cancel(actor: Caller): Promise<StorageMove> {
      requireAdmin(actor);
      running?.controller.abort();
      await ended;
      return moving();
    },
    async relink(actor: Caller, { from, to }: { from: string; to: string }): Promise<Relinked> {
      requireAdmin(actor);
      const isFolder = isAbsolute(to) && (await stat(to).catch(() => null))?.isDirectory();
      if (!isFolder) throw invalidField('to', 'The folder does not exist on this computer or is not readable.');
      const result = await workers.run('relinkImages', {
        databaseFile,
        from,
        to,
      });
      return { ...result, message: sentence(result) };
    },
    async stop(): Promise<void> {
      running?.controller.abort();
      await ended;
    },
  };
}

const cannot = (): AppError =>
  new AppError('unavailable', 'Moving volumes is not available in this process. Nothing was changed.');

const images = (count: number): string => (count === 1 ? '1 image' : `${count} images`);

function sentence({ found, by_content: byContent, missing, other }: Omit<Relinked, 'message'>): string {
  const how = byContent === 0 ? '' : `, ${byContent} of them by their content`;
  const rest = missing === 0 ? '' : ` ${images(missing)} could not be found there; their annotations are kept.`;
  const wrong = other === 0 ? '' : ` ${other} of these paths contain another image and were skipped.`;
  return `${images(found)} found${how}.${rest}${wrong}`;
}
