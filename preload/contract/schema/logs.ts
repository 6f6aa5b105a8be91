import { z } from 'zod';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export const logLevelSchema = z.enum(logLevels);
export type LogLevelName = z.infer<typeof logLevelSchema>;

export const logQuerySchema = z.object({
  level: logLevelSchema.default('debug'),
  /** Part of the line, case-insensitive: text, or the id of a request. */
  search: z.string().trim().max(200).default(''),
  limit: z.coerce.number().int().min(1).max(2000).default(200),
});
export type LogQuery = z.output<typeof logQuerySchema>;

export const logLineSchema = z.object({
  time: z.string(),
  level: logLevelSchema,
  message: z.string(),
  /** Id in the `X-Request-Id` header of the answer, if the line is about a request. */
  request: z.string().nullable(),
  /** Further fields, with secrets masked. */
  fields: z.record(z.string(), z.unknown()),
});
export type LogLine = z.infer<typeof logLineSchema>;
export const logSchema = z.object({
  /** Newest first. */
  results: z.array(logLineSchema),
  more: z.boolean(),
});
export type Log = z.infer<typeof logSchema>;

/** Contents of a diagnostic report. Limner does not send it anywhere. */
export const reportSchema = z.object({
  entries: z.array(
    z.object({
      name: z.string(),
      bytes: z.int(),
      text: z.string().nullable(),
    }),
  ),
});
export type Report = z.infer<typeof reportSchema>;
