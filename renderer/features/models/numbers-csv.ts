import type { ModelMetrics } from '../../../preload/contract/schema/model-metrics.ts';
import { csvOf } from '../../shared/files/save-file.ts';

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

/** A row per time step and version. Column names are the service's. */
export const numbersCsv = ({ points }: ModelMetrics): string => csvOf(columns, points);
