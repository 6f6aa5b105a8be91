import { figure } from '../statistics.ts';
import { isMeasured, type GrowthReport, type GrowthRow } from './report.ts';
import type { Figures } from './service-under-test.ts';

interface Bound {
  readonly name: string;
  readonly part: string;
  readonly operation: string;
  readonly size: number;
  readonly bound: number;
  readonly unit: 's' | 'ms' | '×';
  /** By default the time of the client. */
  readonly of?: (figures: Figures) => number;
  /** The denominator of a ratio. */
  readonly beside?: { readonly operation?: string; readonly size?: number };
}

const cpu = ({ cpuMs }: Figures) => cpuMs;
const wall = ({ wallMs }: Figures) => wallMs;
const tracks = { part: 'tracks', size: 1000, bound: 0.5, unit: 's' } as const;

/** Bytes of the body of 160,000 boxes in `PUT`. */
const putBytes = 160_000 * 205;

const bounds: readonly Bound[] = [
  { name: 'list of 3,000 labels', part: 'labels', operation: 'list of all labels', size: 3000, bound: 50, unit: 'ms' },
  {
    name: 'a track created in a task of 5,000 jobs',
    part: 'jobs',
    operation: 'create a track in the task',
    size: 5000,
    bound: 50,
    unit: 'ms',
  },
  {
    name: 'import of 100,000 shapes into 5,000 jobs, beside 1 job (CPU)',
    part: 'jobs',
    operation: 'import 100,000 shapes',
    size: 5000,
    bound: 1.3,
    unit: '×',
    of: cpu,
    beside: { size: 1 },
  },
  {
    name: 'removal after a deleted task of 800 jobs (CPU)',
    part: 'removal',
    operation: 'delete the task, until its shapes are removed',
    size: 800,
    bound: 3,
    unit: 's',
    of: cpu,
  },
  {
    name: 'removal after a deleted task of 800 jobs and 300,000 shapes (CPU)',
    part: 'large-removal',
    operation: 'delete the task, until its shapes are removed',
    size: 800,
    bound: 3,
    unit: 's',
    of: cpu,
  },
  { name: '4,000 uploads begun', part: 'uploads', operation: 'begin all uploads', size: 4000, bound: 30, unit: 's' },
  {
    name: 'opening a job in place, beside copied (CPU)',
    part: 'images',
    operation: 'open the job, in place',
    size: 64_000,
    bound: 1.3,
    unit: '×',
    of: cpu,
    beside: { operation: 'open the job, copied' },
  },
  {
    name: 'one frame deleted, in place',
    part: 'images',
    operation: 'delete one frame, in place',
    size: 64_000,
    bound: 10,
    unit: 'ms',
  },
  {
    name: 'incremental backup, one shape changed',
    part: 'backup',
    operation: 'incremental backup, one shape changed',
    size: 4000,
    bound: 2,
    unit: 's',
  },
  { name: 'Git push of one edit', part: 'git', operation: 'Git push of one edit', size: 80_000, bound: 1, unit: 's' },
  {
    name: 'Git push of one edit',
    part: 'git',
    operation: 'Git push of one edit',
    size: 1_000_000,
    bound: 5,
    unit: 's',
  },
  {
    name: 'one keyframe moved',
    part: 'keyframes',
    operation: 'move one keyframe',
    size: 100_000,
    bound: 20,
    unit: 'ms',
  },
  { name: 'progress', operation: 'progress', ...tracks },
  { name: 'statistics', operation: 'statistics', ...tracks },
  { name: 'search', operation: 'search', ...tracks },
  {
    name: 'peak memory of a PUT, beside its body',
    part: 'shapes',
    operation: 'replace the job (PUT)',
    size: 160_000,
    bound: 2,
    unit: '×',
    of: ({ peakBytes, restBytes }) => (peakBytes - restBytes) / putBytes,
  },
];

export interface BoundRow {
  readonly name: string;
  readonly size: string;
  readonly bound: string;
  /** By version. */
  readonly values: ReadonlyMap<string, string>;
}

const divisors = { s: 1000, ms: 1, '×': 1 };

function valueOf(rows: readonly GrowthRow[], bound: Bound): string | null {
  const { operation, size, of = wall, beside, unit } = bound;
  const find = (name: string, at: number) => rows.find((row) => row.operation === name && row.size === at)?.figures;
  const figures = find(operation, size);
  if (figures === undefined) return null;
  if (!isMeasured(figures)) return figures.reason;
  const other = beside ? find(beside.operation ?? operation, beside.size ?? size) : undefined;
  if (beside && (other === undefined || !isMeasured(other))) return null;
  const divisor = other && isMeasured(other) ? of(other) : divisors[unit];
  const value = `${figure(of(figures) / divisor)} ${unit}`;
  // The time of a client depends on the load of the computer.
  return of === wall ? `${value} (CPU ${figure(cpu(figures) / divisor)} ${unit})` : value;
}

/** The bounds that this report measured. */
export function boundsOf({ rows }: GrowthReport): BoundRow[] {
  const versions = [...new Set(rows.map(({ version }) => version))].toSorted();
  // Waits are compared on what all versions did.
  const done = Map.groupBy(rows, ({ part }) => part);
  const common = [...done.values()]
    .filter((own) => versions.every((one) => own.some(({ version }) => version === one)))
    .flat();
  const found = bounds.map((bound) => {
    const values = versions.flatMap((version) => {
      const own = rows.filter((row) => row.part === bound.part && row.version === version);
      const value = valueOf(own, bound);
      return value === null ? [] : [[version, value] as const];
    });
    const size = bound.size.toLocaleString('en-US');
    return { name: bound.name, size, bound: `${bound.bound} ${bound.unit}`, values: new Map(values) };
  });
  const longest = (name: string, bound: string, pick: (figures: Figures) => number): BoundRow => ({
    name,
    size: 'all',
    bound,
    values: new Map(
      versions.map((version) => {
        const all = common.flatMap((row) => (row.version === version && isMeasured(row.figures) ? [row.figures] : []));
        return [version, `${figure(Math.max(...all.map(pick)))} ms`] as const;
      }),
    ),
  });
  return [
    longest('wait of another client, p99', '50 ms', ({ waits: { p99Ms } }) => p99Ms),
    longest('wait of another client, longest', '250 ms', ({ waits: { maxMs } }) => maxMs),
    longest('CPU time of the answering thread in one wait, p99', '50 ms', ({ waits: { threadP99Ms } }) => threadP99Ms),
    longest('CPU time of the answering thread in one wait', '250 ms', ({ waits: { threadMaxMs } }) => threadMaxMs),
    ...found.filter(({ values }) => values.size > 0),
  ];
}
