import type { jobOperations } from '../../../preload/contract/operations/work.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';
import { listHandler } from '../paging.ts';
import { exportRequest } from './export-request.ts';

export function createJobHandlers({
  jobs,
  frames,
  datasets,
  groundTruth,
}: Pick<Core, 'jobs' | 'frames' | 'datasets' | 'groundTruth'>): HandlersOf<typeof jobOperations> {
  return {
    listJobs: listHandler(jobs.list),
    createJob: ({ actor, body }) => groundTruth.create(actor, body),
    deleteJob: ({ actor, params }) => groundTruth.remove(actor, params.id),
    getJobValidationLayout: ({ actor, params }) => groundTruth.jobLayout(actor, params.id),
    updateJobValidationLayout: ({ actor, params, body }) => groundTruth.updateJobLayout(actor, params.id, body),
    getJob: ({ actor, params }) => jobs.get(actor, params.id),
    updateJob: ({ actor, params, body }) => jobs.update(actor, params.id, body),
    getJobMeta: ({ actor, params }) => frames.jobMeta(actor, params.id),
    updateJobMeta: ({ actor, params, body }) => frames.updateJobMeta(actor, params.id, body),
    exportJobDataset: ({ actor, params, query }) =>
      datasets.startExport(actor, { kind: 'job', id: params.id }, exportRequest(query)),
  };
}
