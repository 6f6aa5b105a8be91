import { z } from 'zod';

/** Whether events are kept, and what is kept of them. */
export const analyticsStateSchema = z.object({
  enabled: z.boolean(),
  /** Whether the caller may switch it. */
  may_switch: z.boolean(),
  /** Of the caller: everybody's events are counted, or only their own. */
  sees_all: z.boolean(),
  events: z.int(),
  /** Of the first and the last one. */
  first_date: z.iso.datetime().nullable(),
  last_date: z.iso.datetime().nullable(),
  size_bytes: z.int(),
  /** Older events go, the oldest first, once a day is over and one of these is passed. */
  kept_days: z.int(),
  max_bytes: z.int(),
  /** Events that could not be kept since the program began: the disk refused them, or they came too fast. */
  dropped: z.int(),
});
export type AnalyticsState = z.infer<typeof analyticsStateSchema>;

export const analyticsPatchSchema = z.object({
  enabled: z.boolean(),
  /** Confirms that switching off deletes every event. */
  delete_events: z.boolean().optional(),
});

const named = z.object({ id: z.int().nullable(), name: z.string() });
const day = z.iso.date();

/** All numbers of the analytics page, from the events of a period. Days and hours are those of `time_zone`. */
export const analyticsReportSchema = z.object({
  from: day,
  to: day,
  time_zone: z.string(),
  totals: z.object({
    working_ms: z.int(),
    /** Objects made. */
    objects: z.int(),
    /** Of these, by models, with a person's help or without. */
    objects_by_models: z.int(),
    /** Objects that were drawn by hand in the window, and how long that took. */
    drawn: z.int(),
    drawing_ms: z.int(),
    errors: z.int(),
  }),
  working_time: z.object({
    by_person: z.array(named.extend({ ms: z.int() })),
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
    by_person: z.array(named.extend({ count: z.int() })),
  }),
  /** What was drawn in the window, by the tool that drew it. */
  tools: z.array(z.object({ tool: z.string(), objects: z.int(), ms: z.int() })),
  speed_by_day: z.array(z.object({ day, objects: z.int(), ms: z.int() })),
  /** Null: the caller does not see everybody's work, or asked for one person. */
  progress: z
    .object({
      jobs: z.int(),
      completed: z.int(),
      /** Jobs that were completed on the day, less those that were opened again. */
      by_day: z.array(z.object({ day, completed: z.int() })),
      /** Null: nothing was completed in the last days, so that nothing can be said. */
      forecast: z.object({ jobs_per_day: z.number(), end: day, earliest: day, latest: day }).nullable(),
    })
    .nullable(),
  requests: z.array(z.object({ type: z.string(), finished: z.int(), failed: z.int() })),
  calls: z.array(z.object({ function: z.string(), good: z.int(), failed: z.int(), ms: z.int() })),
  errors: z.array(z.object({ source: z.string(), count: z.int() })),
});
export type AnalyticsReport = z.infer<typeof analyticsReportSchema>;
