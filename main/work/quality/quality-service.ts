import type { z } from 'zod';
import type {
  qualityReportRequestSchema,
  QualityConflict,
  QualityReport,
  QualityReportData,
  QualitySummary,
} from '../../../preload/contract/schema/quality.ts';
import { everything, type SqlFragment } from '../../db/filters.ts';
import type { Actor, Listing, ListRequest } from '../../users/access/actor.ts';
import { isInContext, visibleTo } from '../../users/access/scope.ts';
import { presentUser } from '../../users/accounts/present.ts';
import { invalidField, invalidRequest, orNotFound } from '../../platform/errors.ts';
import type { RequestService } from '../../background-requests/request-service.ts';
import type { ConflictRow, QualityRepository, ReportRow } from './quality-repository.ts';
import { isFinishedTruth, unfinishedTruth, type StoredReport } from './quality-rules.ts';
import type { RequirementRepository } from './requirement-repository.ts';
import { createRequirementMatrices, isComplete } from './requirement-matrices.ts';
import { noRequirements, requirementsSummary } from './requirement-results.ts';
import { confusionTable, reportData, type ReportHeader } from './report-data.ts';
import { createQualitySettings, numberIn } from './quality-settings.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';
import { taskScope } from '../tables/task-table.ts';

const columns = { ...taskScope, organization: 'COALESCE(task.organization_id, project.organization_id)' };

export function createQualityService(
  dependencies: Pick<WorkServiceDependencies, 'access' | 'jobs' | 'tasks' | 'clock' | 'labelRows'> & {
    readonly quality: QualityRepository;
    readonly requirements: RequirementRepository;
  },
  requests: RequestService,
) {
  const { quality, requirements, access, jobs, tasks, clock, labelRows } = dependencies;

  // The runner writes this JSON.
  const stored = (id: number) => JSON.parse(quality.data(id) ?? 'null') as StoredReport | QualityReportData;
  function open(actor: Actor, id: number): ReportRow {
    const row = orNotFound(quality.report(id));
    openPlace(actor, row, 'view');
    return row;
  }
  function openPlace(
    actor: Actor,
    { task_id: taskId, project_id: projectId }: Pick<ReportRow, 'task_id' | 'project_id'>,
    action: 'view' | 'update',
  ): { readonly organization_id: number | null } {
    return taskId === null ? access.project(actor, projectId ?? 0, action) : access.task(actor, taskId, action);
  }
  const scopeOf = (actor: Actor): SqlFragment => visibleTo(actor, 'task', columns);

  const openers: Readonly<Record<string, (actor: Actor, id: number) => { readonly organization_id: number | null }>> = {
    parent_id: (actor, id) => openPlace(actor, orNotFound(quality.report(id)), 'view'),
    report_id: (actor, id) => openPlace(actor, orNotFound(quality.report(id)), 'view'),
    task_id: (actor, id) => access.task(actor, id, 'view'),
    job_id: (actor, id) => access.job(actor, id, 'view'),
    project_id: (actor, id) => access.project(actor, id, 'view'),
  };
  /** Access to an object includes its reports and conflicts. 403 and 404 as for the object itself. */
  function listScope(actor: Actor, request: ListRequest): SqlFragment {
    const places = Object.keys(openers).flatMap((name) => {
      const id = numberIn(request, name);
      return id === null ? [] : [openers[name]!(actor, id)];
    });
    if (places.length === 0) return scopeOf(actor);
    const isHere = places.every(({ organization_id: id }) => isInContext(actor, id));
    return isHere ? everything : { sql: '0', params: [] };
  }

  function start(
    actor: Actor,
    target: 'task' | 'project',
    targetId: number,
    place: { readonly taskId?: number; readonly projectId: number | null; readonly organizationId: number | null },
  ): { rq_id: string } {
    return requests.start(actor, {
      key: { action: 'calculate', target, targetId, userId: actor.userId, subresource: 'quality' },
      type: 'calculate:quality',
      ...place,
      parameters: {},
    });
  }

  return {
    listReports(actor: Actor, request: ListRequest): Listing<QualityReport> {
      const { count, results } = quality.listReports(request, listScope(actor, request));
      return { count, results: results.map((row) => presentReport(row, actor.baseUrl)) };
    },
    getReport: (actor: Actor, id: number): QualityReport => presentReport(open(actor, id), actor.baseUrl),
    getData(actor: Actor, id: number): QualityReportData {
      const row = open(actor, id);
      const report = stored(id);
      const header = headerOf(row, presentUser(row, 'assignee', actor.baseUrl));
      if (!isComplete(report)) return { ...header, ...report };
      const taskOf = (jobId: number): number | undefined => row.task_id ?? jobs.get(jobId)?.task_id;
      return reportData(
        header,
        report,
        ({ obj_id: object, job_id: jobId, type }, frame) =>
          `${actor.baseUrl}/tasks/${taskOf(jobId)}/jobs/${jobId}?frame=${frame}&type=${type}&serverID=${object}`,
      );
    },
    /** The confusion matrix as CSV; empty for reports of earlier versions, which have none. */
    getTable(actor: Actor, id: number): string {
      open(actor, id);
      const report = stored(id);
      return isComplete(report) ? confusionTable(report.labels, report.counts.cells) : '';
    },
    start(actor: Actor, body: z.output<typeof qualityReportRequestSchema>): { rq_id: string } {
      const { task_id: id, project_id: projectId } = body;
      if (projectId !== undefined) {
        if (id !== undefined)
          throw invalidField(
            'project_id',
            'A report is for a task or for a project: send task_id or project_id, not both.',
          );
        const project = access.project(actor, projectId, 'view', 'update');
        return start(actor, 'project', projectId, { projectId, organizationId: project.organization_id });
      }
      if (id === undefined) throw invalidField('task_id', 'This field or project_id is required.');
      const task = access.task(actor, id, 'view', 'update');
      const { project_id: ofProject, organization_id: organizationId } = task;
      if (task.media_id === null || !jobs.ofTask(id).some(isFinishedTruth)) throw invalidRequest(unfinishedTruth);
      return start(actor, 'task', id, { taskId: id, projectId: ofProject, organizationId });
    },
    listConflicts(actor: Actor, request: ListRequest): Listing<QualityConflict> {
      const reportId = numberIn(request, 'report_id');
      const { report_id: _report, ...equals } = request.equals;
      const scope = listScope(actor, request);
      const ofReport = reportId === null ? everything : quality.ofReport(reportId);
      const isNamed = 'by_settings' in equals || 'by_requirements' in equals;
      const finders = isNamed ? equals : { ...equals, by_settings: 'true' };
      const narrowed = {
        sql: `(${scope.sql}) AND (${ofReport.sql})`,
        params: [...scope.params, ...ofReport.params],
      };
      const { count, results } = quality.listConflicts({ ...request, equals: finders }, narrowed);
      return { count, results: results.map(presentConflict) };
    },
    ...createRequirementMatrices((actor, id) => {
      open(actor, id);
      return stored(id);
    }),
    ...createQualitySettings({ quality, requirements, access, tasks, clock, labelRows, openPlace, scopeOf }),
  };
}

