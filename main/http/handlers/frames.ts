import type { frameOperations } from '../../../preload/contract/operations/frames.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';

export function createFrameHandlers({ frameImages }: Pick<Core, 'frameImages'>): HandlersOf<typeof frameOperations> {
  return {
    countTaskFrames: ({ actor, params: { id }, query }) => frameImages.count(actor, { kind: 'task', id }, query),
    countJobFrames: ({ actor, params: { id }, query }) => frameImages.count(actor, { kind: 'job', id }, query),
    makeTaskOfFrames: ({ actor, params, body }) => frameImages.startTask(actor, params.id, body),
    exportFrames: ({ actor, params, body }) => frameImages.startExport(actor, params.id, body),
  };
}
