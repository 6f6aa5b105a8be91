import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnalyticsReport } from '../../../preload/contract/schema/analytics.ts';
import { openEvents } from '../../../main/analytics/event-repository.ts';
import { trimEvents } from '../../../main/analytics/event-jobs.ts';
import { countEvents } from '../../../main/analytics/count-events.ts';
import { createLocalTime } from '../../../main/analytics/local-time.ts';
import { makeImages } from '../../support/images.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startWorkbench } from '../http/support.ts';

interface RawEvent {
  readonly at_ms: number;
  readonly scope: string;
  readonly obj_name: string | null;
  readonly obj_val: string | null;
  readonly count: number | null;
  readonly duration: number;
  readonly user_id: number | null;
  readonly project_id: number | null;
  readonly payload: string | null;
}

/** The raw rows, read without the code of the page. */
function rawEvents(file: string): RawEvent[] {
  const database = new BetterSqlite3(file, { readonly: true });
  try {
    return database.prepare('SELECT * FROM event').all() as RawEvent[];
  } finally {
    database.close();
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const isObject = ({ scope }: RawEvent): boolean => /^create:(shapes|tracks|tags)$/.test(scope);
const payloadOf = ({ payload }: RawEvent) => JSON.parse(payload ?? '{}') as { label_id?: number; source?: string };
function sumsBy(
  events: readonly RawEvent[],
  keyOf: (event: RawEvent) => unknown,
  valueOf: (event: RawEvent) => number,
) {
  const groups = Map.groupBy(events, (event) => String(keyOf(event)));
  return [...groups]
    .map(([key, group]) => [key, sum(group.map(valueOf))] as const)
    .filter(([, value]) => value !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
const sorted = (pairs: readonly (readonly [unknown, number])[]) =>
  pairs
    .map(([key, value]) => [String(key), value] as const)
    .filter(([, value]) => value !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));

const beginMs = Date.parse('2026-03-20T00:00:00Z');
const someEvent = fc
  .record({
    hours: fc.integer({ min: 0, max: 24 * 20 }),
    rest: fc.integer({ min: 0, max: 3_599_999 }),
    what: fc.constantFrom(
      'create:shapes',
      'create:tracks',
      'create:tags',
      'delete:shapes',
      'draw:object',
      'send:working_time',
      'update:job',
      'complete:request',
      'call:function',
      'send:exception',
      'zoom:image',
    ),
    name: fc.constantFrom('rectangle', 'polygon', 'mask'),
    amount: fc.integer({ min: 1, max: 9 }),
    ms: fc.integer({ min: 0, max: 90_000 }),
    user: fc.constantFrom(1, 2, null),
    project: fc.constantFrom(4, 5, null),
    label: fc.constantFrom(7, 8),
    source: fc.constantFrom('manual', 'auto', 'semi-auto'),
    end: fc.constantFrom('finished', 'failed'),
  })
  .map(({ hours, rest, what, name, amount, ms, user, project, label, source, end }) => {
    const values: Record<string, string> = { 'send:working_time': String(ms), 'update:job': 'completed' };
    return {
      scope: what,
      timestamp: new Date(beginMs + hours * 3_600_000 + rest).toISOString(),
      obj_name: what === 'create:tags' ? null : what === 'update:job' ? 'state' : name,
      obj_val: values[what] ?? end,
      count: amount,
      duration: ms,
      user_id: user,
      project_id: project,
      payload: JSON.stringify({ label_id: label, source }),
    };
  });

describe('the numbers of the page', () => {
  test('equal those of the raw events for any period, user, project and time zone', () => {
    const folder = temporaryFolder();
    let run = 0;
    fc.assert(
      fc.property(
        fc.array(someEvent, { maxLength: 120 }),
        fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo'),
        fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 })),
        fc.constantFrom(1, 2, undefined),
        fc.constantFrom(4, 5, undefined),
        (events, timeZone, days, userId, projectId) => {
          const file = join(folder, `${(run += 1)}.sqlite`);
          const volume = openEvents(file);
          // In batches, so that sums grow.
          for (let at = 0; at < events.length; at += 7) volume.insert(events.slice(at, at + 7));
          const day = (count: number) => new Date(beginMs + count * 86_400_000).toISOString().slice(0, 10);
          const time = createLocalTime(timeZone);
          const period = {
            fromMs: time.startOf(day(Math.min(...days))),
            toMs: time.startOf(day(Math.max(...days) + 1)),
          };
          const counted = countEvents(volume, { filter: { ...period, userId, projectId }, timeZone });
          volume.close();

          const raw = rawEvents(file).filter(
            ({ at_ms: ms, user_id: user, project_id: project }) =>
              ms >= period.fromMs &&
              ms < period.toMs &&
              (userId === undefined || user === userId) &&
              (projectId === undefined || project === projectId),
          );
          const localDay = ({ at_ms: ms }: RawEvent) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(ms);
          const objects = raw.filter(isObject);
          const working = raw.filter(({ scope }) => scope === 'send:working_time');
          const drawn = raw.filter(({ scope }) => scope === 'draw:object');
          const amount = ({ count }: RawEvent) => count ?? 1;
          const worked = ({ obj_val: ms }: RawEvent) => Number(ms);
          const kind = ({ obj_name: name }: RawEvent) => name ?? 'tag';
          expect(counted.totals).toEqual({
            working_ms: sum(working.map(worked)),
            objects: sum(objects.map(amount)),
            objects_by_models: sum(objects.filter((one) => payloadOf(one).source !== 'manual').map(amount)),
            drawn: sum(drawn.map(amount)),
            drawing_ms: sum(drawn.map(({ duration }) => duration)),
            errors: raw.filter(({ scope }) => scope === 'send:exception').length,
          });
          const ids = (all: readonly { readonly id: number; readonly value: number }[]) =>
            sorted(all.map(({ id, value }) => [id, value]));
          expect(ids(counted.workingTime.persons)).toEqual(sumsBy(working, (one) => one.user_id ?? 0, worked));
          expect(ids(counted.workingTime.projects)).toEqual(sumsBy(working, (one) => one.project_id ?? 0, worked));
          expect(sorted(counted.workingTime.days.map((one) => [one.day, one.ms]))).toEqual(
            sumsBy(working, localDay, worked),
          );
          expect(sorted(counted.objects.by_day.map((one) => [`${one.day} ${one.kind}`, one.count]))).toEqual(
            sumsBy(objects, (one) => `${localDay(one)} ${kind(one)}`, amount),
          );
          const localHour = ({ at_ms: ms }: RawEvent) =>
            new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', hourCycle: 'h23' })
              .formatToParts(ms)
              .filter(({ type }) => type !== 'literal')
              .map(({ value }) => value)
              .join(' ');
          const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
          expect(
            sorted(
              counted.objects.by_hour.map(({ weekday, hour, count }) => [
                `${weekdays[weekday - 1]} ${String(hour).padStart(2, '0')}`,
                count,
              ]),
            ),
          ).toEqual(sumsBy(objects, localHour, amount));
          expect(sorted(counted.objects.by_kind.map((one) => [one.kind, one.count]))).toEqual(
            sumsBy(objects, kind, amount),
          );
          expect(ids(counted.objects.labels)).toEqual(sumsBy(objects, (one) => payloadOf(one).label_id, amount));
          expect(sorted(counted.tools.map((one) => [one.tool, one.ms]))).toEqual(
            sumsBy(
              drawn,
              (one) => one.obj_name,
              ({ duration }) => duration,
            ),
          );
          const ended = (scope: string, end: string) =>
            sumsBy(
              raw.filter((one) => one.scope === scope && one.obj_val === end),
              (one) => one.obj_name,
              () => 1,
            );
          expect(sorted(counted.requests.map((one) => [one.type, one.failed]))).toEqual(
            ended('complete:request', 'failed'),
          );
          expect(sorted(counted.calls.map((one) => [one.function, one.good]))).toEqual(
            ended('call:function', 'finished'),
          );
          expect(sorted(counted.completions.map((one) => [one.day, one.completed]))).toEqual(
            sumsBy(
              raw.filter(({ scope }) => scope === 'update:job'),
              localDay,
              () => 1,
            ),
          );
        },
      ),
      { numRuns: Number(process.env['LIMNER_RUNS'] ?? 60) },
    );
  });

  test('are the same in a volume of the previous version, which had no sums of all users together', () => {
    const file = join(temporaryFolder(), 'events.sqlite');
    const event = (hours: number, user_id: number, project_id: number) => ({
      scope: 'create:shapes',
      obj_name: 'mask',
      timestamp: new Date(beginMs + hours * 3_600_000).toISOString(),
      duration: 0,
      count: hours,
      user_id,
      project_id,
      payload: JSON.stringify({ label_id: 7, source: 'manual' }),
    });
    const job = { filter: { fromMs: beginMs, toMs: beginMs + 9 * 86_400_000 }, timeZone: 'Europe/Berlin' };
    let volume = openEvents(file);
    volume.insert([event(2, 1, 4), event(2, 2, 5), event(30, 1, 4)]);
    const counted = countEvents(volume, job);
    volume.close();
    expect(counted.totals.objects).toBe(34);
    const database = new BetterSqlite3(file);
    database.exec('DROP TABLE overall');
    database.pragma('user_version = 1');
    database.close();
    volume = openEvents(file);
    expect(countEvents(volume, job)).toEqual(counted);
    volume.insert([event(2, 1, 4)]);
    expect(countEvents(volume, job).totals.objects).toBe(36);
    volume.close();
  });

  test('deletes old days completely with their sums', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'events.sqlite');
    const volume = openEvents(file);
    const at = (timestamp: string) => ({
      scope: 'draw:object',
      obj_name: 'mask',
      timestamp,
      duration: 1000,
      count: 1,
    });
    volume.insert([at('2024-01-01T23:00:00Z'), at('2024-01-02T01:00:00Z'), at('2026-01-02T01:00:00Z')]);
    const nowMs = Date.parse('2026-01-02T12:00:00Z');
    expect(trimEvents({ file, nowMs, keptDays: 730, maxBytes: 2 ** 40 })).toBe(2);
    expect(volume.extent()).toMatchObject({ events: 1, first: Date.parse('2026-01-02T01:00:00Z') });
    expect(rawEvents(file)).toHaveLength(1);
    // At any size, the current day is not deleted.
    expect(trimEvents({ file, nowMs, keptDays: 730, maxBytes: 0 })).toBe(0);
    volume.close();
  });
});

