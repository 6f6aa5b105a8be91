import { z } from 'zod';
import { clientEventsSchema, clientEventsWriteSchema } from '../schema/activity.ts';
import { acceptLocation, rqIdSchema } from '../schema/common.ts';
import { operation } from '../operation.ts';

const id = z.coerce.number().int().nonnegative().optional();
const moment = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .optional();

export const activityOperations = {
  sendEvents: operation.post('/api/events', 'Log what a person did', {
    body: clientEventsWriteSchema,
    output: clientEventsSchema,
  }),
  exportEvents: operation.post('/api/events/export', 'Start the export of logged events as CSV', {
    status: 202,
    query: z.object({
      from: moment,
      to: moment,
      org_id: z.string().optional(),
      user_id: id,
      project_id: id,
      task_id: id,
      job_id: id,
      filename: z.string().optional(),
      ...acceptLocation,
    }),
    output: rqIdSchema,
  }),
} as const;
