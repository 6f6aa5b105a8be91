import { createListeners } from '../emitter.ts';
import type { ClientId, ShapeRecord, TrackRecord } from '../types.ts';
import { createTrackShapes } from './track-shapes.ts';

/** The tracks of all frames. The truth; what a frame shows of them is derived. */
export function createTrackSet() {
  const tracks = new Map<ClientId, TrackRecord>();
  const listeners = createListeners();
  let shapes = createTrackShapes(new Set());
  let listed: readonly TrackRecord[] | null = null;
  let version = 0;

  const changed = (): void => {
    version += 1;
    listed = null;
    listeners.tell();
  };
  return {
    /** Grows with every change: a snapshot value for `useSyncExternalStore`. */
    get version(): number {
      return version;
    },
    get: (id: ClientId) => tracks.get(id),
    /** In the order of creation. The same array until the next change. */
    all(): readonly TrackRecord[] {
      listed ??= [...tracks.values()];
      return listed;
    },
    /** The track on a frame, outside or not; null where it has not begun or the frame is deleted. */
    at: (track: TrackRecord, frame: number): ShapeRecord | null => shapes.at(track, frame),
    /** What the frame shows of a track; null for nothing. */
    shown: (track: TrackRecord, frame: number): ShapeRecord | null => shapes.shown(track, frame),
    shownOn: (frame: number): ShapeRecord[] =>
      [...tracks.values()].flatMap((track) => shapes.shown(track, frame) ?? []),
    subscribe: listeners.subscribe,
    /** Other tracks in the place of all; keyframes on `deleted` frames do not count. */
    reset(given: readonly TrackRecord[], deleted: ReadonlySet<number>) {
      shapes = createTrackShapes(deleted);
      tracks.clear();
      for (const track of given) tracks.set(track.clientId, track);
      changed();
    },
    /** Null: the track goes. */
    apply(given: ReadonlyMap<ClientId, TrackRecord | null>) {
      if (given.size === 0) return;
      for (const [id, track] of given) {
        if (track === null) tracks.delete(id);
        else tracks.set(id, track);
      }
      changed();
    },
  };
}

export type EditableTracks = ReturnType<typeof createTrackSet>;
/** What is to be seen of it outside the canvas. */
export type Tracks = Omit<EditableTracks, 'reset' | 'apply'>;
