import type { labelOperations } from '../../../preload/contract/operations/work.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';
import { listHandler } from '../paging.ts';

export function createLabelHandlers({ labels }: Pick<Core, 'labels'>): HandlersOf<typeof labelOperations> {
  return {
    listLabels: listHandler(labels.list),
    getLabel: ({ actor, params }) => labels.get(actor, params.id),
    updateLabel: ({ actor, params, body }) => labels.update(actor, params.id, body),
    deleteLabel: ({ actor, params }) => labels.remove(actor, params.id),
  };
}
