import { createListeners } from '../emitter.ts';
import type { ClientId, ShapeRecord, TrackRecord } from '../types.ts';
import { createTrackShapes } from './track-shapes.ts';

/** Tracks of all frames: the source of truth. Their shapes on a frame are derived. */
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
    /** Increases with every change; a snapshot value for `useSyncExternalStore`. */
    get version(): number {
      return version;
    },
    get: (id: ClientId) => tracks.get(id),
    /** In creation order. The same array until the next change. */
    all(): readonly TrackRecord[] {
      listed ??= [...tracks.values()];
      return listed;
    },
    /** The track on a frame, outside or not; null before its start and on deleted frames. */
    at: (track: TrackRecord, frame: number): ShapeRecord | null => shapes.at(track, frame),
    /** The visible shape of a track on a frame; null if none. */
    shown: (track: TrackRecord, frame: number): ShapeRecord | null => shapes.shown(track, frame),
    shownOn: (frame: number): ShapeRecord[] =>
      [...tracks.values()].flatMap((track) => shapes.shown(track, frame) ?? []),
    subscribe: listeners.subscribe,
    /** Replaces all tracks; keyframes on `deleted` frames are ignored. */
    reset(given: readonly TrackRecord[], deleted: ReadonlySet<number>) {
      shapes = createTrackShapes(deleted);
      tracks.clear();
      for (const track of given) tracks.set(track.clientId, track);
      changed();
    },
    /** Null deletes the track. */
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
export type Tracks = Omit<EditableTracks, 'reset' | 'apply'>;
