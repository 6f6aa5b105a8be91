import { z } from 'zod';
import { clientEventsSchema, clientEventsWriteSchema } from '../schema/activity.ts';
import { analyticsPatchSchema, analyticsReportSchema, analyticsStateSchema } from '../schema/analytics.ts';
import { acceptLocation, rqIdSchema } from '../schema/common.ts';
import { operation } from '../operation.ts';

const id = z.coerce.number().int().nonnegative().optional();
const moment = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .optional();

export const eventsQuerySchema = z.object({
  from: moment,
  to: moment,
  org_id: z.string().optional(),
  user_id: id,
  project_id: id,
  task_id: id,
  job_id: id,
  filename: z.string().optional(),
  ...acceptLocation,
});

export const activityOperations = {
  sendEvents: operation.post('/api/events', 'Log user actions', {
    body: clientEventsWriteSchema,
    output: clientEventsSchema,
  }),
  exportEvents: operation.post('/api/events/export', 'Start the export of logged events as CSV', {
    status: 202,
    query: eventsQuerySchema,
    output: rqIdSchema,
  }),
  getAnalytics: operation.get('/api/limner/analytics', 'State of analytics', {
    output: analyticsStateSchema,
  }),
  updateAnalytics: operation.patch('/api/limner/analytics', 'Switch analytics on, or off and delete all events', {
    body: analyticsPatchSchema,
    output: analyticsStateSchema,
  }),
  getAnalyticsReport: operation.get('/api/limner/analytics/report', 'Report for a period', {
    query: z.object({
      /** Inclusive days of the time zone. Default: the last 30 days. */
      from: z.iso.date().optional(),
      to: z.iso.date().optional(),
      time_zone: z.string().max(64).optional(),
      project_id: id,
      user_id: id,
    }),
    output: analyticsReportSchema,
  }),
} as const;
