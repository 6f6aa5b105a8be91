import type { statisticsOperations } from '../../../../preload/contract/operations/statistics.ts';
import type { CasesOf } from '../operation-case.ts';

export const statisticsCases: CasesOf<typeof statisticsOperations> = {
  getJobStatistics: { good: ({ jobs }) => ({ params: { id: jobs[1]!.id } }), denied: 403 },
  getTaskStatistics: { good: ({ task }) => ({ params: { id: task.id } }), denied: 403 },
  getProjectStatistics: { good: ({ project }) => ({ params: { id: project.id } }), denied: 403 },
  getJobProgress: { good: ({ jobs }) => ({ params: { id: jobs[1]!.id } }), denied: 403 },
  getProjectProgress: { good: ({ project }) => ({ params: { id: project.id } }), denied: 403 },
};
