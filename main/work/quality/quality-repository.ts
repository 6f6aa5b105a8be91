import type { QualityChoices } from '../../../preload/contract/schema/quality.ts';
import {
  columnFields,
  equalFields,
  type ListDefinition,
  type ListRequest,
  type SqlFragment,
} from '../../db/filters.ts';
import { listRows } from '../../db/list-rows.ts';
import type { Store } from '../../db/store.ts';
import { userColumns } from '../../users/accounts/present.ts';
import type { FoundConflict } from './found-conflict.ts';
import type { StoredConflict } from './requirement-results.ts';
import { summaryOf, type StoredReport } from './quality-rules.ts';

export interface ReportRow {
  readonly id: number;
  readonly parent_id: number | null;
  /** Null for a report of a project, `project_id` for all others. */
  readonly task_id: number | null;
  readonly project_id: number | null;
  readonly place_project_id: number | null;
  readonly job_id: number | null;
  readonly created_date: string;
  readonly target_last_updated: string;
  readonly gt_last_updated: string | null;
  readonly summary: string;
}

export interface NewReport {
  readonly parentId: number | null;
  readonly taskId: number | null;
  readonly projectId: number | null;
  readonly jobId: number | null;
  readonly targetDate: string;
  readonly truthDate: string | null;
  readonly assigneeId: number | null;
  readonly report: StoredReport;
  readonly conflicts: readonly StoredConflict[];
}

export interface SettingsRow {
  readonly id: number;
  readonly task_id: number | null;
  readonly project_id: number | null;
  readonly inherit: 0 | 1;
  readonly chosen: string;
  readonly created_date: string;
  readonly updated_date: string;
}

export interface ConflictRow extends Omit<FoundConflict, 'annotation_ids' | 'attribute_names'> {
  readonly id: number;
  readonly report_id: number;
  readonly annotation_ids: string;
  readonly attribute_names: string;
}

const places = `LEFT JOIN task ON task.id = report.task_id
  LEFT JOIN project ON project.id = COALESCE(report.project_id, task.project_id)`;
const ofProject = { sql: 'project.id', type: 'number', equality: true } as const;
const reportSelect = `report.id, report.parent_id, report.task_id, report.project_id, report.job_id,
  project.id AS place_project_id, report.created_date,
  report.target_last_updated, report.gt_last_updated, report.summary, ${userColumns('assignee', 'assignee')}`;
const reportFrom = `quality_report report ${places} LEFT JOIN user assignee ON assignee.id = report.assignee_id`;

const reportList: ListDefinition = {
  select: reportSelect,
  from: reportFrom,
  fields: {
    ...columnFields('report', { number: ['id'], date: ['created_date'] }),
    ...equalFields('report', { number: ['task_id', 'job_id', 'parent_id'] }),
    project_id: ofProject,
    target: {
      sql: "CASE WHEN report.project_id IS NOT NULL THEN 'project' WHEN report.job_id IS NULL THEN 'task' ELSE 'job' END",
      type: 'text',
      equality: true,
    },
  },
  search: [],
  sort: '-id',
};

const conflictList: ListDefinition = {
  select: 'conflict.*',
  from: `quality_conflict conflict LEFT JOIN quality_report report ON report.id = conflict.report_id ${places}`,
  fields: {
    ...equalFields('conflict', {
      number: ['frame'],
      text: ['type', 'severity'],
      boolean: ['by_settings', 'by_requirements'],
    }),
    ...equalFields('report', { number: ['job_id', 'task_id'] }),
    id: { sql: 'conflict.id', type: 'number' },
    project_id: ofProject,
  },
  search: [],
  sort: 'id',
};

const settingsList: ListDefinition = {
  select: 'settings.*',
  from: `quality_settings settings LEFT JOIN task ON task.id = settings.task_id
    LEFT JOIN project ON project.id = COALESCE(settings.project_id, task.project_id)`,
  fields: {
    ...equalFields('settings', { number: ['task_id'], boolean: ['inherit'] }),
    id: { sql: 'settings.id', type: 'number' },
    project_id: ofProject,
    parent_type: {
      sql: "CASE WHEN settings.project_id IS NULL THEN 'task' ELSE 'project' END",
      type: 'text',
      equality: true,
    },
  },
  search: [],
  sort: 'id',
};

export type QualityRepository = ReturnType<typeof createQualityRepository>;

