import { snapshotOf, type WorkPlace } from '../../db/changes.ts';
import type { JobRepository } from '../tables/job-repository.ts';
import { placeInJob } from '../jobs/job-snapshot.ts';
import { presentComment, presentIssue } from './issue-presenters.ts';
import type { IssueRepository } from './issue-repository.ts';

interface Dependencies {
  readonly issues: Pick<IssueRepository, 'issue' | 'comment' | 'commentIds'>;
  readonly jobs: Pick<JobRepository, 'get'>;
}

/** Read when it is needed: only one of the two snapshots of an update is asked for its place. */
function placeOfJob({ jobs }: Dependencies, jobId: () => number) {
  let place: WorkPlace | undefined;
  return () => (place ??= placeInJob(jobs.get(jobId())));
}

export const issueSnapshot = (rows: Dependencies) =>
  snapshotOf(rows.issues.issue, (row) => ({
    place: placeOfJob(rows, () => row.job_id),
    columns: {
      frame: row.frame,
      position: JSON.parse(row.position) as unknown,
      assignee_id: row.assignee_id,
      resolved: row.resolved === 1,
      updated_date: row.updated_date,
    },
    present: (baseUrl) => presentIssue(row, baseUrl),
    parts: () => [['comment', rows.issues.commentIds(row.id)]],
  }));

export const commentSnapshot = (rows: Dependencies) =>
  snapshotOf(rows.issues.comment, (row) => ({
    place: placeOfJob(rows, () => rows.issues.issue(row.issue_id)?.job_id ?? 0),
    columns: { message: row.message, updated_date: row.updated_date },
    present: (baseUrl) => presentComment(row, baseUrl),
  }));
