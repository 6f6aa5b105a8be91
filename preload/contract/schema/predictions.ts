import { z } from 'zod';
import { basicUserSchema, dateTimeSchema } from './common.ts';

const predictionSources = ['function', 'file', 'task'] as const;

const nameSchema = z.string().trim().min(1).max(256);

export const predictionSetSchema = z.object({
  id: z.int(),
  task_id: z.int(),
  name: z.string(),
  source: z.enum(predictionSources),
  /** The function with its version, the name of the file, or that of the other task. */
  detail: z.string(),
  /** Of a file: the format that it was read as. */
  format: z.string().nullable(),
  /** `filling`: objects still arrive, and it is not evaluated. */
  state: z.enum(['filling', 'ready']),
  object_count: z.int(),
  owner: basicUserSchema.nullable(),
  created_date: dateTimeSchema,
  updated_date: dateTimeSchema,
});
export type PredictionSet = z.infer<typeof predictionSetSchema>;
export const predictionSetsSchema = z.object({ results: z.array(predictionSetSchema) });

/** An empty set, to be filled page by page. */
export const predictionSetWriteSchema = z.object({
  name: nameSchema,
  /** What made them: a function and its version. */
  detail: z.string().trim().max(256).default(''),
});
export type PredictionSetWrite = z.output<typeof predictionSetWriteSchema>;

export const predictionSetPatchSchema = z.object({
  name: nameSchema.optional(),
  /** The set is whole: nothing is added any more. */
  state: z.literal('ready').optional(),
});
export type PredictionSetPatch = z.output<typeof predictionSetPatchSchema>;

export const predictionsOfTaskSchema = z.object({
  name: nameSchema,
  /** Whose annotations become predictions: labels are found by their names, frames by the names of their images. */
  source_task_id: z.int().nonnegative(),
});
export type PredictionsOfTask = z.output<typeof predictionsOfTaskSchema>;

export const predictionsAddedSchema = z.object({
  /** Objects of this page. */
  added: z.int(),
  object_count: z.int(),
});

export const predictionsExportSchema = z.object({
  /** Display name of an exporter; those that carry scores write them. */
  format: z.string().max(256),
  save_images: z.boolean().default(false),
});
export type PredictionsExport = z.output<typeof predictionsExportSchema>;
