import type { AnalyticsReport } from '../../preload/contract/schema/analytics.ts';
import { noFacts, requireAllowed } from '../users/access/access-rules.ts';
import type { Actor } from '../users/access/actor.ts';
import type { Clock } from '../platform/clock.ts';
import { invalidField } from '../platform/errors.ts';
import type { Counted, OfId } from './count-events.ts';
import type { EventFilter } from './event-repository.ts';
import type { EventVolume } from './event-volume.ts';
import { createLocalTime, dayAfter } from './local-time.ts';
import type { WorkProgressRepository } from './work-progress-repository.ts';
import { defined } from '../platform/defined.ts';

export interface ReportWish {
  readonly from?: string;
  readonly to?: string;
  readonly timeZone?: string;
  readonly projectId?: number;
  readonly userId?: number;
}

/** Default number of days. */
const usualDays = 30;

export function createReporter({
  volume,
  work,
  seesAll,
  clock,
}: {
  readonly volume: EventVolume;
  readonly work: WorkProgressRepository;
  readonly seesAll: (actor: Actor) => boolean;
  readonly clock: Clock;
}) {
  const named = (kind: 'user' | 'project' | 'label', all: readonly OfId[]) => {
    const names = work.names(
      kind,
      all.map(({ id }) => id),
    );
    return all.map(({ id, value }) => ({ id: id === 0 ? null : id, name: names.get(id) ?? '', value }));
  };

  async function progressOf(
    filter: EventFilter,
    timeZone: string,
    shown: Counted,
  ): Promise<AnalyticsReport['progress']> {
    const { jobs, completed } = work.jobs(filter.projectId, filter.organizationId);
    const nowMs = Date.parse(clock());
    const recently = { ...filter, fromMs: nowMs - (forecastDays + 1) * 86_400_000, toMs: nowMs + 1 };
    const recent = await volume.count({ filter: recently, timeZone });
    const today = createLocalTime(timeZone).day(nowMs);
    return {
      jobs,
      completed,
      by_day: [...shown.completions],
      forecast: forecast(jobs - completed, recent.completions, today),
    };
  }

  return async function report(actor: Actor, wanted: ReportWish): Promise<AnalyticsReport> {
    requireAllowed(actor, 'event', 'dump', noFacts);
    volume.requireOn();
    await volume.settle();
    const { timeZone, from, to, ...period } = periodOf(wanted, Date.parse(clock()));
    const { organization } = actor;
    const filter: EventFilter = {
      ...period,
      projectId: wanted.projectId,
      userId: seesAll(actor) ? wanted.userId : actor.userId,
      ...defined({
        organizationId: organization.kind === 'all' ? undefined : organization.kind === 'one' ? organization.id : null,
      }),
    };
    const counted = await volume.count({ filter, timeZone });
    const { workingTime: working, objects, completions: _completions, ...rest } = counted;
    const ms = (kind: 'user' | 'project', all: readonly OfId[]) =>
      named(kind, all).map(({ value, ...one }) => ({ ...one, ms: value }));
    const counts = (kind: 'user' | 'label', all: readonly OfId[]) =>
      named(kind, all).map(({ value, ...one }) => ({ ...one, count: value }));
    const { labels, persons, ...others } = objects;
    return {
      from,
      to,
      time_zone: timeZone,
      ...rest,
      working_time: {
        by_user: ms('user', working.persons),
        by_project: ms('project', working.projects),
        by_day: [...working.days],
      },
      objects: { ...others, by_label: counts('label', labels), by_user: counts('user', persons) },
      progress: filter.userId === undefined ? await progressOf(filter, timeZone, counted) : null,
    };
  };
}

/** Complete days of the time zone. */
function periodOf({ from, to, timeZone = 'UTC' }: ReportWish, nowMs: number) {
  const time = localTimeOf(timeZone);
  const last = to ?? time.day(nowMs);
  const first = from ?? dayAfter(last, 1 - usualDays);
  if (first > last) throw invalidField('from', 'The period ends before it begins.');
  return { timeZone, from: first, to: last, fromMs: time.startOf(first), toMs: time.startOf(dayAfter(last)) };
}

function localTimeOf(timeZone: string) {
  try {
    return createLocalTime(timeZone);
  } catch {
    throw invalidField('time_zone', `There is no time zone "${timeZone}".`);
  }
}

/** Days, including today, from which the rate is estimated. */
const forecastDays = 28;
/** A later date would be meaningless. */
const maxDays = 3650;

export interface Forecast {
  readonly jobs_per_day: number;
  readonly end: string;
  readonly earliest: string;
  readonly latest: string;
}

/**
 * Forecasts when the remaining jobs are done at the recent mean rate; the earliest and latest day use the mean plus and
 * minus one standard error. Days without work count, because weekends recur.
 */
function forecast(
  remaining: number,
  completions: readonly { readonly day: string; readonly completed: number }[],
  today: string,
): Forecast | null {
  const from = dayAfter(today, 1 - forecastDays);
  const recent = completions.filter(({ day }) => day >= from && day <= today);
  const first = recent.map(({ day }) => day).sort()[0];
  if (first === undefined || remaining <= 0) return null;
  const days = (Date.parse(today) - Date.parse(first)) / 86_400_000 + 1;
  const mean = recent.reduce((sum, { completed }) => sum + completed, 0) / days;
  if (mean <= 0) return null;
  const squares = recent.reduce((sum, { completed }) => sum + (completed - mean) ** 2, 0);
  const variance = (squares + (days - recent.length) * mean ** 2) / Math.max(1, days - 1);
  const error = Math.sqrt(variance / days);
  const endAt = (rate: number): string =>
    dayAfter(today, Math.ceil(Math.min(maxDays, remaining / Math.max(rate, 1e-9))));
  return {
    jobs_per_day: mean,
    end: endAt(mean),
    earliest: endAt(mean + error),
    latest: endAt(Math.max(mean - error, mean / 4)),
  };
}
