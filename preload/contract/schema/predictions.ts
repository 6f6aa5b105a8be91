import { z } from 'zod';
import { shapeSchema, tagSchema } from './annotations.ts';
import { basicUserSchema, dateTimeSchema } from './common.ts';

const predictionSources = ['function', 'file', 'task'] as const;

const nameSchema = z.string().trim().min(1).max(256);

export const predictionSetSchema = z.object({
  id: z.int(),
  task_id: z.int(),
  name: z.string(),
  source: z.enum(predictionSources),
  /** Function and its version, name of the file, or name of the other task. */
  detail: z.string(),
  /** Format of the file; `attributes` if the objects suggest attributes of annotations; null for other sources. */
  format: z.string().nullable(),
  /** `filling`: objects are still being added, and it cannot be evaluated yet. */
  state: z.enum(['filling', 'ready']),
  /** True if annotators see its objects as suggestions, until they accept or reject them. */
  offered: z.boolean(),
  object_count: z.int(),
  owner: basicUserSchema.nullable(),
  created_date: dateTimeSchema,
  updated_date: dateTimeSchema,
});
export type PredictionSet = z.infer<typeof predictionSetSchema>;
export const predictionSetsSchema = z.object({ results: z.array(predictionSetSchema) });

/** Creates an empty set, which is filled page by page. */
export const predictionSetWriteSchema = z.object({
  name: nameSchema,
  /** Source of the predictions: a function and its version. */
  detail: z.string().trim().max(256).default(''),
  /** Offers the objects to annotators as suggestions. Such a set has no tracks and cannot be evaluated. */
  offered: z.boolean().default(false),
});
export type PredictionSetWrite = z.output<typeof predictionSetWriteSchema>;

export const predictionSetPatchSchema = z.object({
  name: nameSchema.optional(),
  /** Completes the set: no more objects can be added. */
  state: z.literal('ready').optional(),
});
export type PredictionSetPatch = z.output<typeof predictionSetPatchSchema>;

export const predictionsOfTaskSchema = z.object({
  name: nameSchema,
  /** Task whose annotations become predictions. Labels are matched by name, frames by the names of their images. */
  source_task_id: z.int().nonnegative(),
});
export type PredictionsOfTask = z.output<typeof predictionsOfTaskSchema>;

export const predictionsAddedSchema = z.object({
  added: z.int(),
  object_count: z.int(),
});

export const predictionsExportSchema = z.object({
  /** Display name of an exporter. Exporters that support scores write them. */
  format: z.string().max(256),
  save_images: z.boolean().default(false),
});
export type PredictionsExport = z.output<typeof predictionsExportSchema>;

/** `format` of a prediction set whose shapes equal annotations and suggest other attributes for them. */
export const attributeSuggestions = 'attributes';

export const suggestionsQuerySchema = z.object({ frame: z.coerce.number().int().nonnegative() });
/** Objects of offered prediction sets that no annotator has accepted or rejected, within one job. */
export const suggestionsSchema = z.object({
  /** Objects of the frame, by prediction set. Their ids are those of the prediction set. */
  results: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      /** `attributes`: each shape equals an annotation and has the attributes that are suggested for it. */
      kind: z.enum(['objects', 'attributes']),
      shapes: z.array(shapeSchema),
      tags: z.array(tagSchema),
    }),
  ),
  /** All frames with suggestions, ascending. */
  frames: z.array(z.object({ frame: z.int(), count: z.int() })),
});
export type OpenSuggestions = z.infer<typeof suggestionsSchema>;

const ids = z.array(z.int().nonnegative()).max(10_000).default([]);
/** Ids of suggestions that were accepted or rejected. Unknown ids are ignored: another window may have decided. */
export const decidedSuggestionsSchema = z.object({ shapes: ids, tags: ids });
export type DecidedSuggestions = z.output<typeof decidedSuggestionsSchema>;
