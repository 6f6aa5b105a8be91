import { z } from 'zod';
import { dateTimeSchema } from './common.ts';

/** A deployment of a function that is kept beside the one that answers. */
export const modelVersionSchema = z.object({
  version: z.int(),
  /** Whether it is the one that answers. */
  is_current: z.boolean(),
  way: z.enum(['image', 'handler', 'build']).nullable(),
  /** What it was made of: the image, or the base image below its handler. */
  image: z.string().nullable(),
  directory: z.string().nullable(),
  runtime: z.string(),
  created_date: dateTimeSchema,
});
export const modelVersionsSchema = z.object({
  /** The newest first. */
  versions: z.array(modelVersionSchema),
  /** How many are kept; the oldest others go with the next deployment. */
  kept_count: z.int(),
});
export type ModelVersions = z.infer<typeof modelVersionsSchema>;

export const versionChangesQuerySchema = z.object({
  /** The version that is compared with; without it the one before. */
  since: z.coerce.number().int().positive().optional(),
});

const lineChangeSchema = z.object({
  kind: z.enum(['same', 'added', 'removed', 'skipped']),
  /** Of `skipped` how many lines are the same. */
  text: z.string(),
});

export const versionChangesSchema = z.object({
  since: z.int(),
  version: z.int(),
  /** Variables of the environment with another value; the values are not answered. */
  variables: z.array(z.string()),
  /** Whether the files of both are known. */
  knows_files: z.boolean(),
  files: z.array(
    z.object({
      /** Of the configuration: `function.yaml`. */
      path: z.string(),
      change: z.enum(['added', 'removed', 'changed']),
      /** Null for what is no text, or too long. */
      lines: z.array(lineChangeSchema).nullable(),
    }),
  ),
});
export type VersionChanges = z.infer<typeof versionChangesSchema>;

export const rollBackSchema = z.object({ version: z.int().positive() });
