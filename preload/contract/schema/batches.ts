import { z } from 'zod';
import { dateTimeSchema } from './common.ts';

/** `waiting`: the function or its Engine is away; it goes on by itself when that is back. */
const batchStates = ['queued', 'running', 'waiting', 'paused', 'finished', 'failed', 'cancelled', 'undone'] as const;

export const batchSchema = z.object({
  id: z.int(),
  function: z.string(),
  state: z.enum(batchStates),
  priority: z.int(),
  /** What it waits for, or how it ended. */
  message: z.string(),
  tasks: z.array(z.int()),
  frame_count: z.int(),
  done_count: z.int(),
  failed_count: z.int(),
  object_count: z.int(),
  /** The first frames and results that were left out, and why. */
  problems: z.array(z.object({ file: z.string(), at: z.string(), reason: z.string() })),
  created_date: dateTimeSchema,
  started_date: dateTimeSchema.nullable(),
  finished_date: dateTimeSchema.nullable(),
});
export type Batch = z.infer<typeof batchSchema>;

export const batchWriteSchema = z.object({
  function: z.string().min(1).max(255),
  /** Tasks or jobs, each with all of its frames or a range of them. */
  targets: z
    .array(
      z.object({
        task: z.int().optional(),
        job: z.int().optional(),
        first: z.int().nonnegative().optional(),
        last: z.int().nonnegative().optional(),
      }),
    )
    .min(1)
    .max(1000),
  /** Only frames that carry no annotation yet. */
  only_empty: z.boolean().default(false),
  threshold: z.number().nullable().default(null),
  mapping: z.record(z.string(), z.unknown()).nullable().default(null),
  masks_to_polygons: z.boolean().default(false),
  /** Those with a higher one go first, and others step aside for them. */
  priority: z.int().min(-100).max(100).default(0),
  results: z.enum(['annotations', 'suggestions', 'predictions']).default('annotations'),
});
export type BatchWrite = z.output<typeof batchWriteSchema>;

export const batchPatchSchema = z.object({
  state: z.enum(['queued', 'paused']).optional(),
  priority: z.int().min(-100).max(100).optional(),
});
