import type { Look, Sight, WorkPlace } from '../db/changes.ts';
import { toldOf } from '../db/columns.ts';
import { jobColumns } from '../work/tables/job-table.ts';
import { projectColumns } from '../work/tables/project-table.ts';
import { taskColumns } from '../work/tables/task-table.ts';
import {
  presentInvitation,
  presentMembership,
  presentOrganization,
} from '../users/organizations/organization-presenters.ts';
import { organizationColumns } from '../users/organizations/organization-repository.ts';
import type { Clock } from '../platform/clock.ts';
import type { EventResource } from '../webhooks/events/event-recorder.ts';
import { presentComment, presentIssue } from '../work/issues/issue-presenters.ts';
import { presentJob } from '../work/jobs/job-presenter.ts';
import { jobStatus } from '../work/jobs/job-rules.ts';
import { labelOwner } from '../work/labels/label-repository.ts';
import { presentProject } from '../work/projects/project-presenter.ts';
import type { Repositories } from './repositories.ts';
import { presentEarlierTask, presentTaskDetail } from '../work/tasks/task-detail.ts';

type Watchable = Pick<
  Repositories,
  'projects' | 'tasks' | 'jobs' | 'labelRows' | 'issues' | 'organizations' | 'memberships' | 'invitations'
>;

/** Snapshots of each kind of object for webhooks, with the presenters of the services. */
export function createSnapshots(rows: Watchable, clock: Clock): Readonly<Record<EventResource, Look>> {
  const { projects, tasks, jobs, labelRows, issues, organizations, memberships, invitations } = rows;

  return {
    project: look(numbered(projects.get), (row) => ({
      place: placeOf({ project_id: row.id, organization_id: row.organization_id }),
      columns: toldOf(projectColumns, row),
      present: (baseUrl) => presentProject(row, baseUrl),
    })),
    task: look(numbered(tasks.get), (row) => {
      // Read before the change, which may replace them.
      const labels = labelRows.list(labelOwner(row.project_id, row.id));
      return {
        place: { ...placeOf(row), taskId: row.id },
        columns: toldOf(taskColumns, row),
        present: (baseUrl) => presentTaskDetail(row, labels, jobs.ofTask(row.id), baseUrl),
        presentEarlier: (baseUrl) => presentEarlierTask(row, labels, baseUrl),
        parts: () => [['job', jobs.ofTask(row.id).map(({ id }) => id)]],
      };
    }),
    job: look(numbered(jobs.get), (row) => ({
      place: placeInJob(row),
      columns: toldOf(jobColumns, { ...row, status: jobStatus(row) }),
      present: (baseUrl) => presentJob(row, baseUrl),
      parts: () => [['issue', issues.idsOfJob(row.id)]],
    })),
    issue: look(numbered(issues.issue), (row) => ({
      place: placeInJob(jobs.get(row.job_id)),
      columns: {
        frame: row.frame,
        position: JSON.parse(row.position) as unknown,
        assignee_id: row.assignee_id,
        resolved: row.resolved === 1,
        updated_date: row.updated_date,
      },
      present: (baseUrl) => presentIssue(row, baseUrl),
      parts: () => [['comment', issues.commentIds(row.id)]],
    })),
    comment: look(numbered(issues.comment), (row) => ({
      place: placeInJob(jobs.get(issues.issue(row.issue_id)?.job_id ?? 0)),
      columns: { message: row.message, updated_date: row.updated_date },
      present: (baseUrl) => presentComment(row, baseUrl),
    })),
    organization: look(numbered(organizations.get), (row) => ({
      place: placeOf({ project_id: null, organization_id: row.id }),
      columns: { ...toldOf(organizationColumns, row), contact: JSON.parse(row.contact) as unknown },
      present: (baseUrl) => presentOrganization(row, baseUrl),
    })),
    membership: look(numbered(memberships.get), (row) => ({
      place: placeOf({ project_id: null, organization_id: row.organization_id }),
      columns: { role: row.role, is_active: row.is_active === 1, joined_date: row.joined_date },
      present: (baseUrl) => presentMembership(row, baseUrl),
      parts: () => (row.invitation_key === null ? [] : [['invitation', [row.invitation_key]]]),
    })),
    invitation: look(
      (key) => invitations.get(String(key)),
      (row) => ({
        place: placeOf({ project_id: null, organization_id: row.organization_id }),
        columns: {},
        present: (baseUrl) => presentInvitation(row, clock(), baseUrl),
      }),
    ),
  };
}

const look =
  <Row>(read: (id: number | string) => Row | undefined, see: (row: Row) => Sight): Look =>
  (id) => {
    const row = read(id);
    return row === undefined ? undefined : see(row);
  };

const numbered =
  <Row>(read: (id: number) => Row | undefined) =>
  (id: number | string) =>
    read(Number(id));

interface Placed {
  readonly project_id: number | null;
  readonly organization_id: number | null;
}

const placeOf = (row: Placed | undefined): WorkPlace => ({
  projectId: row?.project_id ?? null,
  organizationId: row?.organization_id ?? null,
  taskId: null,
  jobId: null,
});

const placeInJob = (row: (Placed & { readonly id: number; readonly task_id: number }) | undefined): WorkPlace => ({
  ...placeOf(row),
  taskId: row?.task_id ?? null,
  jobId: row?.id ?? null,
});
