import type { ListDefinition } from '../../db/filters.ts';
import type { Database } from '../../db/open.ts';
import { userColumns } from '../../people/users/present.ts';

export interface IssueRow {
  readonly id: number;
  readonly job_id: number;
  readonly frame: number;
  /** JSON array of numbers. */
  readonly position: string;
  readonly owner_id: number | null;
  readonly assignee_id: number | null;
  readonly resolved: number;
  readonly created_date: string;
  readonly updated_date: string;
  readonly comment_count: number;
}

export interface CommentRow {
  readonly id: number;
  readonly issue_id: number;
  readonly owner_id: number | null;
  readonly message: string;
  readonly created_date: string;
  readonly updated_date: string;
}

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
    id: { sql: 'issue.id', type: 'number' },
    owner: { sql: 'owner.username', type: 'text', equality: true },
    assignee: { sql: 'assignee.username', type: 'text', equality: true },
    frame_id: { sql: 'issue.frame', type: 'number', equality: true },
    job_id: { sql: 'issue.job_id', type: 'number', equality: true },
    task_id: { sql: 'job.task_id', type: 'number', equality: true },
    resolved: { sql: 'issue.resolved', type: 'boolean', equality: true },
    updated_date: { sql: 'issue.updated_date', type: 'date' },
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
    id: { sql: 'comment.id', type: 'number' },
    owner: { sql: 'owner.username', type: 'text', equality: true },
    frame_id: { sql: 'issue.frame', type: 'number', equality: true },
    issue_id: { sql: 'comment.issue_id', type: 'number', equality: true },
    job_id: { sql: 'issue.job_id', type: 'number', equality: true },
    updated_date: { sql: 'comment.updated_date', type: 'date' },
  },
  search: ['owner'],
  sort: '-id',
};

export type IssueRepository = ReturnType<typeof createIssueRepository>;

const changeable = ['position', 'assignee_id', 'resolved'] as const;
export type IssueChange = Partial<Pick<IssueRow, (typeof changeable)[number]>>;

export function createIssueRepository(database: Database) {
  const issue = database.prepare(`SELECT ${issueSelect} FROM ${issueFrom} WHERE issue.id = ?`);
  const comment = database.prepare(`SELECT ${commentSelect} FROM ${commentFrom} WHERE comment.id = ?`);
  const issuesOfJob = database.prepare(
    `SELECT ${issueSelect} FROM ${issueFrom} WHERE issue.job_id = ? ORDER BY issue.id`,
  );
  const commentsOfIssue = database.prepare('SELECT * FROM comment WHERE issue_id = ? ORDER BY id');
  const ofJob = database.prepare('SELECT id FROM issue WHERE job_id = ? ORDER BY id').pluck();
  const commentsOf = database.prepare('SELECT id FROM comment WHERE issue_id = ? ORDER BY id').pluck();
  const insertIssue = database.prepare(
    `INSERT INTO issue (job_id, frame, position, owner_id, assignee_id, resolved, created_date, updated_date)
     VALUES (@job_id, @frame, @position, @owner_id, @assignee_id, @resolved, @date, coalesce(@updated_date, @date))`,
  );
  const insertComment = database.prepare(
    'INSERT INTO comment (issue_id, owner_id, message, created_date, updated_date) VALUES (?, ?, ?, ?, ?)',
  );
  const setters = new Map(
    changeable.map((column) => [column, database.prepare(`UPDATE issue SET ${column} = ? WHERE id = ?`)]),
  );
  const touchIssue = database.prepare('UPDATE issue SET updated_date = ? WHERE id = ?');
  const updateComment = database.prepare('UPDATE comment SET message = ?, updated_date = ? WHERE id = ?');
  const removeIssue = database.prepare('DELETE FROM issue WHERE id = ?');
  const removeComment = database.prepare('DELETE FROM comment WHERE id = ?');

  return {
    issue: (id: number) => issue.get(id) as IssueRow | undefined,
    comment: (id: number) => comment.get(id) as CommentRow | undefined,
    ofJob: (jobId: number) => issuesOfJob.all(jobId) as IssueRow[],
    commentsOf: (issueId: number) => commentsOfIssue.all(issueId) as CommentRow[],
    idsOfJob: (jobId: number) => ofJob.all(jobId) as number[],
    commentIds: (issueId: number) => commentsOf.all(issueId) as number[],
    insertIssue: (values: Record<string, unknown>) =>
      Number(insertIssue.run({ updated_date: null, ...values }).lastInsertRowid),
    insertComment: (issueId: number, ownerId: number | null, message: string, date: string, updated = date) =>
      Number(insertComment.run(issueId, ownerId, message, date, updated).lastInsertRowid),
    updateIssue(id: number, change: IssueChange, date: string): void {
      for (const column of changeable) if (column in change) setters.get(column)?.run(change[column], id);
      touchIssue.run(date, id);
    },
    updateComment: (id: number, message: string, date: string) => void updateComment.run(message, date, id),
    removeIssue: (id: number) => void removeIssue.run(id),
    removeComment: (id: number) => void removeComment.run(id),
  };
}
