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
  /** What its results become. */
  results: z.enum(['annotations', 'predictions']),
  /** Those that its results go into, one for each task; without those that were deleted. */
  prediction_sets: z.array(z.object({ task: z.int(), id: z.int() })),
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
  /**
   * Each is one thing: a project with all of its tasks; a task or a job, with all of its frames or a range of them; or
   * what the list of tasks, or of jobs, shows by a filter.
   */
  targets: z
    .array(
      z.object({
        project: z.int().optional(),
        task: z.int().optional(),
        job: z.int().optional(),
        /** JSON Logic as text, as the list of tasks takes it. */
        tasks: z.string().min(1).max(20_000).optional(),
        /** JSON Logic as text, as the list of jobs takes it. Ground-truth jobs are left alone. */
        jobs: z.string().min(1).max(20_000).optional(),
        first: z.int().nonnegative().optional(),
        last: z.int().nonnegative().optional(),
      }),
    )
    .min(1)
    .max(1000),
  /** Only frames that carry no annotation yet. */
  only_empty: z.boolean().default(false),
  /** Only frames that carry an annotation already. */
  only_annotated: z.boolean().default(false),
  /** Only frames with an annotation of one of these labels. */
  with_labels: z.array(z.string().max(256)).min(1).max(1000).nullable().default(null),
  /** Only frames without an annotation of any of these labels. */
  without_labels: z.array(z.string().max(256)).min(1).max(1000).nullable().default(null),
  threshold: z.number().nullable().default(null),
  mapping: z.record(z.string(), z.unknown()).nullable().default(null),
  masks_to_polygons: z.boolean().default(false),
  /** Those with a higher one go first, and others step aside for them. */
  priority: z.int().min(-100).max(100).default(0),
  /** `predictions`: a set beside the annotations of each task. Suggestions are refused: they are of a window. */
  results: z.enum(['annotations', 'suggestions', 'predictions']).default('annotations'),
  /** Of the prediction sets; by default that of the function. */
  name: z.string().trim().min(1).max(256).optional(),
});
export type BatchWrite = z.output<typeof batchWriteSchema>;

export const batchPatchSchema = z.object({
  state: z.enum(['queued', 'paused']).optional(),
  priority: z.int().min(-100).max(100).optional(),
});
