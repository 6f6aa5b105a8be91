import type { ModelNumbers } from '../../../../preload/contract/schema/model-numbers.ts';

const columns = [
  'date',
  'version',
  'call_count',
  'error_count',
  'mean_ms',
  'p50_ms',
  'p95_ms',
  'p99_ms',
  'queue_ms',
  'cpu_cores',
  'memory_bytes',
  'gpu_memory_bytes',
] as const;

/** A row for each step of time and version. Names of columns are those of the service. */
export function numbersCsv({ points }: ModelNumbers): string {
  const rows = points.map((point) => columns.map((column) => point[column] ?? '').join(','));
  return [columns.join(','), ...rows, ''].join('\r\n');
}
