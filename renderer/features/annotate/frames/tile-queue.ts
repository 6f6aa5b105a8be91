import type { TilePlace } from '../../../canvas/types.ts';

/** More would only wait in the browser's line for one server, where they cannot be called off. */
const atOnce = 6;

interface QueueParts {
  readonly nameOf: (place: TilePlace) => string;
  /** Fetches a tile and puts it where it belongs, unless the signal has fired. */
  readonly fetch: (place: TilePlace, signal: AbortSignal) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** Fetches the tiles that are looked at, a few at a time, and calls off those that are not looked at any more. */
export function createTileQueue({ nameOf, fetch, onFailure }: QueueParts) {
  let wanted: readonly TilePlace[] = [];
  const running = new Map<string, AbortController>();
  /** Not asked for again until something else is looked at. */
  const failed = new Set<string>();

  const run = async (place: TilePlace): Promise<void> => {
    const name = nameOf(place);
    const abort = new AbortController();
    running.set(name, abort);
    try {
      await fetch(place, abort.signal);
      wanted = wanted.filter((other) => nameOf(other) !== name);
    } catch (error) {
      if (abort.signal.aborted) return;
      failed.add(name);
      onFailure(error);
    } finally {
      if (running.get(name) === abort) running.delete(name);
      next();
    }
  };
  const next = (): void => {
    for (const place of wanted) {
      if (running.size >= atOnce) return;
      const name = nameOf(place);
      if (!failed.has(name) && !running.has(name)) void run(place);
    }
  };

  return {
    /** These and no others, the most wanted first. */
    want(places: readonly TilePlace[]) {
      wanted = places;
      failed.clear();
      const kept = new Set(places.map(nameOf));
      for (const [name, abort] of running) {
        if (kept.has(name)) continue;
        running.delete(name);
        abort.abort();
      }
      next();
    },
    retry() {
      failed.clear();
      next();
    },
    hasFailed: () => failed.size > 0,
    isWaiting: () => running.size > 0,
  };
}
