import { createStore } from 'zustand/vanilla';
import type { JsonLogic } from '../../../../preload/contract/object-filter/filter-logic.ts';
import type { FrameMatches } from '../../../../preload/contract/schema/finding.ts';

interface MatchParts {
  readonly ask: (filter: JsonLogic | null) => Promise<FrameMatches>;
  /** Everything is sent, or cannot be: what the service does not have it does not find. */
  readonly whenSaved: () => Promise<void>;
}

/** Which frames have objects that pass a filter: asked of the service once, and again after edits. */
export function createFrameMatches({ ask, whenSaved }: MatchParts) {
  const changes = createStore(() => ({ count: 0 }));
  const known = new Map<string, Promise<FrameMatches>>();
  return {
    /** Null: every object passes. */
    of(filter: JsonLogic | null): Promise<FrameMatches> {
      const key = JSON.stringify(filter);
      const found = known.get(key);
      if (found !== undefined) return found;
      const asked: Promise<FrameMatches> = whenSaved()
        .then(() => ask(filter))
        .catch((error: unknown) => {
          if (known.get(key) === asked) known.delete(key);
          throw error;
        });
      known.set(key, asked);
      return asked;
    },
    /** Something was changed: what was found may not be so any more. */
    forget() {
      known.clear();
      changes.setState(({ count }) => ({ count: count + 1 }));
    },
    /** How often that was. */
    changes,
  };
}

export type FrameMatchService = ReturnType<typeof createFrameMatches>;

/** The nearest of some frames in rising order before or behind a frame; null: there is none. */
export function nextOf(frames: readonly number[], frame: number, by: 1 | -1): number | null {
  return (by > 0 ? frames.find((one) => one > frame) : frames.findLast((one) => one < frame)) ?? null;
}

/** The nearest frame that is none of some others; null: there is none. */
export function nextWithout(
  taken: ReadonlySet<number>,
  { frame, first, last }: { readonly frame: number; readonly first: number; readonly last: number },
  by: 1 | -1,
): number | null {
  for (let at = frame + by; at >= first && at <= last; at += by) if (!taken.has(at)) return at;
  return null;
}
