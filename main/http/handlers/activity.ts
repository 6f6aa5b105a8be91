import type { activityOperations } from '../../../preload/contract/operations/activity.ts';
import type { Core } from '../../core.ts';
import { invalidField } from '../../platform/errors.ts';
import type { HandlersOf } from '../handler.ts';

export function createActivityHandlers({ analytics }: Pick<Core, 'analytics'>): HandlersOf<typeof activityOperations> {
  return {
    sendEvents: ({ actor, body }) => analytics.log(actor, body),
    exportEvents({ actor, query }) {
      const { from, to, org_id: organization } = query;
      if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to)) {
        throw invalidField('from', 'The period ends before it begins.');
      }
      return analytics.startExport(actor, {
        from,
        to,
        userId: query.user_id,
        organizationId: organization === undefined || organization === '' ? undefined : Number(organization),
        projectId: query.project_id,
        taskId: query.task_id,
        jobId: query.job_id,
        fileName: query.filename === '' ? undefined : query.filename,
      });
    },
    getAnalytics: ({ actor }) => analytics.state(actor),
    updateAnalytics: ({ actor, body }) => analytics.switchTo(actor, body.enabled),
    getAnalyticsReport: ({ actor, query }) =>
      analytics.report(actor, {
        from: query.from,
        to: query.to,
        timeZone: query.time_zone,
        projectId: query.project_id,
        userId: query.user_id,
      }),
  };
}
