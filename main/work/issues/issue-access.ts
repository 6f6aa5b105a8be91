import { notFound, orNotFound } from '../../platform/errors.ts';
import { requireAllowed, type AccessFacts } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { JobRow } from '../tables/job-repository.ts';
import type { CommentRow, IssueRepository, IssueRow } from './issue-repository.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';
import { defined } from '../../platform/defined.ts';

/** Opens issues and comments for an actor: 404 if there is none, 403 if the rules refuse the action. */
export function createIssueAccess({
  issues,
  jobs,
  access,
}: Pick<WorkServiceDependencies, 'jobs' | 'access'> & {
  readonly issues: IssueRepository;
}) {
  /** Facts about an issue for the access rules: the job's assignee is not the issue's. */
  function factsOfIssue(actor: Actor, job: JobRow, row: IssueRow | null): AccessFacts {
    const facts = access.facts.job(actor, job);
    const { assignee: jobAssignee = null, ...above } = facts.people ?? {};
    const own = row ? { owner: row.owner_id, assignee: row.assignee_id } : {};
    return { ...facts, people: { ...above, jobAssignee, ...own } };
  }

  function factsOfComment(actor: Actor, issue: IssueRow, row: CommentRow | null): AccessFacts {
    const facts = factsOfIssue(actor, jobOf(issue), issue);
    const { owner: issueOwner = null, assignee: issueAssignee = null, ...above } = facts.people ?? {};
    return { ...facts, people: { ...above, issueOwner, issueAssignee, ...defined({ owner: row?.owner_id }) } };
  }

  const jobOf = (issue: IssueRow): JobRow => orNotFound(jobs.get(issue.job_id));

  function openIssue(actor: Actor, id: number, action: 'view' | 'update' | 'delete'): IssueRow {
    const row = orNotFound(issues.issue(id));
    requireAllowed(actor, 'issue', action, factsOfIssue(actor, jobOf(row), row));
    return row;
  }

  function openComment(actor: Actor, id: number, action: 'view' | 'update' | 'delete'): CommentRow {
    const row = issues.comment(id);
    const issue = row && issues.issue(row.issue_id);
    if (!row || !issue) throw notFound();
    requireAllowed(actor, 'comment', action, factsOfComment(actor, issue, row));
    return row;
  }

  return { factsOfIssue, factsOfComment, openIssue, openComment };
}
