import type { findingOperations } from '../../../../preload/contract/operations/finding.ts';
import type { CasesOf } from '../operation-case.ts';

export const findingCases: CasesOf<typeof findingOperations> = {
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
