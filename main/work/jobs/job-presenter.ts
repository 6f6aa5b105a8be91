import type { Job } from '../../../preload/contract/schema/resources.ts';
import { presentUser } from '../../users/accounts/present.ts';
import { presentStorage } from '../tables/storage-repository.ts';
import type { JobRow } from '../tables/job-repository.ts';
import { jobFrames, jobStatus } from './job-rules.ts';
import { chunkTypes } from '../tables/chunk-types.ts';

export function presentJob(row: JobRow, baseUrl: string): Job {
  const chunks = chunkTypes(row);
  return {
    url: `${baseUrl}/api/jobs/${row.id}`,
    id: row.id,
    task_id: row.task_id,
    task_name: row.task_name,
    project_id: row.project_id,
    project_name: row.project_name,
    assignee: presentUser(row, 'assignee', baseUrl),
    guide_id: row.guide_id,
    dimension: '2d',
    mode: row.mode,
    media_type: 'image',
    bug_tracker: row.bug_tracker,
    status: jobStatus(row),
    stage: row.stage,
    state: row.state,
    frame_count: jobFrames(row)?.length ?? row.stop_frame - row.start_frame + 1,
    start_frame: row.start_frame,
    stop_frame: row.stop_frame,
    data_chunk_size: row.chunk_size,
    data_compressed_chunk_type: chunks.compressed,
    data_original_chunk_type: chunks.original,
    created_date: row.created_date,
    updated_date: row.updated_date,
    issues: { count: row.issue_count, url: `${baseUrl}/api/issues?job_id=${row.id}` },
    labels: { url: `${baseUrl}/api/labels?job_id=${row.id}` },
    type: row.type,
    organization: row.organization_id,
    target_storage: presentStorage(row, 'target'),
    source_storage: presentStorage(row, 'source'),
    assignee_updated_date: row.assignee_updated_date,
    parent_job_id: row.parent_job_id,
    consensus_replicas: row.replica_count,
    replicas_count: row.replica_count,
  };
}
