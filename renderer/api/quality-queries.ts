import { queryOptions } from '@tanstack/react-query';
import { asked } from './asked.ts';
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

const among = ({ kind, id }: QualityPlace) => (kind === 'task' ? { task_id: String(id) } : { project_id: String(id) });

/** Reports beside a ground truth, what they found, and what they go by. */
export const qualityQueries = {
  /** The newest reports of a task or a project. */
  reports: ({ kind, id }: QualityPlace) =>
    asked(['quality', 'reports', kind, id], 'listQualityReports', {
      query: { ...among({ kind, id }), target: kind, sort: '-id', page_size: '50' },
      organization: null,
    }),
  /** Those of the jobs of a task's report, or of the tasks of a project's. */
  childReports: (reportId: number) =>
    asked(['quality', 'children', reportId], 'listQualityReports', {
      query: { parent_id: String(reportId), sort: 'id', page_size: 'all' },
      organization: null,
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
        const query = { ...among({ kind, id }), parent_type: kind };
        return (await call('listQualitySettings', { query, organization: null, signal })).results[0] ?? null;
      },
    }),
  /** What a job has on a frame. */
  objects: (jobId: number, frame: number) =>
    asked(
      ['quality', 'objects', jobId, frame],
      'getJobAnnotations',
      { params: { id: jobId }, query: { frame } },
      { retry: false },
    ),
};
