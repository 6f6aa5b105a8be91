import { collection, operation } from '../operation.ts';
import { equalTo, rqIdSchema } from '../schema/common.ts';
import * as quality from '../schema/quality.ts';
import * as consensus from '../schema/consensus.ts';

const reports = collection('/api/quality/reports', quality.qualityReportSchema);
const settings = collection('/api/quality/settings', quality.qualitySettingsSchema);
export const qualityOperations = {
  listQualityReports: reports.list(
    'Reports of projects, tasks and their jobs',
    equalTo('task_id', 'job_id', 'project_id', 'parent_id', 'target'),
  ),
  createQualityReport: operation.post(
    '/api/quality/reports',
    'Start comparing a task, or those of a project, with the ground truth',
    {
      status: 202,
      body: quality.qualityReportRequestSchema,
      output: rqIdSchema,
    },
  ),
  getQualityReport: reports.get('A report'),
  getQualityReportData: operation.get('/api/quality/reports/{id}/data', 'Complete report, frame by frame', {
    query: quality.qualityReportDataQuerySchema,
    output: quality.qualityReportDataSchema,
  }),
  listQualityConflicts: collection('/api/quality/conflicts', quality.qualityConflictSchema).list(
    'Differences from the ground truth',
    equalTo('report_id', 'frame', 'type', 'severity', 'job_id', 'task_id', 'project_id'),
  ),
  listQualitySettings: settings.list('Settings of reports', equalTo('task_id', 'project_id', 'parent_type', 'inherit')),
  getQualitySettings: settings.get("Settings of a task's or project's reports"),
  updateQualitySettings: settings.update('Change the settings of reports', quality.qualitySettingsPatchSchema),
} as const;

const mergeSettings = collection('/api/consensus/settings', consensus.consensusSettingsSchema);
/** Jobs that several users annotate independently (replicas): merging and agreement. */
export const consensusOperations = {
  createConsensusMerge: operation.post(
    '/api/consensus/merges',
    'Start merging the replicas of a task, or of one of its jobs',
    { status: 202, body: consensus.consensusMergeRequestSchema, output: rqIdSchema },
  ),
  listConsensusSettings: mergeSettings.list('Settings of merges', equalTo('task_id')),
  getConsensusSettings: mergeSettings.get("Settings of a task's merges"),
  updateConsensusSettings: mergeSettings.update(
    'Change the settings of merges',
    consensus.consensusSettingsPatchSchema,
  ),
  getTaskAgreement: operation.get('/api/limner/tasks/{id}/agreement', 'Agreement between the annotators of replicas', {
    output: consensus.agreementSchema,
  }),
  getTaskAgreementFile: operation.get('/api/limner/tasks/{id}/agreement/file', 'Agreement as a file', {
    query: consensus.agreementFileQuerySchema,
    output: consensus.agreementFileSchema,
  }),
} as const;
