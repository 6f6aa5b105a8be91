import { createInsert, createUpdate, number, optionalNumber, text, type PartOf, type RowOf } from '../../db/columns.ts';
import { columnFields, equalFields, type ListDefinition } from '../../db/filters.ts';
import type { Store } from '../../db/store.ts';
import { userColumns } from '../../users/accounts/present.ts';

const issueColumns = {
  id: number(),
  job_id: number('new'),
  frame: number('new'),
  /** JSON array of numbers. */
  position: text('new', 'change'),
  owner_id: optionalNumber('new'),
  assignee_id: optionalNumber('new', 'change'),
  resolved: number('new', 'change'),
  created_date: text(),
  updated_date: text(),
};
export type IssueChange = Partial<PartOf<typeof issueColumns, 'change'>>;
export interface IssueRow extends RowOf<typeof issueColumns> {
  readonly comment_count: number;
}

const commentColumns = {
  id: number(),
  issue_id: number('new'),
  owner_id: optionalNumber('new'),
  message: text('new', 'change'),
  created_date: text(),
  updated_date: text(),
};
export type CommentRow = RowOf<typeof commentColumns>;

const aboveIssue = `JOIN job ON job.id = issue.job_id
  JOIN task ON task.id = job.task_id
  LEFT JOIN project ON project.id = task.project_id`;

const issueSelect = `issue.*, ${userColumns('owner', 'owner')}, ${userColumns('assignee', 'assignee')},
  (SELECT count(*) FROM comment WHERE comment.issue_id = issue.id) AS comment_count`;
const issueFrom = `issue ${aboveIssue}
  LEFT JOIN user owner ON owner.id = issue.owner_id
  LEFT JOIN user assignee ON assignee.id = issue.assignee_id`;

export const issueList: ListDefinition = {
  select: issueSelect,
  from: issueFrom,
  fields: {
    ...columnFields('issue', { number: ['id'], date: ['updated_date'] }),
    ...equalFields('issue', { number: ['job_id'], boolean: ['resolved'] }),
    project_id: { sql: 'task.project_id', type: 'number', equality: true },
    task_id: { sql: 'job.task_id', type: 'number', equality: true },
    owner: { sql: 'owner.username', type: 'text', equality: true },
    assignee: { sql: 'assignee.username', type: 'text', equality: true },
    frame_id: { sql: 'issue.frame', type: 'number', equality: true },
  },
  search: ['owner', 'assignee'],
  sort: '-id',
};

const commentSelect = `comment.*, ${userColumns('owner', 'owner')}`;
const commentFrom = `comment JOIN issue ON issue.id = comment.issue_id ${aboveIssue}
  LEFT JOIN user owner ON owner.id = comment.owner_id`;

export const commentList: ListDefinition = {
  select: commentSelect,
  from: commentFrom,
  fields: {
    ...columnFields('comment', { number: ['id'], date: ['updated_date'] }),
    job_id: { sql: 'issue.job_id', type: 'number', equality: true },
    issue_id: { sql: 'comment.issue_id', type: 'number', equality: true },
    owner: { sql: 'owner.username', type: 'text', equality: true },
    frame_id: { sql: 'issue.frame', type: 'number', equality: true },
  },
  search: ['owner'],
  sort: '-id',
};

export type IssueRepository = ReturnType<typeof createIssueRepository>;

export function createIssueRepository(database: Store) {
  const issue = database.query(`SELECT ${issueSelect} FROM ${issueFrom} WHERE issue.id = +?`);
  const comment = database.query(`SELECT ${commentSelect} FROM ${commentFrom} WHERE comment.id = +?`);
  const issuesOfJob = database.query(
    `SELECT ${issueSelect} FROM ${issueFrom} WHERE issue.job_id = +? ORDER BY issue.id`,
  );
  const commentsOfIssue = database.query('SELECT * FROM comment WHERE issue_id = +? ORDER BY id');
  const ofJob = database.query('SELECT id FROM issue WHERE job_id = +? ORDER BY id').pluck();
  const commentsOf = database.query('SELECT id FROM comment WHERE issue_id = +? ORDER BY id').pluck();
  const ofIssues = createUpdate(database, 'issue', issueColumns);
  const ofComments = createUpdate(database, 'comment', commentColumns);
  const removeIssue = database.query('DELETE FROM issue WHERE id = +?');
  const removeComment = database.query('DELETE FROM comment WHERE id = +?');

  return {
    issue: (id: number) => issue.get(id) as IssueRow | undefined,
    comment: (id: number) => comment.get(id) as CommentRow | undefined,
    ofJob: (jobId: number) => issuesOfJob.all(jobId) as IssueRow[],
    commentsOf: (issueId: number) => commentsOfIssue.all(issueId) as CommentRow[],
    idsOfJob: (jobId: number) => ofJob.all(jobId) as number[],
    commentIds: (issueId: number) => commentsOf.all(issueId) as number[],
    insertIssue: createInsert(database, 'issue', issueColumns),
    insertComment: createInsert(database, 'comment', commentColumns),
    updateIssue: ofIssues.update,
    touchIssue: ofIssues.touch,
    updateComment: ofComments.update,
    touchComment: ofComments.touch,
    removeIssue: (id: number) => void removeIssue.run(id),
    removeComment: (id: number) => void removeComment.run(id),
  };
}
