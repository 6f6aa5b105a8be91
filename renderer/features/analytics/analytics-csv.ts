import type { AnalyticsReport } from '../../../preload/contract/schema/analytics.ts';

type Cell = string | number;

/** A program for tables would run what looks like a formula. */
const cell = (value: Cell): string => {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** One number a row: what it counts, of whom or what, and the day. Names of columns are the same in every language. */
export function analyticsCsv(report: AnalyticsReport): string {
  const { totals, working_time: time, objects } = report;
  const named = (what: string, all: readonly { readonly name: string; readonly id: number | null }[]) =>
    all.map((one) => ({ what, of: one.name === '' ? String(one.id ?? '') : one.name, one }));
  const rows: (readonly Cell[])[] = [
    ...Object.entries(totals).map(([name, value]) => ['total', name, '', value]),
    ...named('working_ms by person', time.by_person).map(({ what, of }, at) => [
      what,
      of,
      '',
      time.by_person[at]?.ms ?? 0,
    ]),
    ...named('working_ms by project', time.by_project).map(({ what, of }, at) => [
      what,
      of,
      '',
      time.by_project[at]?.ms ?? 0,
    ]),
    ...time.by_day.map(({ day, ms }) => ['working_ms by day', '', day, ms]),
    ...objects.by_day.map(({ day, kind, count }) => ['objects by day and kind', kind, day, count]),
    ...objects.by_hour.map(({ weekday, hour, count }) => [
      'objects by weekday and hour',
      `${weekday} ${hour}`,
      '',
      count,
    ]),
    ...objects.by_label.map(({ id, name, count }) => ['objects by label', name || String(id), '', count]),
    ...objects.by_person.map(({ id, name, count }) => ['objects by person', name || String(id), '', count]),
    ...objects.by_source.map(({ source, count }) => ['objects by source', source, '', count]),
    ...report.tools.flatMap(({ tool, objects: count, ms }) => [
      ['drawn by tool', tool, '', count],
      ['drawing_ms by tool', tool, '', ms],
    ]),
    ...report.speed_by_day.flatMap(({ day, objects: count, ms }) => [
      ['drawn by day', '', day, count],
      ['drawing_ms by day', '', day, ms],
    ]),
    ...(report.progress?.by_day ?? []).map(({ day, completed }) => ['jobs completed', '', day, completed]),
    ...report.requests.flatMap(({ type, finished, failed }) => [
      ['requests finished', type, '', finished],
      ['requests failed', type, '', failed],
    ]),
    ...report.calls.flatMap(({ function: name, good, failed, ms }) => [
      ['model calls', name, '', good],
      ['model calls failed', name, '', failed],
      ['model call ms', name, '', ms],
    ]),
    ...report.errors.map(({ source, count }) => ['errors', source, '', count]),
  ];
  return [['section', 'name', 'day', 'value'], ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
