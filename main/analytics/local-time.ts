import { hourMs } from './hourly-row.ts';

export interface LocalHour {
  /** `2026-11-23` */
  readonly day: string;
  readonly hour: number;
  /** 1 is Monday. */
  readonly weekday: number;
}

/** Days and hours in a time zone. @throws RangeError for an unknown zone */
export function createLocalTime(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const known = new Map<number, LocalHour>();

  function clock(ms: number) {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? '';
    const day = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
    return { day, hour: Number(part('hour')), asUtcMs: Date.parse(`${day}T${part('hour')}:${part('minute')}Z`) };
  }

  /** UTC offset of the zone at the beginning of a UTC day. */
  const offsets = new Map<number, number>();
  function offsetOf(day: number): number {
    const ms = day * 24 * hourMs;
    const offset = offsets.get(day) ?? clock(ms).asUtcMs - ms;
    offsets.set(day, offset);
    return offset;
  }

  /** Formats single hours only on days with a clock change, because `Intl` is slow. */
  function shownAt(hour: number): { readonly day: string; readonly hour: number } {
    const offset = offsetOf(Math.floor(hour / 24));
    if (offset !== offsetOf(Math.floor(hour / 24) + 1)) return clock(hour * hourMs);
    const shown = new Date(hour * hourMs + offset);
    return { day: shown.toISOString().slice(0, 10), hour: shown.getUTCHours() };
  }

  return {
    day: (ms: number): string => clock(ms).day,
    /** @param hour since 1970, of UTC */
    ofHour(hour: number): LocalHour {
      const seen = known.get(hour);
      if (seen) return seen;
      const { day, hour: local } = shownAt(hour);
      const found = { day, hour: local, weekday: ((new Date(day).getUTCDay() + 6) % 7) + 1 };
      known.set(hour, found);
      return found;
    },
    startOf(day: string): number {
      const wanted = Date.parse(`${day}T00:00Z`);
      const guess = wanted - (clock(wanted).asUtcMs - wanted);
      return guess - (clock(guess).asUtcMs - wanted);
    },
  };
}

export const dayAfter = (day: string, count = 1): string =>
  new Date(Date.parse(day) + count * 24 * hourMs).toISOString().slice(0, 10);
