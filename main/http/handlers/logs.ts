import type { logOperations } from '../../../preload/contract/operations/logs.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';

export const createLogHandlers = ({ logs }: Pick<Core, 'logs'>): HandlersOf<typeof logOperations> => ({
  listLog: ({ actor, query }) => logs.list(actor, query),
  describeReport: ({ actor }) => logs.describe(actor),
});
