import type { logOperations } from '../../../../preload/contract/operations/logs.ts';
import type { CasesOf } from '../operation-case.ts';

export const logCases: CasesOf<typeof logOperations> = {
  listLog: {
    caller: ({ admin }) => admin,
    good: () => ({ query: { level: 'warn' } }),
    denied: 403,
    bad: () => [
      [400, { query: { level: 'fatal' as 'error' } }],
      [400, { query: { limit: 0 } }],
    ],
  },
  describeReport: { caller: ({ admin }) => admin, good: () => ({}), denied: 403, takesAnything: true },
};
