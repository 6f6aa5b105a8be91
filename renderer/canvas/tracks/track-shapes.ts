import { createTrackReader, type InterpolatedShape } from '../../../preload/geometry/interpolation.ts';
import { withoutDeleted } from '../../../preload/geometry/track-pieces.ts';
import type { ElementRecord, ShapeRecord, TrackKeyframe, TrackPart, TrackRecord } from '../types.ts';

type TrackReader = (frame: number) => InterpolatedShape | null;

export const partsOf = (track: TrackRecord): readonly TrackPart[] => [track, ...(track.elements ?? [])];

/** True if the track or one of its elements has a manual keyframe there. */
export const isKeyframe = (track: TrackRecord, frame: number): boolean =>
  partsOf(track).some(({ keyframes }) => keyframes.some((one) => one.frame === frame && one.border !== true));

/** Reader that follows the contract's rules for tracks across jobs. */
function readerOf(track: TrackRecord, deleted: ReadonlySet<number>): TrackReader {
  const { labelId: label_id, group, source } = track;
  const isTouched = partsOf(track).some(({ keyframes }) => keyframes.some(({ frame }) => deleted.has(frame)));
  const plain = ({ labelId, keyframes }: TrackPart) => ({
    frame: keyframes[0]?.frame ?? track.frame,
    label_id: labelId,
    shapes: keyframes,
  });
  if (!isTouched) return createTrackReader({ ...plain(track), elements: (track.elements ?? []).map(plain) });
  const copied = (part: TrackPart) => ({
    ...plain(part),
    label_id,
    group,
    source,
    attributes: [],
    shapes: part.keyframes.map((one) => ({ ...one, points: [...one.points], attributes: [...one.attributes] })),
  });
  const whole = { ...copied(track), elements: (track.elements ?? []).map(copied) };
  return createTrackReader(withoutDeleted(whole, deleted));
}

/**
 * Shapes of tracks by the contract's interpolation, so that screen, service and exports agree. Keyframes on deleted
 * frames are ignored, and nothing is visible there.
 */
export function createTrackShapes(deleted: ReadonlySet<number>) {
  const readers = new WeakMap<TrackRecord, TrackReader>();
  const read = (track: TrackRecord): TrackReader => {
    const reader = readers.get(track) ?? readerOf(track, deleted);
    readers.set(track, reader);
    return reader;
  };
  const recordOf = (track: TrackRecord, shape: InterpolatedShape): ShapeRecord => {
    const elements = track.elements === undefined ? undefined : elementsOf(track.elements, shape);
    const isHidden = elements?.every((element) => element.outside) === true;
    return {
      kind: 'shape',
      clientId: track.clientId,
      trackId: track.clientId,
      ...(track.serverId === undefined ? {} : { serverId: track.serverId }),
      frame: shape.frame,
      type: shape.type,
      labelId: track.labelId,
      points: shape.points,
      rotation: shape.rotation,
      occluded: shape.occluded,
      outside: shape.outside || isHidden,
      zOrder: shape.z_order,
      group: track.group,
      source: track.source,
      attributes: [...track.attributes, ...shape.attributes],
      score: 1,
      locked: track.locked,
      hidden: track.hidden,
      ...(track.pinned === undefined ? {} : { pinned: track.pinned }),
      ...(elements === undefined ? {} : { elements }),
      // Searched only if the shape has a stored one, which is rare.
      keyframe: (shape.keyframe || shape.elements.some(({ keyframe }) => keyframe)) && isKeyframe(track, shape.frame),
    };
  };
  /**
   * A track with a final outside keyframe is invisible afterwards, which is known without reading it. If that keyframe
   * is on a deleted frame, the track has to be read.
   */
  const endOf = ({ keyframes }: TrackRecord): number => {
    const last = keyframes.at(-1);
    return last?.outside === true && !deleted.has(last.frame) ? last.frame : Infinity;
  };
  return {
    /** The track on a frame, outside or not; null before its start and on deleted frames. */
    at(track: TrackRecord, frame: number): ShapeRecord | null {
      if (deleted.has(frame) || frame < track.frame) return null;
      const shape = read(track)(frame);
      return shape === null ? null : recordOf(track, shape);
    },
    /** The visible shape on a frame; also an outside one if it has a manual keyframe. */
    shown(track: TrackRecord, frame: number): ShapeRecord | null {
      if (frame < track.frame || frame > endOf(track)) return null;
      const record = this.at(track, frame);
      return record === null || (record.outside && record.keyframe !== true) ? null : record;
    },
  };
}

const elementsOf = (parts: readonly TrackPart[], { elements, outside }: InterpolatedShape): ElementRecord[] =>
  elements.flatMap(({ elementIndex, label_id, ...shape }): ElementRecord[] => {
    const part = parts[elementIndex];
    if (part === undefined) return [];
    return [
      {
        clientId: part.clientId,
        type: shape.type,
        labelId: label_id,
        points: shape.points,
        rotation: shape.rotation,
        occluded: shape.occluded,
        outside: shape.outside || outside,
        zOrder: shape.z_order,
        attributes: [...part.attributes, ...shape.attributes],
      },
    ];
  });

/** Sorted by frame; replaces a keyframe on the same frame. */
export function withKeyframe(keyframes: readonly TrackKeyframe[], added: TrackKeyframe): TrackKeyframe[] {
  const before = keyframes.filter(({ frame }) => frame < added.frame);
  const after = keyframes.filter(({ frame }) => frame > added.frame);
  return [...before, added, ...after];
}
