import type { Comment, Issue } from '../../../preload/contract/schema/review.ts';
import { presentUser } from '../../users/accounts/present.ts';
import type { CommentRow, IssueRow } from './issue-repository.ts';

export function presentIssue(row: IssueRow, baseUrl: string): Issue {
  return {
    id: row.id,
    frame: row.frame,
    position: JSON.parse(row.position) as number[],
    job: row.job_id,
    owner: presentUser(row, 'owner', baseUrl),
    assignee: presentUser(row, 'assignee', baseUrl),
    created_date: row.created_date,
    updated_date: row.updated_date,
    resolved: row.resolved === 1,
    comments: { count: row.comment_count, url: `${baseUrl}/api/comments?issue_id=${row.id}` },
  };
}

export function presentComment(row: CommentRow, baseUrl: string): Comment {
  return {
    id: row.id,
    issue: row.issue_id,
    owner: presentUser(row, 'owner', baseUrl),
    message: row.message,
    created_date: row.created_date,
    updated_date: row.updated_date,
  };
}
