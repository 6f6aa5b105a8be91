import { queryOptions } from '@tanstack/react-query';
import { operationQuery } from './query-options.ts';
import { call } from './client.ts';

export const consensusQueries = {
  settings: (taskId: number) =>
    queryOptions({
      queryKey: ['consensus', 'settings', taskId],
      async queryFn({ signal }) {
        const query = { task_id: String(taskId) };
        return (await call('listConsensusSettings', { query, organization: null, signal })).results[0] ?? null;
      },
    }),
  agreement: (taskId: number) =>
    operationQuery(['consensus', 'agreement', taskId], 'getTaskAgreement', { params: { id: taskId } }),
};
