import { boxCentre } from '../geometry/box.ts';
import { boundsOf } from '../shapes/shape-behaviours.ts';
import type { Point, ShapeRecord, TrackRecord } from '../types.ts';
import type { Tracks } from './track-set.ts';

/** Number of frames before and after the displayed one that a path covers. */
const reachFrames = 60;

/** Path of a track's centre, image pixels. A piece ends where the track is outside. */
export interface TrackPath {
  readonly behind: readonly (readonly Point[])[];
  readonly ahead: readonly (readonly Point[])[];
  readonly keyframes: readonly Point[];
}

const centreOf = (shape: ShapeRecord): Point => boxCentre(boundsOf(shape));

/** Deleted frames (null) have no position and do not interrupt a piece. */
function piecesOf(shapes: readonly (ShapeRecord | null)[]): Point[][] {
  const pieces: Point[][] = [];
  let isOpen = false;
  for (const shape of shapes) {
    if (shape === null) continue;
    if (!shape.outside && isOpen) pieces.at(-1)?.push(centreOf(shape));
    else if (!shape.outside) pieces.push([centreOf(shape)]);
    isOpen = !shape.outside;
  }
  return pieces;
}

/** Paths of tracks around a frame, computed once per record and frame. */
export function createTrackPaths(at: Tracks['at']) {
  const known = new WeakMap<TrackRecord, { readonly frame: number; readonly path: TrackPath }>();
  return (track: TrackRecord, frame: number): TrackPath => {
    const before = known.get(track);
    if (before?.frame === frame) return before.path;
    const shapesOf = (first: number, last: number): (ShapeRecord | null)[] =>
      Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => at(track, first + index));
    const behind = shapesOf(Math.max(track.frame, frame - reachFrames), frame);
    const ahead = shapesOf(Math.max(track.frame, frame), frame + reachFrames);
    const path = {
      behind: piecesOf(behind),
      ahead: piecesOf(ahead),
      keyframes: [...behind, ...ahead].flatMap((shape) =>
        shape?.keyframe === true && !shape.outside && shape.frame !== frame ? centreOf(shape) : [],
      ),
    };
    known.set(track, { frame, path });
    return path;
  };
}
