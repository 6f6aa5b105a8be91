import type { StoreApi } from 'zustand/vanilla';
import type { CanvasEngine } from '../../../canvas/canvas-engine.ts';
import type { AnnotateState } from '../annotate-state.ts';
import { createFilterDesk } from './filter/filter-desk.ts';

interface FindParts {
  readonly engine: CanvasEngine;
  readonly store: StoreApi<AnnotateState>;
}

/** Finding one's way in a job: which objects are shown, and where others like them are. */
export function createFindDesk({ engine, store }: FindParts) {
  const filter = createFilterDesk({ engine, store, kept: localStorage });
  return {
    filter,
    close() {
      filter.close();
    },
  };
}
