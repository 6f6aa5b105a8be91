import { constants, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Store } from '../../db/store.ts';
import { listCopies } from '../../db/store/copies.ts';
import { inspectStore } from '../../db/store/inspect-store.ts';
import { newestSchema, oldestSchema } from '../../db/store/migrate.ts';
import { findDamage } from '../../db/store/store-check.ts';
import { mediaFolderIds, readStoreHeader, sizeOf, storeFile } from '../../db/store/store-files.ts';
import { StoreRefused } from '../../db/store/store-refused.ts';
import { frameStates } from '../../media/image-identity.ts';
import type { LockState } from '../../platform/instance-lock.ts';
import type { DataDirectory } from '../../platform/paths.ts';
import { createMediaRepository } from '../../work/tables/media-repository.ts';
import { mediaLocation, storedFrame } from '../../work/tasks/task-media.ts';
import { suggestedActions } from '../store.ts';
import { createDoctorRepository, type DoctorRepository } from './doctor-repository.ts';
import { bad, counted, good, megabytes, someOf, type Finding } from './finding.ts';

const area = 'store';

const refusals = {
  missing: 'is missing, but the data directory was in use',
  empty: 'is empty, but the data directory was in use',
  foreign: 'belongs to another program',
  damaged: 'is damaged',
  newer: 'is from a newer version',
  older: 'is from a version before the first release',
} as const;

/** Checks the store and the files that it refers to. Writes nothing into the data directory. */
export async function checkStoreAndMedia(paths: DataDirectory, lock: LockState): Promise<Finding[]> {
  const file = storeFile(paths);
  if (!existsSync(paths.root)) return [];
  try {
    if (inspectStore(paths) === 'new') return [good(area, 'There is no store yet.')];
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    return [bad(area, 'fault', `The store ${file} ${refusals[error.problem]}.`, suggestedActions(error).join('\n'))];
  }
  const schema = readStoreHeader(file)?.userVersion ?? 0;
  if (schema > newestSchema) {
    const message = `Cannot open the store ${file}: it is from a newer Limner (schema ${schema}; this version supports ${newestSchema}).`;
    return [bad(area, 'fault', message, 'Start the newer version, or choose another data directory with --data-dir.')];
  }
  if (schema > 0 && schema < oldestSchema) {
    const what = `Cannot open the store ${file}: it is from before the first release (schema ${schema}; this version supports ${oldestSchema} and later).`;
    return [bad(area, 'fault', what, `Start the last build with schema ${oldestSchema} once, which updates the data.`)];
  }
  if (lock.state === 'held') {
    if (!lock.isElsewhere) return lookInto(paths, file);
    const message = `The store was not checked because Limner on ${lock.holder.host} uses it.`;
    return [bad(area, 'note', message, 'Run limner doctor on that computer.')];
  }
  return withCopy(paths, file);
}

/**
 * Checks a copy of a store that is not in use: even to read, SQLite creates files beside the store, which fails if the
 * disk is full or read-only.
 */
