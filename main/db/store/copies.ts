import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { moveIntoPlaceSync } from '../../platform/durable-files.ts';
import type { DataDirectory } from '../../platform/paths.ts';
import type { Store } from '../store.ts';
import { copiesFolder, sizeOf, storeFile } from './store-files.ts';
import { listFolder } from '../../platform/list-folder.ts';

export interface StoreCopy {
  /** File name, which identifies the copy for users. */
  readonly name: string;
  readonly file: string;
  readonly takenAt: Date;
  readonly sizeBytes: number;
}

const dailyName = /^limner-(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2})Z\.sqlite$/;
/** Copies made before the schema changed. */
const upgradeName = /^limner\.sqlite\.before-\d+-(\d+)$/;

export const copyName = (at: Date): string => `limner-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.sqlite`;

function takenAt(name: string): Date | null {
  const daily = dailyName.exec(name);
  if (daily) return new Date(`${daily[1]}:${daily[2]}:${daily[3]}Z`);
  const upgrade = upgradeName.exec(name);
  return upgrade ? new Date(Number(upgrade[1])) : null;
}

/** Every copy in the data directory, newest first. */
export function listCopies(paths: Pick<DataDirectory, 'db'>): StoreCopy[] {
  return [paths.db, copiesFolder(paths)]
    .flatMap((folder) =>
      listFolder(folder).flatMap((name) => {
        const at = takenAt(name);
        const file = join(folder, name);
        return at === null ? [] : [{ name, file, takenAt: at, sizeBytes: sizeOf(file) }];
      }),
    )
    .sort((a, b) => b.takenAt.getTime() - a.takenAt.getTime());
}

/** The daily copies, newest first. */
export const dailyCopies = (paths: Pick<DataDirectory, 'db'>): StoreCopy[] =>
  listCopies(paths).filter(({ name }) => dailyName.test(name));

/**
 * Copies the current store to a file, which appears completely or not at all. Other connections can write during the
 * copy. Reads every table: an unreadable store gives no copy.
 */
export function copyStoreTo(database: Store, destination: string): void {
  const temporary = `${destination}.part`;
  mkdirSync(dirname(destination), { recursive: true, mode: 0o700 });
  rmSync(temporary, { force: true });
  try {
    database.query('VACUUM INTO ?').run(temporary);
    chmodSync(temporary, 0o600);
    moveIntoPlaceSync(temporary, destination);
  } catch (error) {
    rmSync(temporary, { force: true });
    rmSync(`${temporary}-journal`, { force: true });
    throw error;
  }
}

export function removeUnfinishedCopies(paths: Pick<DataDirectory, 'db'>): void {
  const folder = copiesFolder(paths);
  for (const name of listFolder(folder).filter((one) => /\.part(-journal)?$/.test(one))) rmSync(join(folder, name));
}

const keptDays = 3;
const keptWeeks = 4;
const dayMs = 24 * 60 * 60 * 1000;

/** Number of the day in the local calendar. */
export function dayOf(at: Date): number {
  return Math.floor((at.getTime() - at.getTimezoneOffset() * 60_000) / dayMs);
}

/**
 * Selects copies to delete: all but those of the last three days and four weeks. Copies must be sorted newest first.
 */
export function outdated<Copy extends Pick<StoreCopy, 'takenAt'>>(copies: readonly Copy[]): Copy[] {
  const days = new Set<number>();
  const weeks = new Set<number>();
  return copies.filter(({ takenAt: at }) => {
    const day = dayOf(at);
    // Day 0 was a Thursday; weeks begin on Mondays.
    const week = Math.floor((day + 3) / 7);
    const keepsDay = days.size < keptDays && !days.has(day);
    const keepsWeek = weeks.size < keptWeeks && !weeks.has(week);
    if (keepsDay) days.add(day);
    if (keepsDay || keepsWeek) weeks.add(week);
    return !keepsDay && !keepsWeek;
  });
}

export function storeBytes(paths: Pick<DataDirectory, 'db'>): number {
  const file = storeFile(paths);
  return sizeOf(file) + sizeOf(`${file}-wal`);
}

/** Description for lists: `22 November 2026, 10:00, 5.1 MB`. */
export function describeCopy({ takenAt: at, sizeBytes }: StoreCopy): string {
  const date = at.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' });
  return `${date}, ${(sizeBytes / 1e6).toFixed(1)} MB`;
}
