import type { requestOperations } from '../../../preload/contract/operations/work.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';
import { listHandler } from '../paging.ts';

export function createRequestHandlers({ requests }: Pick<Core, 'requests'>): HandlersOf<typeof requestOperations> {
  return {
    listRequests: listHandler(requests.list),
    getRequest: ({ actor, params }) => requests.get(actor, params.id),
    cancelRequest: ({ actor, params }) => requests.cancel(actor, params.id),
    getRequestReport({ actor, params }) {
      const { carried, losses, bad, badCount, warnings, survey } = requests.report(actor, params.id);
      return {
        carried: [...carried],
        losses: [...losses],
        bad: [...bad],
        badCount,
        warnings: [...warnings],
        ...(survey ? { survey } : {}),
      };
    },
  };
}
