import { queryOptions } from '@tanstack/react-query';
import { operationQuery } from './query-options.ts';
import { call } from './client.ts';

/** Only the most recent report. */
const newest = { sort: '-id', page_size: '1' } as const;

const conflictsOf = (reportId: number, signal: AbortSignal) =>
  call('listQualityConflicts', {
    query: { report_id: String(reportId), sort: 'frame,id', page_size: 'all' },
    organization: null,
    signal,
  });

export interface QualityPlace {
  readonly kind: 'task' | 'project';
  readonly id: number;
}

const among = ({ kind, id }: QualityPlace) => (kind === 'task' ? { task_id: String(id) } : { project_id: String(id) });

export const qualityQueries = {
  reports: ({ kind, id }: QualityPlace) =>
    operationQuery(['quality', 'reports', kind, id], 'listQualityReports', {
      query: { ...among({ kind, id }), target: kind, sort: '-id', page_size: '50' },
      organization: null,
    }),
  childReports: (reportId: number) =>
    operationQuery(['quality', 'children', reportId], 'listQualityReports', {
      query: { parent_id: String(reportId), sort: 'id', page_size: 'all' },
      organization: null,
    }),
  conflicts: (reportId: number) =>
    queryOptions({
      queryKey: ['quality', 'conflicts', reportId],
      queryFn: ({ signal }) => conflictsOf(reportId, signal),
    }),
  /** Conflicts of the newest report in a job; null without a report. */
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
  /** A requirement with the settings that it inherits. */
  requirement: (id: number) =>
    operationQuery(['quality', 'requirement', id], 'getQualityRequirement', { params: { id } }, { retry: false }),
  matrix: (reportId: number, requirement: number) =>
    operationQuery(
      ['quality', 'matrix', reportId, requirement],
      'getQualityRequirementMatrix',
      { params: { id: reportId }, query: { requirement } },
      { retry: false },
    ),
  validation: (taskId: number) =>
    operationQuery(
      ['quality', 'validation', taskId],
      'getTaskValidationLayout',
      { params: { id: taskId } },
      { retry: false, refetchOnMount: 'always' },
    ),
  objects: (jobId: number, frame: number) =>
    operationQuery(
      ['quality', 'objects', jobId, frame],
      'getJobAnnotations',
      { params: { id: jobId }, query: { frame } },
      { retry: false },
    ),
};