/** Omits ids that do not apply from a report's data. */
function headerOf(row: ReportRow, assignee: QualityReport['assignee']): ReportHeader {
  const ids = { job_id: row.job_id, task_id: row.task_id, project_id: row.place_project_id, parent_id: row.parent_id };
  return {
    id: row.id,
    ...Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null)),
    created_date: row.created_date,
    target_last_updated: row.target_last_updated,
    gt_last_updated: row.gt_last_updated ?? undefined,
    assignee:
      assignee === null
        ? null
        : {
            id: assignee.id,
            username: assignee.username,
            first_name: assignee.first_name,
            last_name: assignee.last_name,
          },
  };
}

/**
 * Parses the runner's JSON. Earlier versions wrote null if tasks or jobs do not apply, and knew no requirements.
 */
function storedSummary(text: string): QualitySummary {
  type Counts<Part extends 'tasks' | 'jobs'> = Omit<NonNullable<QualitySummary[Part]>, 'completed'> | null;
  const { tasks, jobs, ...summary } = JSON.parse(text) as Omit<
    QualitySummary,
    'tasks' | 'jobs' | 'requirements' | 'requirement_conflicts'
  > & {
    readonly requirements?: QualitySummary['requirements'];
    readonly requirement_conflicts?: QualitySummary['requirement_conflicts'];
    readonly tasks?: Counts<'tasks'>;
    readonly jobs?: Counts<'jobs'>;
  };
  const { low_overlap: low = 0, ...byType } = summary.conflicts_by_type;
  const count = summary.conflict_count - low;
  return {
    frame_count: summary.validation_frames,
    frame_share: summary.validation_frame_share,
    ...summary,
    requirements: summary.requirements ?? requirementsSummary(noRequirements),
    requirement_conflicts: summary.requirement_conflicts ?? {
      conflict_count: count,
      error_count: count,
      conflicts_by_type: byType,
    },
    tasks: tasks ? { completed: 0, ...tasks } : undefined,
    jobs: jobs ? { completed: 0, ...jobs } : undefined,
  };
}

function presentReport(row: ReportRow, baseUrl: string): QualityReport {
  return {
    id: row.id,
    job_id: row.job_id,
    task_id: row.task_id,
    project_id: row.place_project_id,
    parent_id: row.parent_id,
    target: row.project_id !== null ? 'project' : row.job_id === null ? 'task' : 'job',
    summary: storedSummary(row.summary),
    created_date: row.created_date,
    target_last_updated: row.target_last_updated,
    gt_last_updated: row.gt_last_updated,
    assignee: presentUser(row, 'assignee', baseUrl),
  };
}

const presentConflict = ({
  annotation_ids: ids,
  id,
  frame,
  type,
  report_id,
  severity,
  attribute_names: names,
}: ConflictRow): QualityConflict => ({
  id,
  frame,
  type,
  annotation_ids: JSON.parse(ids) as QualityConflict['annotation_ids'],
  report_id,
  severity,
  attribute_names: JSON.parse(names) as string[],
});
