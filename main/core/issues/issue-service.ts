import type { z } from 'zod';
import type {
  Comment,
  commentPatchSchema,
  commentWriteSchema,
  Issue,
  issuePatchSchema,
  issueWriteSchema,
} from '../../../preload/contract/schema/review.ts';
import { listRows } from '../../db/list-rows.ts';
import type { Database } from '../../db/open.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError, invalidField, notFound } from '../../platform/errors.ts';
import { requireAllowed, type AccessFacts } from '../access-rules.ts';
import type { Actor, Listing, ListRequest } from '../actor.ts';
import type { JobRepository, JobRow } from '../jobs/job-repository.ts';
import type { People } from '../people.ts';
import { presentUser } from '../present.ts';
import { visibleTo, type ScopeColumns } from '../scope.ts';
import type { WorkAccess } from '../work-access.ts';
import {
  commentList,
  issueList,
  type CommentRow,
  type IssueChange,
  type IssueRepository,
  type IssueRow,
} from './issue-repository.ts';

export type IssueService = ReturnType<typeof createIssueService>;

const aboveColumns = {
  jobAssignee: 'job.assignee_id',
  taskOwner: 'task.owner_id',
  taskAssignee: 'task.assignee_id',
  projectOwner: 'project.owner_id',
  projectAssignee: 'project.assignee_id',
} as const;
const issueScope: ScopeColumns = {
  organization: 'task.organization_id',
  people: { owner: 'issue.owner_id', assignee: 'issue.assignee_id', ...aboveColumns },
};
const commentScope: ScopeColumns = {
  organization: 'task.organization_id',
  people: {
    owner: 'comment.owner_id',
    issueOwner: 'issue.owner_id',
    issueAssignee: 'issue.assignee_id',
    ...aboveColumns,
  },
};

function presentIssue(row: IssueRow, baseUrl: string): Issue {
  const columns = row as unknown as Record<string, unknown>;
  return {
    id: row.id,
    frame: row.frame,
    position: JSON.parse(row.position) as number[],
    job: row.job_id,
    owner: presentUser(columns, 'owner', baseUrl),
    assignee: presentUser(columns, 'assignee', baseUrl),
    created_date: row.created_date,
    updated_date: row.updated_date,
    resolved: row.resolved === 1,
    comments: { count: row.comment_count, url: `${baseUrl}/api/comments?issue_id=${row.id}` },
  };
}

function presentComment(row: CommentRow, baseUrl: string): Comment {
  return {
    id: row.id,
    issue: row.issue_id,
    owner: presentUser(row as unknown as Record<string, unknown>, 'owner', baseUrl),
    message: row.message,
    created_date: row.created_date,
    updated_date: row.updated_date,
  };
}

