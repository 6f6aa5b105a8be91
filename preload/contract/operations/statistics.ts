import { operation } from '../operation.ts';
import { jobProgressSchema, projectProgressSchema, statisticsSchema } from '../schema/statistics.ts';

const answer = { output: statisticsSchema } as const;

/** Limner's own: what is annotated, counted. */
export const statisticsOperations = {
  getJobStatistics: operation.get('/api/limner/jobs/{id}/statistics', 'Counts of what a job holds', answer),
  getTaskStatistics: operation.get('/api/limner/tasks/{id}/statistics', 'Counts of what a task holds', answer),
  getProjectStatistics: operation.get('/api/limner/projects/{id}/statistics', 'Counts of what a project holds', answer),
  getJobProgress: operation.get('/api/limner/jobs/{id}/progress', 'On how many of its frames a job has objects', {
    output: jobProgressSchema,
  }),
  getProjectProgress: operation.get('/api/limner/projects/{id}/progress', 'How far the jobs of a project are', {
    output: projectProgressSchema,
  }),
} as const;
