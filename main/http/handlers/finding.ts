import type { findingOperations } from '../../../preload/contract/operations/finding.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';

export function createFindingHandlers({
  frameSearch,
}: Pick<Core, 'frameSearch'>): HandlersOf<typeof findingOperations> {
  return {
    searchJobFrames: ({ actor, params, body }) => frameSearch.search(actor, params.id, body),
  };
}
