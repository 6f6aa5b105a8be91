import type { Size } from '../../../../canvas/types.ts';
import type { SessionParts } from '../types.ts';
import { savedChoice } from '../saved-switches.ts';
import { createClipboard, mayReadClipboard } from './clipboard.ts';
import { createShapeOperations } from './shape-operations.ts';
import { createSkeletonOperations } from './skeleton-operations.ts';

export function createEditController({
  job,
  engine,
  store,
  metaOf,
}: Pick<SessionParts, 'job' | 'engine' | 'store' | 'metaOf'>) {
  const size = (): Size => metaOf(engine.scene.frame) ?? { width: 1, height: 1 };
  engine.selection.setWholeGroups(savedChoice('wholeGroups'));
  return {
    operations: createShapeOperations({ engine, store, size }),
    skeletons: createSkeletonOperations({ engine, store }),
    clipboard: createClipboard({
      jobId: job.id,
      engine,
      store,
      kept: localStorage,
      system: window.isSecureContext ? navigator.clipboard : undefined,
      mayRead: mayReadClipboard,
    }),
  };
}
