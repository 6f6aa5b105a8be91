import type { Task } from '../../../preload/contract/schema/resources.ts';
import { valuesFor } from '../../db/columns.ts';
import { presentUser } from '../../users/accounts/present.ts';
import { presentStorage } from '../tables/storage-repository.ts';
import { chunkTypes } from '../tables/chunk-types.ts';
import { taskColumns, type TaskRow } from '../tables/task-table.ts';

/** A task as the service API returns it; the keys about data are absent until it has data. */
export function presentTask(row: TaskRow, baseUrl: string): Task {
  const hasData = row.media_id !== null;
  return {
    url: `${baseUrl}/api/tasks/${row.id}`,
    id: row.id,
    ...valuesFor(taskColumns, 'plain', row),
    project_id: row.project_id,
    project_name: row.project_name,
    mode: row.mode,
    owner: presentUser(row, 'owner', baseUrl),
    assignee: presentUser(row, 'assignee', baseUrl),
    created_date: row.created_date,
    updated_date: row.updated_date,
    overlap: row.overlap,
    segment_size: row.segment_size,
    status: row.status,
    ...(hasData ? presentData(row) : {}),
    guide_id: row.guide_id,
    data: row.media_id,
    dimension: hasData ? '2d' : '',
    media_type: hasData ? 'image' : '',
    organization: row.organization_id,
    organization_id: row.organization_id,
    target_storage: presentStorage(row, 'target'),
    source_storage: presentStorage(row, 'source'),
    jobs: {
      count: row.job_count,
      completed: row.completed_count,
      validation: row.validation_count,
      in_progress: row.in_progress_count,
      url: `${baseUrl}/api/jobs?task_id=${row.id}`,
    },
    labels: { url: `${baseUrl}/api/labels?task_id=${row.id}` },
    assignee_updated_date: row.assignee_updated_date,
    validation_mode: row.validation_mode,
    consensus_enabled: row.consensus_replicas > 0,
    initial_replicas: row.consensus_replicas,
  };
}

function presentData(row: TaskRow) {
  const chunks = chunkTypes(row);
  return {
    data_chunk_size: row.chunk_size,
    data_compressed_chunk_type: chunks.compressed,
    data_original_chunk_type: chunks.original,
    size: row.size ?? 0,
    image_quality: row.image_quality ?? 0,
    data_cloud_storage_id: row.cloud_storage_id,
  } as const;
}
