import { z } from 'zod';
import { dateTimeSchema } from './common.ts';

/** `waiting`: the function or Docker Engine is not available; the batch continues automatically once it is. */
const batchStates = ['queued', 'running', 'waiting', 'paused', 'finished', 'failed', 'cancelled', 'undone'] as const;

export const batchSchema = z.object({
  id: z.int(),
  function: z.string(),
  state: z.enum(batchStates),
  priority: z.int(),
  /** Reason for waiting, or the result. */
  message: z.string(),
  tasks: z.array(z.int()),
  results: z.enum(['annotations', 'suggestions', 'predictions']),
  /** Prediction sets with its results, one per task, without deleted ones. */
  prediction_sets: z.array(z.object({ task: z.int(), id: z.int() })),
  frame_count: z.int(),
  done_count: z.int(),
  failed_count: z.int(),
  object_count: z.int(),
  /** The first frames and results that were left out, with the reasons. */
  problems: z.array(z.object({ file: z.string(), at: z.string(), reason: z.string() })),
  created_date: dateTimeSchema,
  started_date: dateTimeSchema.nullable(),
  finished_date: dateTimeSchema.nullable(),
});
export type Batch = z.infer<typeof batchSchema>;

export const batchWriteSchema = z.object({
  function: z.string().min(1).max(255),
  /**
   * Each target is one of: a project with all its tasks; a task or job with all its frames or a range of them; or the
   * tasks or jobs that match a filter.
   */
  targets: z
    .array(
      z.object({
        project: z.int().optional(),
        task: z.int().optional(),
        job: z.int().optional(),
        /** JSON Logic as text, as for the list of tasks. */
        tasks: z.string().min(1).max(20_000).optional(),
        /** JSON Logic as text, as for the list of jobs. Ground-truth jobs are skipped. */
        jobs: z.string().min(1).max(20_000).optional(),
        first: z.int().nonnegative().optional(),
        last: z.int().nonnegative().optional(),
      }),
    )
    .min(1)
    .max(1000),
  only_empty: z.boolean().default(false),
  only_annotated: z.boolean().default(false),
  /** Only frames with an annotation of one of these labels. */
  with_labels: z.array(z.string().max(256)).min(1).max(1000).nullable().default(null),
  /** Only frames without an annotation of any of these labels. */
  without_labels: z.array(z.string().max(256)).min(1).max(1000).nullable().default(null),
  threshold: z.number().nullable().default(null),
  mapping: z.record(z.string(), z.unknown()).nullable().default(null),
  masks_to_polygons: z.boolean().default(false),
  /**
   * For models that fill in attributes: `frame` for tags of the frame, `objects` for attributes of the objects on it.
   * Attributes of objects can only be suggested.
   */
  fill: z.enum(['frame', 'objects']).default('frame'),
  /** Batches with a higher priority run first and interrupt others. */
  priority: z.int().min(-100).max(100).default(0),
  /**
   * `predictions`: a prediction set for each task, separate from its annotations. `suggestions`: a prediction set for
   * each task, whose objects annotators accept or reject.
   */
  results: z.enum(['annotations', 'suggestions', 'predictions']).default('annotations'),
  /** Name of the prediction sets and of the suggestions; default: the name of the function. */
  name: z.string().trim().min(1).max(256).optional(),
});
export type BatchWrite = z.output<typeof batchWriteSchema>;

export const batchPatchSchema = z.object({
  state: z.enum(['queued', 'paused']).optional(),
  priority: z.int().min(-100).max(100).optional(),
});
