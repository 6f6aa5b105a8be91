import { presentComment, presentIssue } from '../../work/issues/issue-presenters.ts';
import type { CommentRow, IssueRepository, IssueRow } from '../../work/issues/issue-repository.ts';
import type { JobRepository, JobRow } from '../../work/jobs/job-repository.ts';
import { columnChanges, hasAny, updateOf, type Changed, type ColumnChanges } from './column-changes.ts';
import type { EventAction, EventActor, EventRecorder } from './event-recorder.ts';

const issueColumns = {
  frame: 'frame',
  position: 'position',
  assignee_id: 'assignee_id',
  resolved: 'resolved',
  updated_date: 'updated_date',
} as const;
const commentColumns = { message: 'message', updated_date: 'updated_date' } as const;

export type IssueEvents = ReturnType<typeof createIssueEvents>;

/** Events of issues and comments, which belong where their job belongs. Call inside the change's transaction. */
export function createIssueEvents(dependencies: {
  readonly events: EventRecorder;
  readonly issues: Pick<IssueRepository, 'issue' | 'comment' | 'idsOfJob' | 'commentIds'>;
  readonly jobs: Pick<JobRepository, 'get'>;
}) {
  const { events, issues, jobs } = dependencies;

  function placeOf(job: JobRow | undefined) {
    return { projectId: job?.project_id ?? null, organizationId: job?.organization_id ?? null };
  }

  function issue(actor: EventActor, action: EventAction, row: IssueRow, change?: Changed<IssueRow>): void {
    const place = placeOf(jobs.get(row.job_id));
    const shown = (of: IssueRow) => presentIssue(of, actor.baseUrl);
    const update = change && updateOf(change, shown);
    events.record({ action, resource: 'issue', actor, ...place, object: () => shown(row), ...update });
  }

  function comment(actor: EventActor, action: EventAction, row: CommentRow, change?: Changed<CommentRow>): void {
    const of = issues.issue(row.issue_id);
    const place = placeOf(of && jobs.get(of.job_id));
    const shown = (of: CommentRow) => presentComment(of, actor.baseUrl);
    const update = change && updateOf(change, shown);
    events.record({ action, resource: 'comment', actor, ...place, object: () => shown(row), ...update });
  }

  function each<Row>(ids: readonly number[], read: (id: number) => Row | undefined, act: (row: Row) => void): void {
    if (events.isIdle()) return;
    for (const id of ids) {
      const row = read(id);
      if (row) act(row);
    }
  }

  const comments = (actor: EventActor, action: EventAction, ids: readonly number[]) =>
    each(ids, issues.comment, (row) => comment(actor, action, row));

  function issueDeleting(actor: EventActor, id: number): void {
    if (events.isIdle()) return;
    comments(actor, 'delete', issues.commentIds(id));
    each([id], issues.issue, (row) => issue(actor, 'delete', row));
  }

  return {
    /** With the comment that it begins with. */
    issueCreated(actor: EventActor, id: number): void {
      if (events.isIdle()) return;
      each([id], issues.issue, (row) => issue(actor, 'create', row));
      comments(actor, 'create', issues.commentIds(id));
    },
    watchIssue(actor: EventActor, id: number, change: () => void): void {
      const before = events.isIdle() ? undefined : issues.issue(id);
      change();
      const after = before && issues.issue(id);
      const changes = after ? readable(columnChanges(before, after, issueColumns)) : {};
      if (before && after && hasAny(changes)) issue(actor, 'update', after, { before, changes });
    },
    /** Before the rows go: the comments first. */
    issueDeleting,
    /** Before the rows go that belong to a job. */
    jobDeleting(actor: EventActor, jobId: number): void {
      if (events.isIdle()) return;
      for (const id of issues.idsOfJob(jobId)) issueDeleting(actor, id);
    },
    commentCreated: (actor: EventActor, id: number): void => comments(actor, 'create', [id]),
    watchComment(actor: EventActor, id: number, change: () => void): void {
      const before = events.isIdle() ? undefined : issues.comment(id);
      change();
      const after = before && issues.comment(id);
      const changes = after ? columnChanges(before, after, commentColumns) : {};
      if (before && after && hasAny(changes)) comment(actor, 'update', after, { before, changes });
    },
    /** Before the row goes. */
    commentDeleting: (actor: EventActor, id: number): void => comments(actor, 'delete', [id]),
  };
}

/** Values as the API shows them, not as they are stored. */
function readable(changes: ColumnChanges): ColumnChanges {
  const { position, resolved } = changes;
  return {
    ...changes,
    ...(position ? { position: { from: JSON.parse(String(position.from)), to: JSON.parse(String(position.to)) } } : {}),
    ...(resolved ? { resolved: { from: resolved.from === 1, to: resolved.to === 1 } } : {}),
  };
}
