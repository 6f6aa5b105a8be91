import { createTrackReader, type InterpolatedShape } from '../../../preload/contract/interpolation.ts';
import { withoutDeleted } from '../../../preload/contract/track-pieces.ts';
import type { ElementRecord, ShapeRecord, TrackKeyframe, TrackPart, TrackRecord } from '../types.ts';

type TrackReader = (frame: number) => InterpolatedShape | null;

export const partsOf = (track: TrackRecord): readonly TrackPart[] => [track, ...(track.elements ?? [])];

/** Keyframes that somebody set, of the track and of its elements. */
export const isKeyframe = (track: TrackRecord, frame: number): boolean =>
  partsOf(track).some(({ keyframes }) => keyframes.some((one) => one.frame === frame && one.border !== true));

/** As the contract's rules for tracks of several jobs read it. */
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
 * What tracks show, by the contract's own interpolation: screen, service and exports cannot disagree. Keyframes on
 * deleted frames do not count, and nothing is seen there.
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
      // Looked for only where one is stored: on most frames there is none.
      keyframe: (shape.keyframe || shape.elements.some(({ keyframe }) => keyframe)) && isKeyframe(track, shape.frame),
    };
  };
  /**
   * A track whose last keyframe is outside is not seen after it: said without reading the track. Whether one on a
   * deleted frame counts is said by reading it.
   */
  const endOf = ({ keyframes }: TrackRecord): number => {
    const last = keyframes.at(-1);
    return last?.outside === true && !deleted.has(last.frame) ? last.frame : Infinity;
  };
  return {
    /** The track on a frame, outside or not; null where it has not begun or the frame is deleted. */
    at(track: TrackRecord, frame: number): ShapeRecord | null {
      if (deleted.has(frame) || frame < track.frame) return null;
      const shape = read(track)(frame);
      return shape === null ? null : recordOf(track, shape);
    },
    /** What a frame shows of it: also where it is outside, if somebody set a keyframe there. */
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

/** By rising frame; one on the same frame is replaced. */
export function withKeyframe(keyframes: readonly TrackKeyframe[], added: TrackKeyframe): TrackKeyframe[] {
  const before = keyframes.filter(({ frame }) => frame < added.frame);
  const after = keyframes.filter(({ frame }) => frame > added.frame);
  return [...before, added, ...after];
}