export function createQualityRepository(database: Store) {
  const one = database.query(`SELECT ${reportSelect} FROM ${reportFrom} WHERE report.id = +?`);
  const data = database.query('SELECT data FROM quality_report WHERE id = +?').pluck();
  const insert = database.query(
    `INSERT INTO quality_report (parent_id, task_id, project_id, job_id, created_date, target_last_updated, gt_last_updated,
       assignee_id, summary, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const latestOfTask = database.query(
    `SELECT id, parent_id, target_last_updated, gt_last_updated, data FROM quality_report
     WHERE task_id = +? AND job_id IS NULL ORDER BY id DESC LIMIT 1`,
  );
  const datesOfChildren = database.query('SELECT job_id, target_last_updated FROM quality_report WHERE parent_id = +?');
  const setParent = database.query('UPDATE quality_report SET parent_id = ? WHERE id = +?');
  const insertConflict = database.query(
    `INSERT INTO quality_conflict (report_id, frame, type, severity, annotation_ids, attribute_names, by_settings, by_requirements)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const settings = database.query('SELECT * FROM quality_settings WHERE id = +?');
  const settingsOf = database.query('SELECT * FROM quality_settings WHERE task_id = +?');
  const settingsOfProject = database.query('SELECT * FROM quality_settings WHERE project_id = +?');
  const addSettings = database.query(
    `INSERT OR IGNORE INTO quality_settings (task_id, inherit, chosen, created_date, updated_date)
     SELECT id, project_id IS NOT NULL, '{}', @now, @now FROM task WHERE id = +@id`,
  );
  const addProjectSettings = database.query(
    "INSERT OR IGNORE INTO quality_settings (project_id, chosen, created_date, updated_date) VALUES (@id, '{}', @now, @now)",
  );
  const choose = database.query(
    'UPDATE quality_settings SET inherit = ?, chosen = COALESCE(?, chosen), updated_date = ? WHERE id = +?',
  );
  const taskIds = database.query('SELECT id FROM task WHERE @project IS NULL OR project_id = +@project').pluck();
  const projectIds = database.query('SELECT id FROM project').pluck();

  function ofTask(taskId: number, now: string): SettingsRow {
    addSettings.run({ id: taskId, now });
    return settingsOf.get(taskId) as SettingsRow;
  }
  function settingsOfTheProject(projectId: number, now: string): SettingsRow {
    addProjectSettings.run({ id: projectId, now });
    return settingsOfProject.get(projectId) as SettingsRow;
  }

  return {
    report: (id: number) => one.get(id) as ReportRow | undefined,
    data: (id: number) => data.get(id) as string | undefined,
    listReports: (request: ListRequest, scope: SqlFragment) =>
      listRows<ReportRow>(database, reportList, request, scope),
    /** Conflicts of a report. A task's report has those of its jobs; a project's, those of the jobs of its tasks. */
    ofReport: (id: number): SqlFragment => ({
      sql: `report.id = +? OR report.parent_id = +?
        OR report.parent_id IN (SELECT middle.id FROM quality_report middle WHERE middle.parent_id = +?)`,
      params: [id, id, id],
    }),
    listConflicts: (request: ListRequest, scope: SqlFragment) =>
      listRows<ConflictRow>(database, conflictList, request, scope),
    listSettings: (request: ListRequest, scope: SqlFragment) =>
      listRows<SettingsRow>(database, settingsList, request, scope),
    insert(report: NewReport, now: string): number {
      const {
        parentId,
        taskId,
        projectId,
        jobId,
        targetDate,
        truthDate,
        assigneeId,
        report: stored,
        conflicts,
      } = report;
      const place = [parentId, taskId, projectId, jobId, now, targetDate, truthDate, assigneeId];
      const texts = [JSON.stringify(summaryOf(stored)), JSON.stringify(stored)];
      const id = Number(insert.run(...place, ...texts).lastInsertRowid);
      for (const { frame, type, severity, annotation_ids: ids, attribute_names: names = [], ...by } of conflicts) {
        const found = [Number(by.bySettings), Number(by.byRequirements)];
        insertConflict.run(id, frame, type, severity, JSON.stringify(ids), JSON.stringify(names), ...found);
      }
      return id;
    },
    latestOfTask: (taskId: number) =>
      latestOfTask.get(taskId) as
        | (Pick<ReportRow, 'id' | 'parent_id' | 'target_last_updated' | 'gt_last_updated'> & { readonly data: string })
        | undefined,
    /** Jobs with a report in this task report, with the dates of the compared data. */
    datesOfChildren: (id: number) =>
      datesOfChildren.all(id) as { readonly job_id: number; readonly target_last_updated: string }[],
    setParent: (id: number, parentId: number | null): void => void setParent.run(parentId, id),
    inTransaction: <Result>(work: () => Result): Result => database.write(work),
    settings: (id: number) => settings.get(id) as SettingsRow | undefined,
    settingsOf: ofTask,
    settingsOfProject: settingsOfTheProject,
    /** The settings that apply to a task: its own, or its project's. */
    effective(task: { readonly id: number; readonly project_id: number | null }, now: string) {
      const own = ofTask(task.id, now);
      const projectId = own.inherit === 1 ? task.project_id : null;
      const { id, chosen } = projectId === null ? own : settingsOfTheProject(projectId, now);
      return { settingsId: id, chosen, isInherited: projectId !== null };
    },
    /** Creates the missing settings of all tasks and projects, or of one project and its tasks. */
    prepareSettings(projectId: number | null, now: string): void {
      for (const id of taskIds.all({ project: projectId }) as number[]) addSettings.run({ id, now });
      const projects = projectId === null ? (projectIds.all() as number[]) : [projectId];
      for (const id of projects) addProjectSettings.run({ id, now });
    },
    /** @param chosen null leaves it as it is */
    choose: (id: number, inherit: 0 | 1, chosen: QualityChoices | null, now: string): void =>
      void choose.run(inherit, chosen === null ? null : JSON.stringify(chosen), now, id),
  };
}
