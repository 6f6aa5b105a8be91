import type { historyOperations } from '../../../../preload/contract/operations/history.ts';
import type { CasesOf } from '../operation-case.ts';

export const historyCases: CasesOf<typeof historyOperations> = {
  listHistory: {
    good: ({ task }) => ({ query: { task_id: task.id } }),
    denied: 403,
    bad: () => [
      [403, { query: {} }],
      [400, { query: { task_id: 'one' as unknown as number } }],
      [400, { query: { kind: 'shape' as 'task' } }],
      [400, { query: { limit: 1000 } }],
      [404, { query: { project_id: 999_999 } }],
    ],
  },
};
