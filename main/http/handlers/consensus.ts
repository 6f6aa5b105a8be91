import type { consensusOperations } from '../../../preload/contract/operations/consensus.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';
import { listHandler } from '../paging.ts';

export function createConsensusHandlers({
  consensus,
  agreement,
}: Pick<Core, 'consensus' | 'agreement'>): HandlersOf<typeof consensusOperations> {
  return {
    createConsensusMerge: ({ actor, body }) => consensus.start(actor, body),
    listConsensusSettings: listHandler(consensus.listSettings),
    getConsensusSettings: ({ actor, params }) => consensus.getSettings(actor, params.id),
    updateConsensusSettings: ({ actor, params, body }) => consensus.updateSettings(actor, params.id, body),
    getTaskAgreement: ({ actor, params, request }) => agreement.ofTask(actor, params.id, request.signal),
    getTaskAgreementFile: ({ actor, params, query, request }) =>
      agreement.file(actor, params.id, query.format, request.signal),
  };
}
