import type { TilePlace } from '../../../../canvas/types.ts';

/** More requests would wait in the browser's connection queue, where they cannot be cancelled. */
const atOnce = 6;

interface QueueParts {
  readonly nameOf: (place: TilePlace) => string;
  /** Fetches and places a tile unless the signal is aborted. */
  readonly fetch: (place: TilePlace, signal: AbortSignal) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** Fetches the visible tiles, a few at a time, and cancels requests for others. */
export function createTileQueue({ nameOf, fetch, onFailure }: QueueParts) {
  let wanted: readonly TilePlace[] = [];
  const running = new Map<string, AbortController>();
  /** Not requested again until the view changes. */
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
    /** Sets the wanted tiles, most urgent first. Other requests are cancelled. */
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
