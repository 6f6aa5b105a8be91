import { operation } from '../operation.ts';
import { jobProgressSchema, projectProgressSchema, statisticsSchema } from '../schema/statistics.ts';
import { frameMatchesSchema, frameSearchSchema } from '../schema/finding.ts';

const answer = { output: statisticsSchema } as const;

/** Limner extension: statistics and search of annotations. */
export const overviewOperations = {
  getJobStatistics: operation.get('/api/limner/jobs/{id}/statistics', 'Counts of what a job holds', answer),
  getTaskStatistics: operation.get('/api/limner/tasks/{id}/statistics', 'Counts of what a task holds', answer),
  getProjectStatistics: operation.get('/api/limner/projects/{id}/statistics', 'Counts of what a project holds', answer),
  getJobProgress: operation.get('/api/limner/jobs/{id}/progress', 'On how many of its frames a job has objects', {
    output: jobProgressSchema,
  }),
  getProjectProgress: operation.get('/api/limner/projects/{id}/progress', 'How far the jobs of a project are', {
    output: projectProgressSchema,
  }),

  searchJobFrames: operation.post(
    '/api/limner/jobs/{id}/frames/search',
    'Frames of a job with annotations that pass a filter, and how many',
    { status: 200, body: frameSearchSchema, output: frameMatchesSchema },
  ),
} as const;
