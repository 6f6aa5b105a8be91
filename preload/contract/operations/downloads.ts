import { z } from 'zod';
import { raw, text } from '../operation.ts';
import { startedEventsSchema } from '../schema/activity.ts';

const download = <const Path extends string>(path: Path) =>
  raw.bytes(path, 'Download the result of an export', {
    query: z.object({ rq_id: text('Id of the finished request', { required: true }) }),
  });

/** Clients from before 2024 exported by GET. The answer is the same for any id. */
const removed = <const Path extends string>(path: Path) =>
  raw.bytes(path, 'Removed', { params: z.object({ id: z.string() }), statuses: [410], hidden: true });

const asExport = text('As in POST /api/events/export');

export const downloadOperations = {
  downloadProjectDataset: download('/api/projects/{id}/dataset/download'),
  downloadTaskDataset: download('/api/tasks/{id}/dataset/download'),
  downloadJobDataset: download('/api/jobs/{id}/dataset/download'),
  downloadProjectBackup: download('/api/projects/{id}/backup/download'),
  downloadTaskBackup: download('/api/tasks/{id}/backup/download'),
  downloadEvents: download('/api/events/download'),
  /**
   * CVAT's older export of events. The first request starts an export and answers its id. Requests with that id answer
   * 202 until the file exists, then 201, and the file with `action=download`.
   */
  getEvents: raw.bytes('/api/events', 'Events as CSV (deprecated: POST /api/events/export)', {
    statuses: [200, 201, 202],
    outputs: { 201: startedEventsSchema, 202: startedEventsSchema },
    query: z.object({
      query_id: text('Id of the started export; without it a new one starts'),
      action: text('Download the finished file', { values: ['download'] }),
      from: asExport,
      to: asExport,
      org_id: asExport,
      user_id: asExport,
      project_id: asExport,
      task_id: asExport,
      job_id: asExport,
      filename: asExport,
    }),
  }),
  removedProjectExport: removed('/api/projects/{id}/dataset/'),
  removedTaskExport: removed('/api/tasks/{id}/dataset/'),
  removedJobExport: removed('/api/jobs/{id}/dataset/'),
  removedProjectBackup: removed('/api/projects/{id}/backup'),
  removedTaskBackup: removed('/api/tasks/{id}/backup'),
} as const;
