import { defined } from '../../platform/defined.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { jobStatus } from '../jobs/job-rules.ts';
import type { JobRow } from '../tables/job-table.ts';
import type { TaskRow } from '../tables/task-table.ts';
import { presentUser } from '../../users/accounts/present.ts';
import { presentTask } from './task-presenter.ts';

/** Keys that the API omits while a task has no data. Event payloads always have every key. */
const withoutData = {
  data_chunk_size: null,
  data_compressed_chunk_type: 'imageset',
  data_original_chunk_type: 'imageset',
  size: 0,
  image_quality: 0,
} as const;

/** A task as in event payloads: the API's answer with its labels and segments included. */
export function presentTaskDetail(row: TaskRow, labels: readonly Label[], jobs: readonly JobRow[], baseUrl: string) {
  const segments = Map.groupBy(jobs, (job) => job.segment_id);
  return {
    ...withoutData,
    ...presentTask(row, baseUrl),
    labels,
    segments: [...segments.values()].map((ofSegment) => ({
      start_frame: ofSegment[0]?.start_frame ?? 0,
      stop_frame: ofSegment[0]?.stop_frame ?? 0,
      jobs: ofSegment.map((job) => jobSummary(job, baseUrl)),
    })),
  };
}

/**
 * The task before a change, for comparison. Omits the segments of a task with data, because their changes have no
 * events.
 */
export function presentEarlierTask(row: TaskRow, labels: readonly Label[], baseUrl: string) {
  return {
    ...withoutData,
    ...presentTask(row, baseUrl),
    labels,
    ...defined({ segments: row.media_id === null ? [] : undefined }),
  };
}

const jobSummary = (job: JobRow, baseUrl: string) => ({
  url: `${baseUrl}/api/jobs/${job.id}`,
  id: job.id,
  assignee: presentUser(job, 'assignee', baseUrl),
  status: jobStatus(job),
  stage: job.stage,
  state: job.state,
});
