import { formatFixed, locale } from '../i18n/language.ts';
import type { TextFunction } from '../i18n/index.ts';

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Human-readable size: `1.4 MB`. */
export function formatBytes(sizeBytes: number): string {
  let value = sizeBytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : formatFixed(value, 1)} ${units[unit] ?? 'B'}`;
}

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Relative time: `3 minutes ago`. */
export function formatWhen(iso: string, nowMs = Date.now()): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000;
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  const step = steps.find(([, length]) => Math.abs(seconds) >= length);
  return step === undefined ? format.format(0, 'minute') : format.format(Math.round(seconds / step[1]), step[0]);
}

const dayMs = 86_400_000;
const startOfDay = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/** Short time for columns: `4 min`, `2 hr`, `yesterday`, `Fri`, `12 Aug`, with the year if it differs. */
export function formatShort(iso: string, nowMs = Date.now()): string {
  const date = new Date(iso);
  const now = new Date(nowMs);
  const minutes = Math.max(0, Math.floor((nowMs - date.getTime()) / 60_000));
  const unit = (value: number, name: 'minute' | 'hour'): string =>
    new Intl.NumberFormat(locale(), { style: 'unit', unit: name, unitDisplay: 'short' }).format(value);
  if (minutes < 1) return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(0, 'second');
  if (minutes < 60) return unit(minutes, 'minute');
  const days = Math.round((startOfDay(now) - startOfDay(date)) / dayMs);
  if (days === 0) return unit(Math.floor(minutes / 60), 'hour');
  if (days === 1) return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(-1, 'day');
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const };
  const shown =
    days < 7 ? { weekday: 'short' as const } : { day: 'numeric' as const, month: 'short' as const, ...year };
  return new Intl.DateTimeFormat(locale(), shown).format(date);
}

export const formatDate = (iso: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));

/** Time with seconds, for logs. */
export const formatMoment = (iso: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(iso));

/** Formats the dates in a message of the service. */
export const withMoments = (sentence: string): string => sentence.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, formatMoment);

export const isPast = (iso: string, nowMs = Date.now()): boolean => Date.parse(iso) <= nowMs;

/** Duration: `12 ms`, `1.4 s`. */
export const formatDuration = (durationMs: number): string =>
  durationMs < 1_000 ? `${Math.round(durationMs)} ms` : `${formatFixed(durationMs / 1_000, 1)} s`;

/** Future time: `in 4 seconds`, `in 5 minutes`. */
export function formatSoon(iso: string, nowMs = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - nowMs) / 1_000);
  if (Math.abs(seconds) >= 60) return formatWhen(iso, nowMs);
  return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(Math.max(0, seconds), 'second');
}

const known = new Set([
  'create:task',
  'create:manifest',
  'import:annotations',
  'import:dataset',
  'import:images',
  'export:annotations',
  'export:dataset',
  'import:backup',
  'export:backup',
  'export:events',
  'autoannotate:task',
  'create:frames',
  'export:frames',
  'create:evaluation',
  'import:predictions',
  'copy:predictions',
  'calculate:quality',
  'merge:task',
  'merge:job',
  'checkout:remote',
  'publish:remote',
  'pull:remote',
  'push:remote',
] as const);
type KnownType = typeof known extends Set<infer Type> ? Type : never;

/** Name of a background request's type; unknown types stay unchanged. */
export const requestTypeText = (type: string, t: TextFunction): string =>
  known.has(type as KnownType) ? t(`requests.type.${type as KnownType}`) : type;
