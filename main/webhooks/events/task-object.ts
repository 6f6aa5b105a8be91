import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import type { JobRow } from '../../work/jobs/job-repository.ts';
import { jobStatus } from '../../work/jobs/job-rules.ts';
import { presentUser } from '../../people/users/present.ts';

/** What the API leaves out while a task has no data: payloads have every key at any time. */
const withoutData = {
  data_chunk_size: null,
  data_compressed_chunk_type: 'imageset',
  data_original_chunk_type: 'imageset',
  size: 0,
  image_quality: 0,
} as const;

/** A task as event payloads carry it: as the API answers it, with its labels and its segments written out. */
export function taskObject(task: Task, labels: readonly Label[], jobs: readonly JobRow[], baseUrl: string) {
  const segments = Map.groupBy(jobs, (job) => job.segment_id);
  return {
    ...withoutData,
    ...task,
    labels,
    segments: [...segments.values()].map((ofSegment) => ({
      start_frame: ofSegment[0]?.start_frame ?? 0,
      stop_frame: ofSegment[0]?.stop_frame ?? 0,
      jobs: ofSegment.map((job) => jobSummary(job, baseUrl)),
    })),
  };
}

/**
 * The same before a change, to be compared: labels and segments of a task that had data are left out, as their own
 * changes are no events of the task.
 */
export function earlierTaskObject(earlier: Task) {
  const { labels: _, ...task } = earlier;
  return { ...withoutData, ...task, ...(task.data === null ? { segments: [] } : {}) };
}

const jobSummary = (job: JobRow, baseUrl: string) => ({
  url: `${baseUrl}/api/jobs/${job.id}`,
  id: job.id,
  assignee: presentUser({ ...job }, 'assignee', baseUrl),
  status: jobStatus(job),
  stage: job.stage,
  state: job.state,
});
