import { z } from 'zod';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export const logLevelSchema = z.enum(logLevels);
export type LogLevelName = z.infer<typeof logLevelSchema>;

export const logQuerySchema = z.object({
  /** This one and the graver ones. */
  level: logLevelSchema.default('debug'),
  /** A part of the line, in any case of letters: words of it, or the id of a request. */
  search: z.string().trim().max(200).default(''),
  limit: z.coerce.number().int().min(1).max(2000).default(200),
});
export type LogQuery = z.output<typeof logQuerySchema>;

export const logLineSchema = z.object({
  time: z.string(),
  level: logLevelSchema,
  message: z.string(),
  /** The id that the answer to the request carried as `X-Request-Id`, where the line is about one. */
  request: z.string().nullable(),
  /** What else was written, secrets masked. */
  fields: z.record(z.string(), z.unknown()),
});
export type LogLine = z.infer<typeof logLineSchema>;
export const logSchema = z.object({
  /** The newest first. */
  results: z.array(logLineSchema),
  /** There are older ones. */
  more: z.boolean(),
});
export type Log = z.infer<typeof logSchema>;

/** What a report packs; nothing of it is sent anywhere. */
export const reportSchema = z.object({
  entries: z.array(
    z.object({
      name: z.string(),
      bytes: z.int(),
      /** Of small ones. */
      text: z.string().nullable(),
    }),
  ),
});
export type Report = z.infer<typeof reportSchema>;
