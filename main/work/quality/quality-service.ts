import type { z } from 'zod';
import type {
  qualityReportRequestSchema,
  QualityConflict,
  QualityReport,
  QualityReportData,
  QualitySummary,
} from '../../../preload/contract/schema/quality.ts';
import { everything, type SqlFragment } from '../../db/filters.ts';
import type { Actor, Listing, ListRequest } from '../../people/access/actor.ts';
import { visibleTo } from '../../people/access/scope.ts';
import { presentUser } from '../../people/users/present.ts';
import { invalidField, invalidRequest, orNotFound } from '../../platform/errors.ts';
import type { RequestService } from '../../requests/request-service.ts';
import type { ConflictRow, QualityRepository, ReportRow } from './quality-repository.ts';
import { stateInProject } from './quality-rules.ts';
import { createQualitySettings, numberIn } from './quality-settings.ts';
import type { WorkParts } from '../work-parts.ts';
import { taskScope } from '../tables/task-table.ts';

const columns = { ...taskScope, organization: 'COALESCE(task.organization_id, project.organization_id)' };

/** Reports of how annotations compare with a ground truth, and what they go by. */
export function createQualityService(
  dependencies: Pick<WorkParts, 'access' | 'jobs' | 'tasks' | 'clock'> & {
    readonly quality: QualityRepository;
  },
  requests: RequestService,
) {
  const { quality, access, jobs, tasks, clock } = dependencies;

  function open(actor: Actor, id: number): ReportRow {
    const row = orNotFound(quality.report(id));
    openPlace(actor, row, 'view');
    return row;
  }
  function openPlace(
    actor: Actor,
    { task_id: taskId, project_id: projectId }: Pick<ReportRow, 'task_id' | 'project_id'>,
    action: 'view' | 'update',
  ): { readonly project_id: number | null } {
    if (taskId !== null) return access.task(actor, taskId, action);
    access.project(actor, projectId ?? 0, action);
    return { project_id: null };
  }
  function startProject(actor: Actor, projectId: number): { rq_id: string } {
    const project = access.project(actor, projectId, 'view', 'update');
    const all = tasks.idsOfProject(projectId).flatMap((id) => tasks.get(id) ?? []);
    const states = all.map((task) => stateInProject(task, { quality, jobs, now: clock() }));
    if (!states.includes('included')) {
      throw invalidRequest(
        states.includes('custom')
          ? 'All tasks of the project that have a ground truth go by settings of their own: compare them one by one.'
          : 'No task of the project has a ground truth to compare with: create their ground truth jobs first.',
      );
    }
    return requests.start(actor, {
      key: {
        action: 'calculate',
        target: 'project',
        targetId: projectId,
        userId: actor.userId,
        subresource: 'quality',
      },
      type: 'calculate:quality',
      projectId,
      organizationId: project.organization_id,
      parameters: {},
    });
  }
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
    start(actor: Actor, body: z.output<typeof qualityReportRequestSchema>): { rq_id: string } {
      const { task_id: id, project_id: projectId } = body;
      if (projectId !== undefined) {
        if (id !== undefined) throw invalidField('project_id', 'A report is of a task, or of a project, not of both.');
        return startProject(actor, projectId);
      }
      if (id === undefined) throw invalidField('task_id', 'This field is required, or project_id.');
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
    ...createQualitySettings({ ...dependencies, openPlace, scopeOf }),
  };
}

type StoredSummary = Omit<QualitySummary, 'tasks'> & Partial<Pick<QualitySummary, 'tasks'>>;

function presentReport(row: ReportRow, baseUrl: string): QualityReport {
  return {
    id: row.id,
    job_id: row.job_id,
    task_id: row.task_id,
    project_id: row.project_id,
    parent_id: row.parent_id,
    target: row.project_id !== null ? 'project' : row.job_id === null ? 'task' : 'job',
    // Written by the runner; before there were reports of projects, without their tasks.
    summary: { tasks: null, ...(JSON.parse(row.summary) as StoredSummary) },
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
}: ConflictRow): QualityConflict => ({
  id,
  frame,
  type,
  annotation_ids: JSON.parse(ids) as QualityConflict['annotation_ids'],
  report_id,
  severity,
});
