import { z } from 'zod';
import { dateTimeSchema } from './common.ts';

/** Deployment of a function: the active one or an earlier one. */
export const modelVersionSchema = z.object({
  version: z.int(),
  is_current: z.boolean(),
  way: z.enum(['image', 'handler', 'build']).nullable(),
  image: z.string().nullable(),
  directory: z.string().nullable(),
  runtime: z.string(),
  created_date: dateTimeSchema,
});
export const modelVersionsSchema = z.object({
  /** Newest first. */
  versions: z.array(modelVersionSchema),
  /** Number of versions that are kept; the next deployment deletes older ones. */
  max_count: z.int(),
});
export type ModelVersions = z.infer<typeof modelVersionsSchema>;

export const versionChangesQuerySchema = z.object({
  /** Version to compare with; default: the previous one. */
  since: z.coerce.number().int().positive().optional(),
});

const lineChangeSchema = z.object({
  kind: z.enum(['same', 'added', 'removed', 'skipped']),
  /** With `skipped`: the number of unchanged lines. */
  text: z.string(),
});

export const versionChangesSchema = z.object({
  since: z.int(),
  version: z.int(),
  /** Environment variables with different values. The values are not included. */
  variables: z.array(z.string()),
  /** True if the files of both versions are known. */
  knows_files: z.boolean(),
  files: z.array(
    z.object({
      /** `function.yaml` for the configuration. */
      path: z.string(),
      change: z.enum(['added', 'removed', 'changed']),
      /** Null for files that are binary or too long. */
      lines: z.array(lineChangeSchema).nullable(),
    }),
  ),
});
export type VersionChanges = z.infer<typeof versionChangesSchema>;

export const rollBackSchema = z.object({ version: z.int().positive() });
