import { collection, operation } from '../operation.ts';
import { equalTo, listQuery, rqIdSchema } from '../schema/common.ts';
import * as quality from '../schema/quality.ts';

const settings = collection('/api/quality/settings', quality.qualitySettingsSchema);
/** How annotations compare with a ground truth. */
export const qualityOperations = {
  listQualityReports: operation.get('/api/quality/reports', 'Reports of projects, tasks and their jobs', {
    query: listQuery(equalTo('task_id', 'job_id', 'project_id', 'parent_id', 'target')),
    output: quality.qualityReportPageSchema,
  }),
  createQualityReport: operation.post(
    '/api/quality/reports',
    'Start comparing a task, or those of a project, with the ground truth',
    {
      status: 202,
      body: quality.qualityReportRequestSchema,
      output: rqIdSchema,
    },
  ),
  getQualityReport: operation.get('/api/quality/reports/{id}', 'A report', { output: quality.qualityReportSchema }),
  getQualityReportData: operation.get('/api/quality/reports/{id}/data', 'All that a report knows, frame by frame', {
    output: quality.qualityReportDataSchema,
  }),
  listQualityConflicts: operation.get('/api/quality/conflicts', 'What differs from the ground truth', {
    query: listQuery(equalTo('report_id', 'frame', 'type', 'severity', 'job_id', 'task_id', 'project_id')),
    output: quality.qualityConflictPageSchema,
  }),
  listQualitySettings: operation.get('/api/quality/settings', 'What comparisons go by', {
    query: listQuery(equalTo('task_id', 'project_id', 'parent_type', 'inherit')),
    output: quality.qualitySettingsPageSchema,
  }),
  getQualitySettings: settings.get('What the comparisons of a task or a project go by'),
  updateQualitySettings: settings.update('Change what comparisons go by', quality.qualitySettingsPatchSchema),
} as const;