/** Issues on frames of a job, and the comments on them. */
export function createIssueService(dependencies: {
  readonly database: Database;
  readonly issues: IssueRepository;
  readonly jobs: JobRepository;
  readonly access: WorkAccess;
  readonly people: People;
  readonly clock: Clock;
}) {
  const { database, issues, jobs, access, people, clock } = dependencies;

  /** What the rules ask about an issue of a job: the job's assignee is not the issue's. */
  function factsOfIssue(actor: Actor, job: JobRow, row: IssueRow | null): AccessFacts {
    const facts = access.facts.job(actor, job);
    const { assignee: jobAssignee = null, ...above } = facts.people ?? {};
    const own = row ? { owner: row.owner_id, assignee: row.assignee_id } : {};
    return { ...facts, people: { ...above, jobAssignee, ...own } };
  }

  function factsOfComment(actor: Actor, issue: IssueRow, row: CommentRow | null): AccessFacts {
    const facts = factsOfIssue(actor, jobOf(issue), issue);
    const { owner: issueOwner = null, assignee: issueAssignee = null, ...above } = facts.people ?? {};
    return { ...facts, people: { ...above, issueOwner, issueAssignee, ...(row ? { owner: row.owner_id } : {}) } };
  }

  function jobOf(issue: IssueRow): JobRow {
    const job = jobs.get(issue.job_id);
    if (!job) throw notFound();
    return job;
  }

  function openIssue(actor: Actor, id: number, action: 'view' | 'update' | 'delete'): IssueRow {
    const row = issues.issue(id);
    if (!row) throw notFound();
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

  const getIssue = (actor: Actor, id: number) => presentIssue(openIssue(actor, id, 'view'), actor.baseUrl);
  const getComment = (actor: Actor, id: number) => presentComment(openComment(actor, id, 'view'), actor.baseUrl);

  function createIssue(actor: Actor, body: z.output<typeof issueWriteSchema>): Issue {
    const job = jobs.get(body.job);
    if (!job) throw invalidField('job', `Invalid pk "${body.job}" - object does not exist.`);
    requireAllowed(actor, 'issue', 'create@job', factsOfIssue(actor, job, null));
    people.requireUser(actor, 'assignee', body.assignee);
    if (body.frame < job.start_frame || body.frame > job.stop_frame) {
      const message = `Frame ${body.frame} is outside the job's range ${job.start_frame}–${job.stop_frame}.`;
      throw new AppError('invalid', message, { frame: [message] });
    }
    const id = database
      .transaction(() => {
        const now = clock();
        const created = issues.insertIssue({
          job_id: job.id,
          frame: body.frame,
          position: JSON.stringify(body.position),
          owner_id: actor.userId,
          assignee_id: body.assignee ?? null,
          resolved: body.resolved ? 1 : 0,
          date: now,
        });
        issues.insertComment(created, actor.userId, body.message, now);
        return created;
      })
      .immediate();
    return getIssue(actor, id);
  }

  return {
    listIssues(actor: Actor, request: ListRequest): Listing<Issue> {
      const { count, results } = listRows<IssueRow>(
        database,
        issueList,
        request,
        visibleTo(actor, 'issue', issueScope),
      );
      return { count, results: results.map((row) => presentIssue(row, actor.baseUrl)) };
    },
    getIssue,
    createIssue,
    updateIssue(actor: Actor, id: number, body: z.output<typeof issuePatchSchema>): Issue {
      openIssue(actor, id, 'update');
      people.requireUser(actor, 'assignee', body.assignee);
      const change: IssueChange = {
        ...(body.position === undefined ? {} : { position: JSON.stringify(body.position) }),
        ...(body.assignee === undefined ? {} : { assignee_id: body.assignee }),
        ...(body.resolved === undefined ? {} : { resolved: body.resolved ? 1 : 0 }),
      };
      database.transaction(() => issues.updateIssue(id, change, clock())).immediate();
      return getIssue(actor, id);
    },
    removeIssue(actor: Actor, id: number): void {
      openIssue(actor, id, 'delete');
      database.transaction(() => issues.removeIssue(id)).immediate();
    },

    listComments(actor: Actor, request: ListRequest): Listing<Comment> {
      const scope = visibleTo(actor, 'comment', commentScope);
      const { count, results } = listRows<CommentRow>(database, commentList, request, scope);
      return { count, results: results.map((row) => presentComment(row, actor.baseUrl)) };
    },
    getComment,
    createComment(actor: Actor, body: z.output<typeof commentWriteSchema>): Comment {
      const issue = issues.issue(body.issue);
      if (!issue) throw invalidField('issue', `Invalid pk "${body.issue}" - object does not exist.`);
      requireAllowed(actor, 'comment', 'create@issue', factsOfComment(actor, issue, null));
      const id = database
        .transaction(() => issues.insertComment(issue.id, actor.userId, body.message, clock()))
        .immediate();
      return getComment(actor, id);
    },
    updateComment(actor: Actor, id: number, body: z.output<typeof commentPatchSchema>): Comment {
      const row = openComment(actor, id, 'update');
      database.transaction(() => issues.updateComment(id, body.message ?? row.message, clock())).immediate();
      return getComment(actor, id);
    },
    removeComment(actor: Actor, id: number): void {
      openComment(actor, id, 'delete');
      database.transaction(() => issues.removeComment(id)).immediate();
    },
  };
}
