import { readFileSync } from 'node:fs';
import { readdir, rm, stat, statfs } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import {
  backupOutcomeSchema,
  backupSettingsSchema,
  type BackupFile,
  type BackupOutcome,
  type BackupSettings,
} from '../../preload/contract/schema/backups.ts';
import { replaceFileSync } from '../platform/durable-files.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { backupExtension } from './backup-layout.ts';
import { openObjectsFor, removeUnused } from './objects.ts';
import { isSealed, readBackup, type ReadEntry, type Reference } from './read-backup.ts';

const keptSchema = z.object({
  settings: backupSettingsSchema,
  last: backupOutcomeSchema.nullable(),
  /** Last run of the schedule, successful or not. */
  scheduled: z.string().nullable(),
  /** Bytes that incremental backups wrote, by file name. */
  news: z.record(z.string(), z.int()).default({}),
});
export type KeptFacts = z.infer<typeof keptSchema>;

/** Not part of a backup, so that a restore does not change it. */
const factsFile = (root: string): string => join(root, 'backups.json');

export function readFacts(root: string): KeptFacts {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(factsFile(root), 'utf8')));
  } catch {
    return {
      settings: { folder: join(root, 'backups'), every: 'never', hour: null, keep: 7, incremental: false },
      last: null,
      scheduled: null,
      news: {},
    };
  }
}

export function changeFacts(root: string, change: Partial<KeptFacts>): void {
  replaceFileSync(factsFile(root), JSON.stringify({ ...readFacts(root), ...change }, null, 2));
}

export const noteOutcome = (root: string, outcome: Omit<BackupOutcome, 'date'>): void =>
  changeFacts(root, { last: { ...outcome, date: new Date().toISOString() } });

const mostNews = 1000;

/** Records the bytes of an incremental backup; only the latest entries are kept. */
export function noteNews(root: string, name: string, newBytes: number): void {
  const { [name]: _, ...others } = readFacts(root).news;
  changeFacts(root, { news: Object.fromEntries([...Object.entries(others), [name, newBytes]].slice(-mostNews)) });
}

const scheduledPrefix = 'limner-by-itself-';

export function backupName(isScheduled: boolean): string {
  const moment = new Date().toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '');
  return `${isScheduled ? scheduledPrefix : 'limner-'}${moment}${backupExtension}`;
}

/** Newest first. */
export async function listBackups(folder: string, news: KeptFacts['news'] = {}): Promise<BackupFile[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.filter((name) => name.endsWith(backupExtension)).map((name) => describe(join(folder, name), name)),
  );
  return found
    .flatMap((one) => (one === null ? [] : { ...one, new_bytes: news[one.name] ?? null }))
    .sort((a, b) => (a.created_date < b.created_date ? 1 : -1));
}

async function describe(file: string, name: string): Promise<Omit<BackupFile, 'new_bytes'> | null> {
  try {
    const { size, mtime } = await stat(file);
    return {
      name,
      file,
      size_bytes: size,
      created_date: mtime.toISOString(),
      encrypted: await isSealed(file),
      scheduled: name.startsWith(scheduledPrefix),
    };
  } catch {
    // Deleted since the listing, or unreadable.
    return null;
  }
}

export async function freeBytes(folder: string): Promise<number | null> {
  const facts = await statfs(folder).catch(() => null);
  return facts && facts.bavail * facts.bsize;
}

/**
 * Deletes objects that no backup in the folder references. Backups with another passphrase use other objects; a damaged
 * backup prevents any deletion.
 */
export async function removeUnusedObjects(folder: string, passphrase: string | null): Promise<void> {
  const store = await openObjectsFor(folder, passphrase);
  const used = new Set<string>();
  for (const { file, encrypted } of await listBackups(folder)) {
    if (encrypted !== (passphrase !== null)) continue;
    const onReference = ({ sha256 }: Reference): void => void used.add(sha256);
    const take = async ({ body }: ReadEntry): Promise<void> => {
      for await (const _ of body);
    };
    try {
      await readBackup({ file, passphrase, withoutObjects: true, onReference }, take);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'forbidden')) return;
    }
  }
  await removeUnused(store, used);
}

/** Deletes old scheduled backups; manual ones stay. */
export async function removeSurplus({ folder, keep }: BackupSettings): Promise<void> {
  const own = (await listBackups(folder)).filter(({ scheduled }) => scheduled);
  for (const { file } of own.slice(keep)) await rm(file, { force: true });
}

/** @throws AppError 400 for a folder that cannot hold backups */
export async function requireFolder(root: string, folder: string): Promise<void> {
  if (!isAbsolute(folder)) throw invalidField('folder', 'Enter the absolute path of the folder.');
  if (folder === join(root, 'backups')) return;
  const facts = await stat(folder).catch(() => null);
  if (!facts?.isDirectory())
    throw invalidField('folder', 'The folder does not exist on this computer or is not readable.');
}
