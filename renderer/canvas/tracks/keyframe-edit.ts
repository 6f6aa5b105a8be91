import type { AttributeValue, ElementRecord, ShapeRecord, TrackKeyframe, TrackPart, TrackRecord } from '../types.ts';
import { withKeyframe } from './track-shapes.ts';

/** True if an attribute may differ between the frames of a track. */
export type IsMutable = (labelId: number, specId: number) => boolean;

export const sameNumbers = (a: readonly number[], b: readonly number[]): boolean =>
  a === b || (a.length === b.length && a.every((value, index) => value === b[index]));

const valueOf = (values: readonly AttributeValue[], id: number): string | undefined =>
  values.find(({ spec_id }) => spec_id === id)?.value;

const isMoved = (before: ShapeRecord | ElementRecord, after: ShapeRecord | ElementRecord): boolean =>
  !sameNumbers(before.points, after.points) ||
  before.rotation !== after.rotation ||
  before.occluded !== after.occluded ||
  before.outside !== after.outside ||
  before.zOrder !== after.zOrder;

const keyframeOf = (
  shape: ShapeRecord | ElementRecord,
  frame: number,
  attributes: readonly AttributeValue[],
): TrackKeyframe => ({
  frame,
  type: shape.type,
  points: shape.points,
  rotation: shape.rotation,
  outside: shape.outside,
  occluded: shape.occluded,
  z_order: shape.zOrder,
  attributes,
});

const fixed = (values: readonly AttributeValue[], labelId: number, isMutable: IsMutable): AttributeValue[] =>
  values.filter(({ spec_id }) => !isMutable(labelId, spec_id));

/** Part of a track after an edit on one frame: changed mutable values and the outline become a keyframe there. */
function editedPart<Part extends TrackPart>(
  part: Part,
  before: ShapeRecord | ElementRecord,
  after: ShapeRecord | ElementRecord,
  frame: number,
  isMutable: IsMutable,
  always: boolean,
): Part {
  const mutable = after.attributes.filter(({ spec_id }) => isMutable(after.labelId, spec_id));
  const changed = mutable.filter(({ spec_id, value }) => valueOf(before.attributes, spec_id) !== value);
  const next = { ...part, labelId: after.labelId, attributes: fixed(after.attributes, after.labelId, isMutable) };
  if (!always && changed.length === 0 && !isMoved(before, after)) return next;
  const own = part.keyframes.find((one) => one.frame === frame)?.attributes ?? [];
  const kept = own.filter(({ spec_id }) => !changed.some((value) => value.spec_id === spec_id));
  return { ...next, keyframes: withKeyframe(part.keyframes, keyframeOf(after, frame, [...kept, ...changed])) };
}

export function startTrack(shape: ShapeRecord, isMutable: IsMutable): TrackRecord {
  const { clientId, frame, labelId, group, source, locked, hidden, pinned, elements } = shape;
  const partOf = (one: ShapeRecord | ElementRecord): TrackPart => ({
    clientId: one.clientId,
    labelId: one.labelId,
    attributes: fixed(one.attributes, one.labelId, isMutable),
    keyframes: [
      keyframeOf(
        one,
        frame,
        one.attributes.filter(({ spec_id }) => isMutable(one.labelId, spec_id)),
      ),
    ],
  });
  return {
    ...partOf(shape),
    kind: 'track',
    clientId,
    labelId,
    frame,
    group,
    source,
    locked,
    hidden,
    ...(pinned === undefined ? {} : { pinned }),
    ...(elements === undefined ? {} : { elements: elements.map(partOf) }),
  };
}

/**
 * The track after an edit on a frame. Immutable properties change on all frames; position, state and mutable attributes
 * become a keyframe, for the changed elements of a skeleton and for itself.
 */
export function editTrack(
  track: TrackRecord,
  before: ShapeRecord,
  after: ShapeRecord,
  isMutable: IsMutable,
): TrackRecord {
  const { frame, group, source, locked, hidden, pinned } = after;
  const elements = track.elements?.map((part) => {
    const [was, is] = [before, after].map(({ elements: all }) =>
      all?.find(({ clientId }) => clientId === part.clientId),
    );
    // Elements follow the outside state of their skeleton.
    const shown = is && before.outside !== after.outside ? { ...is, outside: after.outside } : is;
    return was && shown ? editedPart(part, was, shown, frame, isMutable, false) : part;
  });
  const touched = elements?.some((part, index) => part.keyframes !== track.elements?.[index]?.keyframes) === true;
  const own = editedPart(track, before, after, frame, isMutable, touched);
  return {
    ...own,
    frame: own.keyframes[0]?.frame ?? frame,
    group,
    source,
    locked,
    hidden,
    ...(pinned === undefined ? {} : { pinned }),
    ...(elements === undefined ? {} : { elements }),
  };
}
