import type { Request } from '../../preload/contract/schema/resources.ts';
import type { RequestRow } from './request-repository.ts';

/** @param live progress of a running request, which is not stored */
export function presentRequest(
  row: RequestRow,
  baseUrl: string,
  live?: { readonly message: string; readonly progress: number },
): Request {
  const isRunning = row.status === 'started';
  return {
    id: row.id,
    status: row.status,
    message: isRunning ? (live?.message ?? row.message) : row.message,
    operation: {
      type: row.type,
      target: row.target,
      project_id: row.project_id,
      task_id: row.task_id,
      job_id: row.job_id,
      org_id: row.organization_id,
      format: row.format,
      function_id: null,
      lightweight: row.type === 'export:backup' ? isLightweight(row) : null,
    },
    progress: isRunning ? (live?.progress ?? row.progress) : row.progress,
    created_date: row.created_date,
    started_date: row.started_date,
    finished_date: row.finished_date,
    expiry_date: row.expiry_date,
    owner: row.owner_id === null ? null : { id: row.owner_id, username: row.owner_username ?? '' },
    result_url: row.result_file === null ? null : resultUrl(row, baseUrl),
    result_id: row.result_id,
  };
}

const isLightweight = ({ parameters }: RequestRow): boolean =>
  (JSON.parse(parameters) as { lightweight?: unknown }).lightweight === true;

function resultUrl(row: RequestRow, baseUrl: string): string {
  if (row.target === 'events') return `${baseUrl}/api/events/download?rq_id=${encodeURIComponent(row.id)}`;
  const id = row.target === 'project' ? row.project_id : row.target === 'job' ? row.job_id : row.task_id;
  const kind = row.subresource === 'backup' ? 'backup' : 'dataset';
  return `${baseUrl}/api/${row.target}s/${id}/${kind}/download?rq_id=${encodeURIComponent(row.id)}`;
}
