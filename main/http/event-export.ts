import type { z } from 'zod';
import type { eventsQuerySchema } from '../../preload/contract/operations/activity.ts';
import type { EventExport } from '../analytics/analytics-service.ts';
import { invalidField } from '../platform/errors.ts';

/** @throws AppError 400 for a period that ends before it begins */
export function eventExport(query: z.output<typeof eventsQuerySchema>): EventExport {
  const { from, to, org_id: organization } = query;
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to)) {
    throw invalidField('from', 'The period ends before it begins.');
  }
  return {
    from,
    to,
    userId: query.user_id,
    organizationId: organization === undefined || organization === '' ? undefined : Number(organization),
    projectId: query.project_id,
    taskId: query.task_id,
    jobId: query.job_id,
    fileName: query.filename === '' ? undefined : query.filename,
  };
}