describe('numbers of the work', () => {
  let workbench: Awaited<ReturnType<typeof startWorkbench>>;
  beforeAll(async () => {
    workbench = await startWorkbench();
    await workbench.owner.good('PATCH', '/api/limner/analytics', { json: { enabled: true } });
  });
  afterAll(() => workbench.stop());

  test('include objects by kind, label and source, a finished job, and requests', async () => {
    const { owner } = workbench;
    const project = await owner.createProject('streets', [{ name: 'car' }, { name: 'tree' }]);
    const task = await owner.taskWithImages({ project_id: project.id }, await makeImages(2));
    const [job] = await owner.jobs(task.id);
    const [car, tree] = await owner.labels(task.id);
    const shape = (labelId: number | undefined, more: object = {}) => ({
      type: 'rectangle',
      frame: 0,
      points: [1, 1, 5, 5],
      label_id: labelId ?? 0,
      ...more,
    });
    const made = await owner.changeAnnotations('jobs', job?.id ?? 0, 'create', {
      shapes: [shape(car?.id), shape(car?.id, { source: 'auto' }), shape(tree?.id)],
      tags: [{ frame: 1, label_id: tree?.id ?? 0 }],
    } as never);
    await owner.changeAnnotations('jobs', job?.id ?? 0, 'delete', { shapes: made.shapes.slice(0, 1) });
    await owner.good('PATCH', `/api/jobs/${job?.id}`, { json: { state: 'completed' } });
    // A failed change is rolled back, and listeners are not notified.
    expect((await owner.call('POST', '/api/tasks', { json: { name: 'x', project_id: 99_999 } })).status).not.toBe(201);

    const report = await owner.good<AnalyticsReport>('GET', '/api/limner/analytics/report', {
      query: { project_id: project.id },
    });
    expect(report.totals).toMatchObject({ objects: 4, objects_by_models: 1, errors: 0 });
    expect(report.objects.by_kind).toEqual([
      { kind: 'rectangle', count: 3 },
      { kind: 'tag', count: 1 },
    ]);
    expect(report.objects.by_label).toEqual(
      expect.arrayContaining([
        { id: car?.id, name: 'car', count: 2 },
        { id: tree?.id, name: 'tree', count: 2 },
      ]),
    );
    expect(report.progress).toMatchObject({ jobs: 1, completed: 1, forecast: null });
    expect(sum((report.progress?.by_day ?? []).map(({ completed }) => completed))).toBe(1);
    const everywhere = await owner.good<AnalyticsReport>('GET', '/api/limner/analytics/report');
    expect(everywhere.requests).toContainEqual({ type: 'create:task', finished: 1, failed: 0 });
    const scopes = rawEvents(join(workbench.dataDir, 'events', 'events.sqlite')).map(({ scope }) => scope);
    for (const scope of [
      'create:project',
      'create:task',
      'update:job',
      'create:shapes',
      'create:tags',
      'delete:shapes',
    ])
      expect(scopes).toContain(scope);
  });
});
