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
import { invalidField } from '../../platform/errors.ts';
import { requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor, Listing, ListRequest } from '../../users/access/actor.ts';
import { visibleTo, type ScopeColumns } from '../../users/access/scope.ts';
import { createIssueAccess } from './issue-access.ts';
import { presentComment, presentIssue } from './issue-presenters.ts';
import {
  commentList,
  issueList,
  type CommentRow,
  type IssueChange,
  type IssueRepository,
  type IssueRow,
} from './issue-repository.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

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

export function createIssueService(
  dependencies: Pick<WorkServiceDependencies, 'database' | 'jobs' | 'access' | 'people' | 'changes' | 'clock'> & {
    readonly issues: IssueRepository;
  },
) {
  const { database, issues, jobs, access, people, changes, clock } = dependencies;

  const { factsOfIssue, factsOfComment, openIssue, openComment } = createIssueAccess({ issues, jobs, access });
  const getIssue = (actor: Actor, id: number) => presentIssue(openIssue(actor, id, 'view'), actor.baseUrl);
  const getComment = (actor: Actor, id: number) => presentComment(openComment(actor, id, 'view'), actor.baseUrl);

  function createIssue(actor: Actor, body: z.output<typeof issueWriteSchema>): Issue {
    const job = jobs.get(body.job);
    if (!job) throw invalidField('job', `Invalid pk "${body.job}" - object does not exist.`);
    requireAllowed(actor, 'issue', 'create@job', factsOfIssue(actor, job, null));
    people.requireUser(actor, 'assignee', body.assignee);
    if (body.frame < job.start_frame || body.frame > job.stop_frame) {
      const range = `${job.start_frame}–${job.stop_frame}`;
      throw invalidField('frame', `Frame ${body.frame} is outside the job's range ${range}.`);
    }
    const id = changes.run(actor, {}, () => {
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
      const comment = { issue_id: created, owner_id: actor.userId, message: body.message, date: now };
      changes.created(actor, 'issue', [created]);
      changes.created(actor, 'comment', [issues.insertComment(comment)]);
      return created;
    });
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
        position: body.position === undefined ? undefined : JSON.stringify(body.position),
        assignee_id: body.assignee,
        resolved: body.resolved === undefined ? undefined : Number(body.resolved),
      };
      changes.run(actor, { issues: [id] }, () => issues.updateIssue(id, change, clock()));
      return getIssue(actor, id);
    },
    removeIssue(actor: Actor, id: number): void {
      openIssue(actor, id, 'delete');
      changes.run(actor, {}, () => {
        changes.deleting(actor, 'issue', [id]);
        issues.removeIssue(id);
      });
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
      const id = changes.run(actor, {}, () => {
        const comment = { issue_id: issue.id, owner_id: actor.userId, message: body.message, date: clock() };
        const created = issues.insertComment(comment);
        changes.created(actor, 'comment', [created]);
        return created;
      });
      return getComment(actor, id);
    },
    updateComment(actor: Actor, id: number, body: z.output<typeof commentPatchSchema>): Comment {
      openComment(actor, id, 'update');
      const change = body.message === undefined ? {} : { message: body.message };
      changes.run(actor, { comments: [id] }, () => issues.updateComment(id, change, clock()));
      return getComment(actor, id);
    },
    removeComment(actor: Actor, id: number): void {
      openComment(actor, id, 'delete');
      changes.run(actor, {}, () => {
        changes.deleting(actor, 'comment', [id]);
        issues.removeComment(id);
      });
    },
  };
}
