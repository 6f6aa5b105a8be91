import type { overviewOperations } from '../../../../preload/contract/operations/overview.ts';
import type { CasesOf } from '../operation-case.ts';

export const overviewCases: CasesOf<typeof overviewOperations> = {
  getJobStatistics: { good: ({ jobs }) => ({ params: { id: jobs[1]!.id } }) },
  getTaskStatistics: { good: ({ task }) => ({ params: { id: task.id } }) },
  getProjectStatistics: { good: ({ project }) => ({ params: { id: project.id } }) },
  getJobProgress: { good: ({ jobs }) => ({ params: { id: jobs[1]!.id } }) },
  getProjectProgress: { good: ({ project }) => ({ params: { id: project.id } }) },
  searchJobFrames: {
    good: ({ jobs }) => ({ params: { id: jobs[1]!.id }, body: { filter: { '==': [{ var: 'type' }, 'shape'] } } }),

    bad: () => [
      [400, { body: { filter: { '==': [{ var: 'votes' }, 1] } } }],
      [400, { body: { filter: { and: [] } } }],
      [400, { body: { filter: {} } }],
    ],
  },
};