async function withCopy(paths: DataDirectory, file: string): Promise<Finding[]> {
  const parts = [file, `${file}-wal`].filter((part) => existsSync(part));
  const needed = parts.reduce((sum, part) => sum + sizeOf(part), 0);
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < needed) {
    const message = `The store was not checked: ${tmpdir()} has no space for a copy of it (${megabytes(needed)}).`;
    return [bad(area, 'note', message, 'Set TMPDIR to a folder with more space, then run limner doctor again.')];
  }
  const folder = mkdtempSync(join(tmpdir(), 'limner-doctor-'));
  try {
    for (const part of parts) await copyFile(part, join(folder, basename(part)), constants.COPYFILE_FICLONE);
    return await lookInto(paths, join(folder, basename(file)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function lookInto(paths: DataDirectory, readable: string): Promise<Finding[]> {
  const damage = findDamage({ file: readable, depth: 'quick' });
  if (damage.length > 0) return [damaged(paths, damage)];
  const database = new Store(readable, { readonly: true });
  try {
    const pragma = (name: string): number => Number(database.pragma(name, { simple: true }));
    const schema = pragma('user_version');
    const findings = [stateOf(paths, schema, pragma('page_size'), pragma('freelist_count'))];
    // Stores with an older schema lack the tables and columns queried below.
    if (schema < newestSchema) return findings;
    const repository = createDoctorRepository(database);
    return [...findings, ...missingKeys(paths, repository), ...(await checkMedia(paths, database, repository))];
  } finally {
    database.close();
  }
}

function damaged(paths: DataDirectory, damage: readonly string[]): Finding {
  const place = { dataDirectory: paths.root, copies: listCopies(paths) };
  const ways = suggestedActions(new StoreRefused('damaged', '', place));
  const message = `The store ${storeFile(paths)} is damaged: ${someOf(damage)}. Images are not affected.`;
  return bad(area, 'fault', message, ways.join('\n'));
}

const largeJournalBytes = 256e6;

function stateOf(paths: DataDirectory, schema: number, pageBytes: number, freePages: number): Finding {
  const file = storeFile(paths);
  const journal = sizeOf(`${file}-wal`);
  const facts =
    `${file} is intact: ${megabytes(sizeOf(file))}, schema ${schema}, journal ${megabytes(journal)}, ` +
    `${counted(freePages, 'free page')} (${megabytes(freePages * pageBytes)}).`;
  if (schema < newestSchema) {
    return bad(area, 'note', `${facts} It is from an older Limner.`, 'The next start makes a copy and updates it.');
  }
  if (journal > largeJournalBytes) {
    const suggestion = 'Restart Limner, which writes the journal into the store.';
    return bad(area, 'warning', `${facts} The journal is large.`, suggestion);
  }
  return good(area, facts);
}

function missingKeys({ keys }: DataDirectory, repository: DoctorRepository): Finding[] {
  return Object.entries(repository.sealedByKeyFile())
    .filter(([name, count]) => count > 0 && !existsSync(join(keys, name)))
    .map(([name, count]) =>
      bad(
        'keys',
        'fault',
        `The key ${join(keys, name)} is missing, so ${counted(count, 'entry')} of the store cannot be decrypted.`,
        'Restore it from a backup of the data directory, or enter the secrets of webhooks and functions again.',
      ),
    );
}

const framesAtOnce = 2000;

async function checkMedia(paths: DataDirectory, database: Store, repository: DoctorRepository): Promise<Finding[]> {
  const media = createMediaRepository(database);
  const tasks = repository.tasks();
  const missing: string[] = [];
  const replaced: string[] = [];
  let looked = 0;
  for (const task of tasks) {
    const row = task.media_id === null ? undefined : media.get(task.media_id);
    if (!row) continue;
    const location = mediaLocation(paths.root, task.id, row);
    // A video is one file, however many frames it has.
    const size = row.kind === 'video' ? 1 : row.size;
    for (let first = 0; first < size; first += framesAtOnce) {
      const frames = media.frames(row.id, first, Math.min(size, first + framesAtOnce) - 1);
      const wanted = frames.map((frame) => ({ stored: storedFrame(row, frame), identity: frame.identity ?? null }));
      const states = await frameStates(location, wanted);
      looked += states.length;
      for (const [index, state] of states.entries()) {
        const name = `${wanted[index]?.stored.file} (task ${task.id}, frame ${first + index})`;
        if (state === 'missing') missing.push(name);
        if (state === 'replaced') replaced.push(name);
      }
    }
  }
  const known = new Set(tasks.map(({ id }) => id));
  const orphans = mediaFolderIds(paths).filter((id) => !known.has(id));
  const problems = [
    ...(missing.length === 0 ? [] : [missingFiles(missing)]),
    ...(replaced.length === 0 ? [] : [replacedFiles(replaced)]),
    ...(orphans.length === 0 ? [] : [orphaned(paths, orphans)]),
  ];
  return problems.length > 0 ? problems : [good('media', `${counted(looked, 'file')} of frames, none missing.`)];
}

const missingFiles = (names: readonly string[]): Finding =>
  bad(
    'media',
    'fault',
    `${counted(names.length, 'file')} of frames not found: ${someOf(names)}. Annotations are not affected.`,
    'Restore the files to their old paths (from a backup or their source). Their frames are then available again.',
  );

const replacedFiles = (names: readonly string[]): Finding =>
  bad(
    'media',
    'warning',
    `The images of ${counted(names.length, 'frame')} were replaced: ${someOf(names)}.`,
    'Restore the annotated images, or check that the annotations still match.',
  );

const orphaned = ({ data }: DataDirectory, ids: readonly number[]): Finding =>
  bad(
    'media',
    'note',
    `${counted(ids.length, 'folder')} of images without a task: ${someOf(ids.map((id) => join(data, String(id))))}.`,
    'They are not deleted automatically because they may belong to a newer store. Delete them if you do not need them.',
  );
