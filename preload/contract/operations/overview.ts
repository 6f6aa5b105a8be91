import { operation } from '../operation.ts';
import { jobProgressSchema, projectProgressSchema, statisticsSchema } from '../schema/statistics.ts';
import { frameMatchesSchema, frameSearchSchema } from '../schema/finding.ts';

const answer = { output: statisticsSchema } as const;

/** Limner extension: statistics and search of annotations. */
export const overviewOperations = {
  getJobStatistics: operation.get('/api/limner/jobs/{id}/statistics', 'Statistics of a job', answer),
  getTaskStatistics: operation.get('/api/limner/tasks/{id}/statistics', 'Statistics of a task', answer),
  getProjectStatistics: operation.get('/api/limner/projects/{id}/statistics', 'Statistics of a project', answer),
  getJobProgress: operation.get('/api/limner/jobs/{id}/progress', 'Numbers of all and of annotated frames of a job', {
    output: jobProgressSchema,
  }),
  getProjectProgress: operation.get('/api/limner/projects/{id}/progress', "Progress of a project's jobs", {
    output: projectProgressSchema,
  }),

  searchJobFrames: operation.post(
    '/api/limner/jobs/{id}/frames/search',
    'Frames of a job with matching annotations, and their counts',
    { status: 200, body: frameSearchSchema, output: frameMatchesSchema },
  ),
} as const;
