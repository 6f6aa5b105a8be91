import { z } from 'zod';
import { dateTimeSchema } from './common.ts';

/** Times in milliseconds of successful calls; null without calls, or if the container was not measured. */
const togetherShape = {
  call_count: z.int(),
  /** Calls without an answer, and answers with an error. */
  error_count: z.int(),
  mean_ms: z.number().nullable(),
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  p99_ms: z.number().nullable(),
  /** Mean time until a call reached the function, for example during a start or in the queue. */
  queue_ms: z.number().nullable(),
  /** Maximum use of its container. */
  cpu_cores: z.number().nullable(),
  memory_bytes: z.int().nullable(),
  /** Total of all its GPUs; null if the driver does not report the memory of its processes. */
  gpu_memory_bytes: z.int().nullable(),
};

export const modelMetricsSchema = z.object({
  function: z.string(),
  hours: z.int(),
  step_minutes: z.int(),
  /** Days for which numbers are kept. */
  retention_days: z.int(),
  /** Newest first. */
  versions: z.array(
    z.object({
      version: z.int(),
      first_date: dateTimeSchema,
      last_date: dateTimeSchema,
      max_per_minute: z.int(),
      ...togetherShape,
    }),
  ),
  points: z.array(z.object({ date: dateTimeSchema, version: z.int(), ...togetherShape })),
});
export type ModelMetrics = z.infer<typeof modelMetricsSchema>;

export const modelMetricsQuerySchema = z.object({ hours: z.coerce.number().int().min(1).max(720).default(24) });
