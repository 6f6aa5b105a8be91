import { z } from 'zod';
import { dateTimeSchema } from './common.ts';

/** Times in milliseconds, of calls that were answered well; null where nobody called, or where a container was not seen. */
const togetherShape = {
  call_count: z.int(),
  /** Calls without an answer, and answers that say that something failed. */
  error_count: z.int(),
  mean_ms: z.number().nullable(),
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  p99_ms: z.number().nullable(),
  /** On average, until the function was sent what it was called with: a start, a place in line. */
  queue_ms: z.number().nullable(),
  /** The most that its container was seen to use. */
  cpu_cores: z.number().nullable(),
  memory_bytes: z.int().nullable(),
  /** Of all its graphics cards; null where the driver did not say what its processes hold, too. */
  gpu_memory_bytes: z.int().nullable(),
};

export const modelNumbersSchema = z.object({
  function: z.string(),
  hours: z.int(),
  /** How many minutes a point stands for. */
  step_minutes: z.int(),
  /** For how long numbers are kept. */
  kept_days: z.int(),
  /** The newest first. */
  versions: z.array(
    z.object({
      version: z.int(),
      first_date: dateTimeSchema,
      last_date: dateTimeSchema,
      most_per_minute: z.int(),
      ...togetherShape,
    }),
  ),
  points: z.array(z.object({ date: dateTimeSchema, version: z.int(), ...togetherShape })),
});
export type ModelNumbers = z.infer<typeof modelNumbersSchema>;

export const modelNumbersQuerySchema = z.object({ hours: z.coerce.number().int().min(1).max(720).default(24) });
