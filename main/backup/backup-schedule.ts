import type { BackupSettings } from '../../preload/contract/schema/backups.ts';

const dayMs = 24 * 60 * 60 * 1000;
const days = { day: 1, week: 7 } as const;

/**
 * True if a scheduled backup is due. With an hour (local time), the latest scheduled time counts, so that a missed
 * backup is made at the next start.
 * @param last last run of the schedule; null for never
 */
export function isDue(now: Date, last: Date | null, { every, hour }: Pick<BackupSettings, 'every' | 'hour'>): boolean {
  if (every === 'never') return false;
  if (last === null) return true;
  if (hour === null) return now.getTime() - last.getTime() >= days[every] * dayMs;
  const isToday = now.getHours() >= hour;
  const day = now.getDate() - (isToday ? 0 : 1) - (days[every] - 1);
  return last < new Date(now.getFullYear(), now.getMonth(), day, hour);
}
