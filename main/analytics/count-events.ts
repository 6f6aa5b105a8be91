import type { AnalyticsReport } from '../../preload/contract/schema/analytics.ts';
import type { Dimension, EventFilter, EventRepository, Sum } from './event-repository.ts';
import { objectScopes, workingTimeScope } from './hourly-row.ts';
import { createLocalTime } from './local-time.ts';

export interface CountJob {
  readonly filter: EventFilter;
  readonly timeZone: string;
}

/** Value of a user, project or label before its name is resolved; id 0 means none. */
export interface OfId {
  readonly id: number;
  readonly value: number;
}

/** The report with ids instead of names. */
export interface Counted extends Pick<
  AnalyticsReport,
  'totals' | 'tools' | 'speed_by_day' | 'requests' | 'calls' | 'errors'
> {
  readonly workingTime: {
    readonly persons: readonly OfId[];
    readonly projects: readonly OfId[];
    readonly days: AnalyticsReport['working_time']['by_day'];
  };
  readonly objects: Pick<AnalyticsReport['objects'], 'by_day' | 'by_hour' | 'by_kind' | 'by_source'> & {
    readonly labels: readonly OfId[];
    readonly persons: readonly OfId[];
  };
  /** Jobs completed per day minus reopened ones. */
  readonly completions: readonly { readonly day: string; readonly completed: number }[];
}

const drawingScopes = ['draw:object'];
const errorScopes = ['send:exception'];
const modelSources: ReadonlySet<string> = new Set(['auto', 'semi-auto']);

/** Groups and sums, in order of first occurrence of the keys. */
function grouped<Key extends string>(sums: readonly Sum[], keyOf: (sum: Sum) => Key, valueOf: (sum: Sum) => number) {
  const found = new Map<Key, number>();
  for (const sum of sums) found.set(keyOf(sum), (found.get(keyOf(sum)) ?? 0) + valueOf(sum));
  return [...found];
}

const most = (a: { readonly count: number }, b: { readonly count: number }): number => b.count - a.count;
const kindOf = ({ name }: Sum): string => (name === '' ? 'tag' : name);
const total = (sums: readonly Sum[], valueOf: (sum: Sum) => number): number =>
  sums.reduce((sum, one) => sum + valueOf(one), 0);
const amountOf = ({ amount }: Sum): number => amount;
const msOf = ({ ms }: Sum): number => ms;

/** All numbers of the page, from hourly sums. */
export function countEvents(events: EventRepository, { filter, timeZone }: CountJob): Counted {
  const time = createLocalTime(timeZone);
  const dayOf = ({ hour }: Sum): string => time.ofHour(hour).day;
  const sums = (scopes: readonly string[], ...by: Dimension[]) => events.sums(scopes, by, filter);
  const byId = (scopes: readonly string[], id: 'user_id' | 'project_id' | 'label_id', valueOf: (sum: Sum) => number) =>
    sums(scopes, id)
      .map((sum) => ({ id: sum[id], value: valueOf(sum) }))
      .filter(({ value }) => value > 0)
      .sort((a, b) => b.value - a.value);

  const objects = sums(objectScopes, 'hour', 'name');
  const sources = sums(objectScopes, 'detail');
  const drawn = sums(drawingScopes, 'hour', 'name');
  const states = sums(['update:job'], 'hour', 'detail').filter(({ detail }) => detail !== '');
  const requests = sums(['complete:request'], 'name', 'detail');
  const calls = sums(['call:function'], 'name', 'detail');
  const errors = sums(errorScopes, 'name');
  const working = sums([workingTimeScope], 'hour');
  const drawnBy = (keyOf: (sum: Sum) => string) => {
    const ms = new Map(grouped(drawn, keyOf, msOf));
    return grouped(drawn, keyOf, amountOf).map(([key, count]) => ({ key, count, ms: ms.get(key) ?? 0 }));
  };
  const ends = (all: readonly Sum[], name: string, isGood: boolean): Sum[] =>
    all.filter((sum) => sum.name === name && (sum.detail === 'failed') !== isGood);
  const names = (all: readonly Sum[]): string[] => [...new Set(all.map(({ name }) => name))].sort();
  const inDays = <Entry extends { readonly day: string }>(entries: readonly Entry[]): Entry[] =>
    [...entries].sort((a, b) => (a.day < b.day ? -1 : 1));

  return {
    totals: {
      working_ms: total(working, msOf),
      objects: total(objects, amountOf),
      objects_by_models: total(
        sources.filter(({ detail }) => modelSources.has(detail)),
        amountOf,
      ),
      drawn: total(drawn, amountOf),
      drawing_ms: total(drawn, msOf),
      errors: total(errors, ({ events: count }) => count),
    },
    workingTime: {
      persons: byId([workingTimeScope], 'user_id', msOf),
      projects: byId([workingTimeScope], 'project_id', msOf),
      days: inDays(grouped(working, dayOf, msOf).map(([day, ms]) => ({ day, ms }))),
    },
    objects: {
      by_day: inDays(
        grouped(objects, (sum) => `${dayOf(sum)} ${kindOf(sum)}`, amountOf).map(([key, count]) => {
          const [day = '', kind = ''] = key.split(' ');
          return { day, kind, count };
        }),
      ),
      by_hour: grouped(objects, ({ hour }) => `${time.ofHour(hour).weekday} ${time.ofHour(hour).hour}`, amountOf).map(
        ([key, count]) => {
          const [weekday = 0, hour = 0] = key.split(' ').map(Number);
          return { weekday, hour, count };
        },
      ),
      by_kind: grouped(objects, kindOf, amountOf)
        .map(([kind, count]) => ({ kind, count }))
        .sort(most),
      by_source: sources.map(({ detail, amount }) => ({ source: detail, count: amount })).sort(most),
      labels: byId(objectScopes, 'label_id', amountOf),
      persons: byId(objectScopes, 'user_id', amountOf),
    },
    tools: drawnBy(({ name }) => name)
      .sort(most)
      .map(({ key, count, ms }) => ({ tool: key, objects: count, ms })),
    speed_by_day: inDays(drawnBy(dayOf).map(({ key, count, ms }) => ({ day: key, objects: count, ms }))),
    completions: inDays(
      grouped(states, dayOf, ({ detail, events: count }) => (detail === 'completed' ? count : -count)).map(
        ([day, completed]) => ({ day, completed }),
      ),
    ),
    requests: names(requests).map((type) => ({
      type,
      finished: total(ends(requests, type, true), ({ events: count }) => count),
      failed: total(ends(requests, type, false), ({ events: count }) => count),
    })),
    calls: names(calls).map((name) => ({
      function: name,
      good: total(ends(calls, name, true), ({ events: count }) => count),
      failed: total(ends(calls, name, false), ({ events: count }) => count),
      ms: total(
        calls.filter((sum) => sum.name === name),
        msOf,
      ),
    })),
    errors: errors.map(({ name, events: count }) => ({ source: name, count })).sort(most),
  };
}
