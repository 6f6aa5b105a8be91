import { statSync } from 'node:fs';
import { isStoreDamaged } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { DataDirectory } from '../../platform/paths.ts';
import { createWorkerPool } from '../../platform/worker-pool.ts';
import { Store } from '../store.ts';
import { wasStoppedCleanly } from './clean-stop.ts';
import { storeBytes } from './copies.ts';
import { inspectStore, refuseStore } from './inspect-store.ts';
import { storeFile } from './store-files.ts';
import type { StoreRefused } from './store-refused.ts';

export interface CheckJob {
  readonly file: string;
  /** `full` also compares every index with its table, and every foreign key with its target. */
  readonly depth: 'quick' | 'full';
}

const shownProblems = 20;

/** Reading a store of this size takes less time than starting a thread. */
const smallBytes = 64 * 1024 * 1024;

/** Damage of a store's file, in SQLite's words; empty if it is intact. Reads the entire file. */
export function findDamage({ file, depth }: CheckJob): string[] {
  try {
    const database = new Store(file, { readonly: true });
    try {
      const check = depth === 'quick' ? 'quick_check' : 'integrity_check';
      const lines = database.query<[], string>(`PRAGMA ${check}(${shownProblems})`).pluck().all();
      const damage = lines.filter((line) => line !== 'ok').flatMap((line) => line.split('\n'));
      if (depth === 'quick' || damage.length > 0) return damage;
      // Row format as documented by SQLite.
      const loose = database.pragma('foreign_key_check') as { table: string; parent: string }[];
      return loose.slice(0, shownProblems).map(({ table, parent }) => `a row of ${table} names a missing ${parent}`);
    } finally {
      database.close();
    }
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    if (!isStoreDamaged(cause)) throw error;
    return [cause instanceof Error ? cause.message : String(cause)];
  }
}

/**
 * Checks a store that was not cleanly stopped, or was changed since, before it is opened. Large ones are checked in a
 * thread.
 * @throws StoreRefused for a store that is missing, not Limner's, or damaged
 */
export async function checkBeforeStart(paths: DataDirectory, workerUrl: URL, log: Logger): Promise<void> {
  const file = storeFile(paths);
  if (inspectStore(paths) === 'new' || wasStoppedCleanly(file)) return;
  const sizeBytes = storeBytes(paths);
  log.info('The store was not closed by a clean stop; checking it', { sizeBytes });
  const job: CheckJob = { file, depth: 'quick' };
  const damage = sizeBytes < smallBytes ? findDamage(job) : await findDamageInThread(job, workerUrl);
  if (damage.length === 0) return log.info('The store is intact');
  log.error('The store is damaged', { damage });
  throw damagedStore(paths, damage);
}

async function findDamageInThread(job: CheckJob, workerUrl: URL): Promise<string[]> {
  const workers = createWorkerPool(workerUrl);
  try {
    return await workers.run('checkStore', job);
  } finally {
    await workers.stop();
  }
}

export function damagedStore(paths: DataDirectory, damage: readonly string[], cause?: unknown): StoreRefused {
  const file = storeFile(paths);
  const changed = statSync(file).mtime.toISOString().slice(0, 16).replace('T', ' ');
  const what = `The store ${file}, last changed ${changed} UTC, is damaged (${damage[0] ?? 'unreadable'}).`;
  return refuseStore(paths, 'damaged', `${what} Images are in other files and are not affected.`, cause);
}
