import type { StoreApi } from 'zustand/vanilla';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import type { Size } from '../../../../canvas/types.ts';
import type { AnnotateState } from '../types.ts';
import { savedChoice } from '../saved-switches.ts';
import { createClipboard, mayReadClipboard } from './clipboard.ts';
import { createShapeOperations } from './shape-operations.ts';
import { createSkeletonOperations } from './skeleton-operations.ts';

interface EditControllerParts {
  readonly jobId: number;
  readonly engine: CanvasEngine;
  readonly store: StoreApi<AnnotateState>;
  readonly metaOf: (frame: number) => Size | undefined;
}

export function createEditController({ jobId, engine, store, metaOf }: EditControllerParts) {
  const size = (): Size => metaOf(engine.scene.frame) ?? { width: 1, height: 1 };
  engine.selection.setWholeGroups(savedChoice('wholeGroups'));
  return {
    operations: createShapeOperations({ engine, store, size }),
    skeletons: createSkeletonOperations({ engine, store }),
    clipboard: createClipboard({
      jobId,
      engine,
      store,
      kept: localStorage,
      system: window.isSecureContext ? navigator.clipboard : undefined,
      mayRead: mayReadClipboard,
    }),
  };
}
