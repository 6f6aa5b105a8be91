import { createStore } from 'zustand/vanilla';
import type { JsonLogic } from '../../../../../preload/contract/object-filter/filter-logic.ts';
import type { FrameMatches } from '../../../../../preload/contract/schema/finding.ts';

interface MatchParts {
  readonly ask: (filter: JsonLogic | null) => Promise<FrameMatches>;
  /** Resolves when all edits are sent or cannot be sent, because the service searches only saved objects. */
  readonly whenSaved: () => Promise<void>;
}

/** Frames with matching objects, requested from the service and cached until the next edit. */
export function createFrameMatches({ ask, whenSaved }: MatchParts) {
  const changes = createStore(() => ({ count: 0 }));
  const known = new Map<string, Promise<FrameMatches>>();
  return {
    /** Null matches every object. */
    of(filter: JsonLogic | null): Promise<FrameMatches> {
      const key = JSON.stringify(filter);
      const found = known.get(key);
      if (found !== undefined) return found;
      const operationQuery: Promise<FrameMatches> = whenSaved()
        .then(() => ask(filter))
        .catch((error: unknown) => {
          if (known.get(key) === operationQuery) known.delete(key);
          throw error;
        });
      known.set(key, operationQuery);
      return operationQuery;
    },
    /** Invalidates the cached results after an edit. */
    forget() {
      known.clear();
      changes.setState(({ count }) => ({ count: count + 1 }));
    },
    /** Number of invalidations. */
    changes,
  };
}

export type FrameMatchService = ReturnType<typeof createFrameMatches>;
