import type { overviewOperations } from '../../../../preload/contract/operations/overview.ts';
import type { CasesOf } from '../operation-case.ts';

export const overviewCases: CasesOf<typeof overviewOperations> = {
  getJobStatistics: { good: ({ jobs }) => ({ params: { id: jobs[1]!.id } }), denied: 403 },
  getTaskStatistics: { good: ({ task }) => ({ params: { id: task.id } }), denied: 403 },
  getProjectStatistics: { good: ({ project }) => ({ params: { id: project.id } }), denied: 403 },
  getJobProgress: { good: ({ jobs }) => ({ params: { id: jobs[1]!.id } }), denied: 403 },
  getProjectProgress: { good: ({ project }) => ({ params: { id: project.id } }), denied: 403 },
  searchJobFrames: {
    good: ({ jobs }) => ({ params: { id: jobs[1]!.id }, body: { filter: { '==': [{ var: 'type' }, 'shape'] } } }),
    denied: 403,
    bad: () => [
      [400, { body: { filter: { '==': [{ var: 'votes' }, 1] } } }],
      [400, { body: { filter: { and: [] } } }],
      [400, { body: { filter: {} } }],
    ],
  },
};
