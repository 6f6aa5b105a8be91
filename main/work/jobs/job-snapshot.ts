import { placeOf, snapshotOf, type WorkPlace } from '../../db/changes.ts';
import { toldOf } from '../../db/columns.ts';
import { jobColumns, type JobRow } from '../tables/job-table.ts';
import { presentJob } from './job-presenter.ts';
import type { JobRepository } from '../tables/job-repository.ts';
import { jobStatus } from './job-rules.ts';

export const placeInJob = (
  row: Pick<JobRow, 'id' | 'task_id' | 'project_id' | 'organization_id'> | undefined,
): WorkPlace => ({
  ...placeOf(row),
  taskId: row?.task_id ?? null,
  jobId: row?.id ?? null,
});

export const jobSnapshot = ({
  jobs,
  issues,
}: {
  readonly jobs: Pick<JobRepository, 'get'>;
  readonly issues: { idsOfJob(jobId: number): number[] };
}) =>
  snapshotOf(jobs.get, (row) => ({
    place: () => placeInJob(row),
    columns: toldOf(jobColumns, { ...row, status: jobStatus(row) }),
    present: (baseUrl) => presentJob(row, baseUrl),
    parts: () => [['issue', issues.idsOfJob(row.id)]],
  }));
