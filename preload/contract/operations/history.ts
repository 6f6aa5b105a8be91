import { operation } from '../operation.ts';
import * as history from '../schema/history.ts';

/** Limner's own: who has changed what. All of it for administrators; of a project, task or job for whoever sees it. */
export const historyOperations = {
  listHistory: operation.get('/api/limner/history', 'Who has changed what, the newest first', {
    query: history.historyQuerySchema,
    output: history.historySchema,
  }),
} as const;
