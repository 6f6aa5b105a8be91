import { tileSide } from '../../../../../preload/geometry/image-tiles.ts';
import type { ImageTiles } from '../../../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../../../api/api-error.ts';
import { send, wasCancelled } from '../../../../api/client.ts';
import { createListeners } from '../../../../canvas/emitter.ts';
import type { Size, TileLayout, TilePlace, TiledPicture } from '../../../../canvas/types.ts';
import type { Detail } from '../types.ts';
import { bitmapBytes, createByteCache } from './byte-cache.ts';
import { createTileQueue } from './tile-queue.ts';

/** Larger images load as tiles: a complete one would need more than 160 MB of the window's memory. */
const wholeUpToPixels = 40_000_000;

export const isTiled = ({ width, height }: Size): boolean => width * height > wholeUpToPixels;

/** Budget for the decoded tiles of a job: a full screen at up to twice the resolution, plus a reserve. */
function tileBudgetBytes(): number {
  const [columns, rows] = [screen.width, screen.height].map(
    (side) => Math.ceil((2 * side * devicePixelRatio) / tileSide) + 1,
  );
  return (columns ?? 1) * (rows ?? 1) * tileSide * tileSide * 4;
}

export interface ShownTiles extends TiledPicture {
  watch(listener: (detail: Detail) => void): () => void;
  retry(): void;
  close(): void;
}

export type TiledFrames = ReturnType<typeof createTiledFrames>;

const nameOf = ({ level, column, row }: TilePlace): string => `${level}/${column}/${row}`;

const decoded = async (blob: Blob): Promise<ImageBitmap> => {
  try {
    // Decodes outside the main thread.
    return await createImageBitmap(blob);
  } catch (error) {
    throw new Error(`Cannot decode a part of the image (${messageOf(error)}).`, { cause: error });
  }
};

export function createTiledFrames(jobId: number, budgetBytes = tileBudgetBytes()) {
  const cache = createByteCache<string, ImageBitmap>(budgetBytes, (tile) => tile.close());

  return {
    async open(frame: number, { width, height }: Size, signal: AbortSignal, display = ''): Promise<ShownTiles> {
      const path = `/api/limner/jobs/${jobId}/frames/${frame}`;
      const query = display === '' ? '' : `?${display}`;
      const overview = await decoded(await (await send(`${path}/overview${query}`, { signal })).blob());
      const isTurned = ({ orientation }: ImageTiles): boolean => orientation >= 5;
      return createShownTiles({
        overview,
        cache,
        key: (place) => `${frame}/${nameOf(place)}${query}`,
        async readLayout(ended) {
          const found = (await (await send(`${path}/tiles${query}`, { signal: ended })).json()) as ImageTiles;
          const stored = isTurned(found) ? { width: height, height: width } : { width, height };
          return { stored, orientation: found.orientation };
        },
        readTile: async (place, ended) =>
          decoded(await (await send(`${path}/tiles/${nameOf(place)}${query}`, { signal: ended ?? null })).blob()),
      });
    },
  };
}

interface TilesParts {
  readonly overview: ImageBitmap;
  readonly cache: ReturnType<typeof createByteCache<string, ImageBitmap>>;
  readonly key: (place: TilePlace) => string;
  readonly readLayout: (signal: AbortSignal) => Promise<TileLayout>;
  readonly readTile: (place: TilePlace, signal?: AbortSignal) => Promise<ImageBitmap>;
}

function createShownTiles({ overview, cache, key, readLayout, readTile }: TilesParts): ShownTiles {
  let layout: TileLayout | null = null;
  let asking: { readonly promise: Promise<TileLayout>; readonly abort: AbortController } | null = null;
  let problem: string | null = null;
  const arrivals = createListeners<[place: TilePlace | null]>();
  const watchers = createListeners<[detail: Detail]>();

  const detail = (): Detail => {
    if (problem !== null) return { kind: 'failed', message: problem };
    return layout === null ? { kind: 'making' } : null;
  };
  const setProblem = (given: string | null): void => {
    problem = given;
    watchers.tell(detail());
  };
  const fail = (error: unknown): void => {
    if (!wasCancelled(error)) setProblem(messageOf(error));
  };
  const queue = createTileQueue({
    nameOf: key,
    async fetch(place, signal) {
      const tile = await readTile(place, signal);
      if (signal.aborted) return tile.close();
      // Later tiles may evict it; it is on the canvas by then.
      cache.set(key(place), tile, bitmapBytes(tile));
      if (problem !== null && !queue.hasFailed()) setProblem(null);
      arrivals.tell(place);
    },
    onFailure: fail,
  });
  const askLayout = async (abort: AbortController): Promise<TileLayout> => {
    try {
      layout = await readLayout(abort.signal);
    } finally {
      if (asking?.abort === abort) asking = null;
    }
    setProblem(null);
    arrivals.tell(null);
    return layout;
  };
  const openLayout = (): Promise<TileLayout> => {
    if (layout !== null) return Promise.resolve(layout);
    if (asking === null) {
      const abort = new AbortController();
      asking = { promise: askLayout(abort), abort };
    }
    return asking.promise;
  };
  const want = (places: readonly TilePlace[] | null): void => {
    queue.want((places ?? []).filter((place) => !cache.has(key(place))));
    if (places === null) {
      asking?.abort.abort();
      asking = null;
      problem = null;
    } else if (problem === null) {
      openLayout().catch(fail);
    }
  };

  return {
    overview,
    layout: () => layout,
    tile: (place) => cache.get(key(place)),
    want,
    onCome: arrivals.subscribe,
    isWaiting: () => asking !== null || queue.isWaiting(),
    async read(place) {
      const found = cache.get(key(place));
      return found === undefined ? readTile(place) : createImageBitmap(found);
    },
    readLayout: openLayout,
    watch(listener) {
      listener(detail());
      return watchers.subscribe(listener);
    },
    retry() {
      setProblem(null);
      queue.retry();
      openLayout().catch(fail);
    },
    close() {
      want(null);
      overview.close();
    },
  };
}
