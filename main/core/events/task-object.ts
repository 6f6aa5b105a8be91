import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import type { JobRow } from '../jobs/job-repository.ts';
import { jobStatus } from '../jobs/job-rules.ts';
import { presentUser } from '../present.ts';

/** A task as event payloads carry it: as the API answers it, with its labels and its segments written out. */
export function taskObject(task: Task, labels: readonly Label[], jobs: readonly JobRow[], baseUrl: string) {
  const segments = Map.groupBy(jobs, (job) => job.segment_id);
  return {
    ...task,
    labels,
    segments: [...segments.values()].map((ofSegment) => ({
      start_frame: ofSegment[0]?.start_frame ?? 0,
      stop_frame: ofSegment[0]?.stop_frame ?? 0,
      jobs: ofSegment.map((job) => jobSummary(job, baseUrl)),
    })),
  };
}

const jobSummary = (job: JobRow, baseUrl: string) => ({
  url: `${baseUrl}/api/jobs/${job.id}`,
  id: job.id,
  assignee: presentUser({ ...job }, 'assignee', baseUrl),
  status: jobStatus(job),
  stage: job.stage,
  state: job.state,
});
