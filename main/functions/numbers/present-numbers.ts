import type { ModelMetrics } from '../../../preload/contract/schema/model-metrics.ts';
import { keptDays } from './call-numbers.ts';
import type { MinuteRow } from './minute-repository.ts';
import { mergeSteps, percentileMs, type Steps } from './duration-histogram.ts';

const minuteMs = 60_000;
const mostPoints = 120;
const widths = [1, 5, 15, 30, 60, 180, 360];

const most = (all: readonly (number | null)[]): number | null => {
  const known = all.filter((one) => one !== null);
  return known.length === 0 ? null : Math.max(...known);
};
const dateOf = (minute: number): string => new Date(minute * minuteMs).toISOString();

function together(rows: readonly MinuteRow[]) {
  const count = rows.reduce((sum, row) => sum + row.call_count, 0);
  const errors = rows.reduce((sum, row) => sum + row.error_count, 0);
  const answered = count - errors;
  const steps = mergeSteps(rows.map((row) => JSON.parse(row.steps) as Steps));
  const mean = (key: 'total_ms' | 'queue_ms') =>
    answered === 0 ? null : rows.reduce((sum, row) => sum + row[key], 0) / answered;
  return {
    call_count: count,
    error_count: errors,
    mean_ms: mean('total_ms'),
    p50_ms: percentileMs(steps, 0.5),
    p95_ms: percentileMs(steps, 0.95),
    p99_ms: percentileMs(steps, 0.99),
    queue_ms: mean('queue_ms'),
    cpu_cores: most(rows.map((row) => row.cpu_cores)),
    memory_bytes: most(rows.map((row) => row.memory_bytes)),
    gpu_memory_bytes: most(rows.map((row) => row.gpu_memory_bytes)),
  };
}

/** Statistics by version and over time, in intervals that a plot can show. */
export function presentNumbers(name: string, hours: number, rows: readonly MinuteRow[]): ModelMetrics {
  const width = widths.find((one) => (hours * 60) / one <= mostPoints) ?? widths.at(-1)!;
  const versions = [...Map.groupBy(rows, (row) => row.version)].toSorted(([a], [b]) => b - a);
  const points = [...Map.groupBy(rows, ({ minute, version }) => `${Math.floor(minute / width)} ${version}`).values()];
  return {
    function: name,
    hours,
    step_minutes: width,
    retention_days: keptDays,
    versions: versions.map(([version, own]) => ({
      version,
      first_date: dateOf(own[0]!.minute),
      last_date: dateOf(own.at(-1)!.minute),
      max_per_minute: Math.max(...own.map((row) => row.call_count)),
      ...together(own),
    })),
    points: points.map((own) => ({
      date: dateOf(Math.floor(own[0]!.minute / width) * width),
      version: own[0]!.version,
      ...together(own),
    })),
  };
}
