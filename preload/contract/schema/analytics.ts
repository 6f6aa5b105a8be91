import { z } from 'zod';

export const analyticsStateSchema = z.object({
  enabled: z.boolean(),
  can_change: z.boolean(),
  /** True if the caller sees all users' events, false if only their own. */
  can_see_all: z.boolean(),
  events: z.int(),
  first_date: z.iso.datetime().nullable(),
  last_date: z.iso.datetime().nullable(),
  size_bytes: z.int(),
  /** Limits: at the end of a day, events that exceed one of them are deleted, oldest first. */
  retention_days: z.int(),
  max_bytes: z.int(),
  /** Events lost since the program started, because of disk errors or too many at once. */
  dropped: z.int(),
});
export type AnalyticsState = z.infer<typeof analyticsStateSchema>;

export const analyticsPatchSchema = z.object({
  enabled: z.boolean(),
  delete_events: z.boolean().optional(),
});

const named = z.object({ id: z.int().nullable(), name: z.string() });
const day = z.iso.date();

/** Numbers of the analytics page for a period. Days and hours are in `time_zone`. */
export const analyticsReportSchema = z.object({
  from: day,
  to: day,
  time_zone: z.string(),
  totals: z.object({
    working_ms: z.int(),
    objects: z.int(),
    /** Objects created by models, with or without a user's help. */
    objects_by_models: z.int(),
    /** Objects drawn by hand in the workspace, and the time this took. */
    drawn: z.int(),
    drawing_ms: z.int(),
    errors: z.int(),
  }),
  working_time: z.object({
    by_user: z.array(named.extend({ ms: z.int() })),
    by_project: z.array(named.extend({ ms: z.int() })),
    by_day: z.array(z.object({ day, ms: z.int() })),
  }),
  objects: z.object({
    by_day: z.array(z.object({ day, kind: z.string(), count: z.int() })),
    /** `weekday` 1 is Monday. */
    by_hour: z.array(z.object({ weekday: z.int(), hour: z.int(), count: z.int() })),
    by_kind: z.array(z.object({ kind: z.string(), count: z.int() })),
    by_label: z.array(named.extend({ count: z.int() })),
    by_source: z.array(z.object({ source: z.string(), count: z.int() })),
    by_user: z.array(named.extend({ count: z.int() })),
  }),
  tools: z.array(z.object({ tool: z.string(), objects: z.int(), ms: z.int() })),
  speed_by_day: z.array(z.object({ day, objects: z.int(), ms: z.int() })),
  /** Null if the caller sees only their own work, or asked for one user. */
  progress: z
    .object({
      jobs: z.int(),
      completed: z.int(),
      /** Jobs completed on the day, minus reopened ones. */
      by_day: z.array(z.object({ day, completed: z.int() })),
      /** Null if no job was completed recently. */
      forecast: z.object({ jobs_per_day: z.number(), end: day, earliest: day, latest: day }).nullable(),
    })
    .nullable(),
  requests: z.array(z.object({ type: z.string(), finished: z.int(), failed: z.int() })),
  calls: z.array(z.object({ function: z.string(), good: z.int(), failed: z.int(), ms: z.int() })),
  errors: z.array(z.object({ source: z.string(), count: z.int() })),
});
export type AnalyticsReport = z.infer<typeof analyticsReportSchema>;
