import type { historyOperations } from '../../../preload/contract/operations/history.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';

export const createHistoryHandlers = ({ history }: Pick<Core, 'history'>): HandlersOf<typeof historyOperations> => ({
  listHistory: ({ actor, query }) => history.list(actor, query),
});
