import { z } from 'zod';
import { collection, operation, raw } from '../operation.ts';
import { equalTo, rqIdSchema } from '../schema/common.ts';
import * as requirement from '../schema/quality-requirements.ts';
import * as quality from '../schema/quality.ts';
import * as consensus from '../schema/consensus.ts';

const reports = collection('/api/quality/reports', quality.qualityReportSchema);
const settings = collection('/api/quality/settings', quality.qualitySettingsSchema);
const requirementPath = '/api/quality/settings/requirements';
const requirements = collection(requirementPath, requirement.requirementSchema);
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
    equalTo(
      'report_id',
      'frame',
      'type',
      'severity',
      'job_id',
      'task_id',
      'project_id',
      'by_settings',
      'by_requirements',
    ),
  ),
  // Before the settings, whose `{id}` would match `requirements`.
  listQualityRequirements: collection(requirementPath, requirement.requirementItemSchema).list(
    'Requirements of reports',
    equalTo('settings_id', 'task_id', 'project_id', 'annotation_type', 'enabled'),
  ),
  createQualityRequirement: requirements.create('Add a requirement', requirement.requirementWriteSchema),
  createQualityRequirements: operation.post(`${requirementPath}/bulk`, 'Add a hierarchy of requirements', {
    body: requirement.requirementBulkSchema,
    output: z.array(requirement.requirementSchema),
  }),
  getQualityRequirement: requirements.get('A requirement'),
  updateQualityRequirement: requirements.update('Change a requirement', requirement.requirementPatchSchema),
  replaceQualityRequirement: operation.put(`${requirementPath}/{id}`, 'Replace a requirement', {
    body: requirement.requirementItemWriteSchema,
    output: requirement.requirementSchema,
  }),
  deleteQualityRequirement: requirements.delete('Delete a requirement with those below it'),
  listQualitySettings: settings.list('Settings of reports', equalTo('task_id', 'project_id', 'parent_type', 'inherit')),
  getQualitySettings: settings.get("Settings of a task's or project's reports"),
  updateQualitySettings: settings.update('Change the settings of reports', quality.qualitySettingsPatchSchema),
  replaceQualitySettings: operation.put('/api/quality/settings/{id}', 'Replace the settings of reports', {
    body: quality.qualitySettingsPatchSchema,
    output: quality.qualitySettingsSchema,
  }),
  getQualityRequirementMatrix: operation.get(
    '/api/quality/reports/{id}/confusion/matrix',
    'Confusion matrix of a requirement in a report',
    { query: requirement.requirementMatrixQuerySchema, output: requirement.requirementMatrixSchema },
  ),
} as const;

export const qualityFileOperations = {
  getQualityMatrices: raw.bytes(
    '/api/quality/reports/{id}/confusion',
    'Confusion matrices of the requirements in a report, as a ZIP of CSV files',
    { statuses: [200] },
  ),
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
