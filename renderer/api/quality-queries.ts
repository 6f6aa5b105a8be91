import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

/** The most recent of these reports, and nothing else of them. */
const newest = { sort: '-id', page_size: '1' } as const;

const conflictsOf = (reportId: number, signal: AbortSignal) =>
  call('listQualityConflicts', {
    query: { report_id: String(reportId), sort: 'frame,id', page_size: 'all' },
    organization: null,
    signal,
  });

/** What is compared as a whole. */
export interface QualityPlace {
  readonly kind: 'task' | 'project';
  readonly id: number;
}

const asked = ({ kind, id }: QualityPlace) => (kind === 'task' ? { task_id: String(id) } : { project_id: String(id) });

/** Reports beside a ground truth, what they found, and what they go by. */
export const qualityQueries = {
  /** The newest reports of a task or a project. */
  reports: ({ kind, id }: QualityPlace) =>
    queryOptions({
      queryKey: ['quality', 'reports', kind, id],
      queryFn: ({ signal }) =>
        call('listQualityReports', {
          query: { ...asked({ kind, id }), target: kind, sort: '-id', page_size: '50' },
          organization: null,
          signal,
        }),
    }),
  /** Those of the jobs of a task's report, or of the tasks of a project's. */
  childReports: (reportId: number) =>
    queryOptions({
      queryKey: ['quality', 'children', reportId],
      queryFn: ({ signal }) =>
        call('listQualityReports', {
          query: { parent_id: String(reportId), sort: 'id', page_size: 'all' },
          organization: null,
          signal,
        }),
    }),
  /** All that a report found, frame by frame. */
  conflicts: (reportId: number) =>
    queryOptions({
      queryKey: ['quality', 'conflicts', reportId],
      queryFn: ({ signal }) => conflictsOf(reportId, signal),
    }),
  /** What the newest report found in a job; null: there is none. */
  ofJob: (jobId: number) =>
    queryOptions({
      queryKey: ['quality', 'job', jobId],
      async queryFn({ signal }) {
        const query = { job_id: String(jobId), ...newest };
        const [report] = (await call('listQualityReports', { query, organization: null, signal })).results;
        if (report === undefined) return null;
        return { report, conflicts: (await conflictsOf(report.id, signal)).results };
      },
    }),
  settings: ({ kind, id }: QualityPlace) =>
    queryOptions({
      queryKey: ['quality', 'settings', kind, id],
      async queryFn({ signal }) {
        const query = { ...asked({ kind, id }), parent_type: kind };
        return (await call('listQualitySettings', { query, organization: null, signal })).results[0] ?? null;
      },
    }),
  /** What a job has on a frame. */
  objects: (jobId: number, frame: number) =>
    queryOptions({
      queryKey: ['quality', 'objects', jobId, frame],
      queryFn: ({ signal }) => call('getJobAnnotations', { params: { id: jobId }, query: { frame }, signal }),
      retry: false,
    }),
};
