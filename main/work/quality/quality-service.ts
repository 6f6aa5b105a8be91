import type { z } from 'zod';
import type {
  qualityReportRequestSchema,
  qualitySettingsPatchSchema,
  qualitySettingsSchema,
  QualityChoices,
  QualityConflict,
  QualityReport,
  QualityReportData,
  QualitySummary,
} from '../../../preload/contract/schema/quality.ts';
import { everything, type SqlFragment } from '../../db/filters.ts';
import { parseNumber } from '../../db/json-logic.ts';
import type { Actor, Listing, ListRequest } from '../../people/access/actor.ts';
import { visibleTo } from '../../people/access/scope.ts';
import { presentUser } from '../../people/users/present.ts';
import type { Clock } from '../../platform/clock.ts';
import { invalidField, invalidRequest, notFound } from '../../platform/errors.ts';
import type { RequestService } from '../../requests/request-service.ts';
import type { JobRepository } from '../jobs/job-repository.ts';
import type { WorkAccess } from '../work-access.ts';
import type { ConflictRow, QualityRepository, ReportRow, SettingsRow } from './quality-repository.ts';
import { choicesOf } from './quality-runner.ts';

type Settings = z.output<typeof qualitySettingsSchema>;

const columns = {
  organization: 'task.organization_id',
  people: {
    owner: 'task.owner_id',
    assignee: 'task.assignee_id',
    projectOwner: 'project.owner_id',
    projectAssignee: 'project.assignee_id',
  },
};

/** Reports of how annotations compare with a ground truth, and what they go by. */
export function createQualityService(
  dependencies: {
    readonly quality: QualityRepository;
    readonly access: WorkAccess;
    readonly jobs: Pick<JobRepository, 'ofTask'>;
    readonly clock: Clock;
  },
  requests: RequestService,
) {
  const { quality, access, jobs, clock } = dependencies;

  function open(actor: Actor, id: number): ReportRow {
    const row = quality.report(id);
    if (!row) throw notFound();
    access.task(actor, row.task_id, 'view');
    return row;
  }
  function openSettings(actor: Actor, id: number, action: 'view' | 'update'): SettingsRow {
    const row = quality.settings(id);
    if (!row) throw notFound();
    access.task(actor, row.task_id, action);
    return row;
  }
  const numberIn = ({ equals }: ListRequest, field: string): number | null => {
    const text = equals[field];
    if (text === undefined || text === '') return null;
    const number = parseNumber(text);
    if (number === null) throw invalidField(field, 'Enter a number.');
    return number;
  };
  const scopeOf = (actor: Actor, narrower: SqlFragment = everything): SqlFragment => {
    const visible = visibleTo(actor, 'task', columns);
    return {
      sql: `(${visible.sql}) AND (${narrower.sql})`,
      params: [...visible.params, ...narrower.params],
    };
  };

  return {
    listReports(actor: Actor, request: ListRequest): Listing<QualityReport> {
      const { count, results } = quality.listReports(request, scopeOf(actor));
      return { count, results: results.map((row) => presentReport(row, actor.baseUrl)) };
    },
    getReport: (actor: Actor, id: number): QualityReport => presentReport(open(actor, id), actor.baseUrl),
    getData(actor: Actor, id: number): QualityReportData {
      open(actor, id);
      // Written by the runner.
      return JSON.parse(quality.data(id) ?? 'null') as QualityReportData;
    },
    start(actor: Actor, { task_id: id }: z.output<typeof qualityReportRequestSchema>): { rq_id: string } {
      if (id === undefined) throw invalidField('task_id', 'This field is required.');
      const task = access.task(actor, id, 'view', 'update');
      if (task.media_id === null) throw invalidRequest('The task has no data yet.');
      if (!jobs.ofTask(id).some(({ type }) => type === 'ground_truth')) {
        throw invalidRequest('The task has no ground truth to compare with: create its ground truth job first.');
      }
      return requests.start(actor, {
        key: { action: 'calculate', target: 'task', targetId: id, userId: actor.userId, subresource: 'quality' },
        type: 'calculate:quality',
        taskId: id,
        projectId: task.project_id,
        organizationId: task.organization_id,
        parameters: {},
      });
    },
    listConflicts(actor: Actor, request: ListRequest): Listing<QualityConflict> {
      const reportId = numberIn(request, 'report_id');
      const { report_id: _report, ...equals } = request.equals;
      if (reportId !== null) open(actor, reportId);
      const scope = scopeOf(actor, reportId === null ? everything : quality.ofReport(reportId));
      const { count, results } = quality.listConflicts({ ...request, equals }, scope);
      return { count, results: results.map(presentConflict) };
    },
    listSettings(actor: Actor, request: ListRequest): Listing<Settings> {
      const taskId = numberIn(request, 'task_id');
      if (taskId === null) quality.prepareAllSettings(clock());
      else quality.settingsOf(access.task(actor, taskId, 'view').id, clock());
      const { count, results } = quality.listSettings(request, scopeOf(actor));
      return { count, results: results.map(presentSettings) };
    },
    getSettings: (actor: Actor, id: number): Settings => presentSettings(openSettings(actor, id, 'view')),
    updateSettings(actor: Actor, id: number, body: z.output<typeof qualitySettingsPatchSchema>): Settings {
      const row = openSettings(actor, id, 'update');
      const { job_filter: _filter, max_validations_per_job: _most, inherit: _inherit, ...chosen } = body;
      // Only what was sent is there.
      quality.choose(id, { ...choicesOf(row.chosen), ...(chosen as Partial<QualityChoices>) }, clock());
      return presentSettings(openSettings(actor, id, 'view'));
    },
  };
}

function presentReport(row: ReportRow, baseUrl: string): QualityReport {
  return {
    id: row.id,
    job_id: row.job_id,
    task_id: row.task_id,
    project_id: null,
    parent_id: row.parent_id,
    target: row.job_id === null ? 'task' : 'job',
    // Written by the runner.
    summary: JSON.parse(row.summary) as QualitySummary,
    created_date: row.created_date,
    target_last_updated: row.target_last_updated,
    gt_last_updated: row.gt_last_updated,
    assignee: presentUser({ ...row }, 'assignee', baseUrl),
  };
}

const presentConflict = ({
  annotation_ids: ids,
  id,
  frame,
  type,
  report_id,
  severity,
}: ConflictRow): QualityConflict => ({
  id,
  frame,
  type,
  annotation_ids: JSON.parse(ids) as QualityConflict['annotation_ids'],
  report_id,
  severity,
});

const presentSettings = ({ id, task_id, chosen, created_date, updated_date }: SettingsRow): Settings => ({
  id,
  task_id,
  project_id: null,
  job_filter: '',
  inherit: false,
  max_validations_per_job: 0,
  ...choicesOf(chosen),
  created_date,
  updated_date,
});
