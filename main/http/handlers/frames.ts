import type { frameOperations } from '../../../preload/contract/operations/frames.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';

export function createFrameHandlers({ frameImages }: Pick<Core, 'frameImages'>): HandlersOf<typeof frameOperations> {
  return {
    countTaskFrames: ({ actor, params: { id }, body }) => frameImages.count(actor, { kind: 'task', id }, body),
    countJobFrames: ({ actor, params: { id }, body }) => frameImages.count(actor, { kind: 'job', id }, body),
    makeTaskOfFrames: ({ actor, params, body }) => frameImages.startTask(actor, params.id, body),
    exportFrames: ({ actor, params, body }) => frameImages.startExport(actor, params.id, body),
  };
}
