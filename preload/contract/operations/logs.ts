import { operation } from '../operation.ts';
import * as logs from '../schema/logs.ts';

/** Limner's own: what it has written down of itself. For administrators. */
export const logOperations = {
  listLog: operation.get('/api/limner/log', 'Lines of the log, the newest first', {
    query: logs.logQuerySchema,
    output: logs.logSchema,
  }),
  describeReport: operation.get('/api/limner/report', 'What a report for somebody who helps would pack', {
    output: logs.reportSchema,
  }),
} as const;
