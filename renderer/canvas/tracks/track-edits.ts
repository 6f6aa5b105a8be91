import { trackShapeAtFrame } from '../../../preload/geometry/interpolation.ts';
import type { ClientId, ShapeRecord, TrackKeyframe, TrackPart, TrackRecord } from '../types.ts';
import { startTrack, type IsMutable } from './keyframe-edit.ts';
import { partsOf, withKeyframe } from './track-shapes.ts';

/** Pure edits of complete tracks, from record to record. */

type Keyframes = readonly TrackKeyframe[];

function mapParts(track: TrackRecord, edit: (keyframes: Keyframes) => Keyframes): TrackRecord | null {
  const keyframes = edit(track.keyframes);
  const [first] = keyframes;
  if (first === undefined) return null;
  const elements = track.elements?.map((part) => {
    const own = edit(part.keyframes);
    const [kept] = part.keyframes;
    // An element always needs a keyframe: it gets its state at the start of the skeleton.
    return { ...part, keyframes: own.length > 0 || kept === undefined ? own : [{ ...kept, frame: first.frame }] };
  });
  return { ...track, keyframes, frame: first.frame, ...(elements === undefined ? {} : { elements }) };
}

const shapeAt = (shapes: Keyframes, frame: number): TrackKeyframe | null => trackShapeAtFrame({ shapes }, frame);

export const setKeyframe = (track: TrackRecord, frame: number): TrackRecord | null =>
  mapParts(track, (keyframes) => {
    const shape = shapeAt(keyframes, frame);
    return shape === null ? keyframes : withKeyframe(keyframes, { ...shape, attributes: ownValues(keyframes, frame) });
  });

const ownValues = (keyframes: Keyframes, frame: number) =>
  keyframes.find((one) => one.frame === frame)?.attributes ?? [];

/** Removes the keyframe on a frame; null if it was the only one. */
export const removeKeyframe = (track: TrackRecord, frame: number): TrackRecord | null =>
  mapParts(track, (keyframes) => keyframes.filter((one) => one.frame !== frame));

export const moveKeyframe = (track: TrackRecord, from: number, to: number): TrackRecord | null =>
  mapParts(track, (keyframes) => {
    const moved = keyframes.find(({ frame }) => frame === from);
    const others = keyframes.filter(({ frame }) => frame !== from);
    return moved === undefined ? keyframes : withKeyframe(others, drawn(moved, to));
  });

export const copyKeyframe = (track: TrackRecord, from: number, to: number): TrackRecord | null =>
  mapParts(track, (keyframes) => {
    const copied = keyframes.find(({ frame }) => frame === from);
    return copied === undefined ? keyframes : withKeyframe(keyframes, drawn(copied, to));
  });

/** Copies a keyframe's effect to another frame without a keyframe. Null if the track is not visible there. */
export const carryKeyframe = (track: TrackRecord, from: number, to: number): TrackRecord | null =>
  mapParts(track, (keyframes) => {
    const has = (frame: number): boolean => keyframes.some((one) => one.frame === frame);
    const shape = has(from) && !has(to) ? shapeAt(keyframes, to) : null;
    return shape === null ? keyframes : withKeyframe(keyframes, drawn(shape, to));
  });

const drawn = ({ border: _border, ...keyframe }: TrackKeyframe, frame: number): TrackKeyframe => ({
  ...keyframe,
  frame,
});

/** Ends the track before a frame (outside from there on); null if it begins there or later. */
export const removeFrom = (track: TrackRecord, frame: number): TrackRecord | null =>
  track.frame >= frame
    ? null
    : mapParts(track, (keyframes) => {
        const end = shapeAt(keyframes, frame);
        const before = keyframes.filter((one) => one.frame < frame);
        return end === null || before.at(-1)?.outside === true ? before : [...before, { ...end, outside: true }];
      });

/** Starts the track at a frame; null if nothing visible remains. */
export function removeBefore(track: TrackRecord, frame: number): TrackRecord | null {
  const rest = mapParts(track, (keyframes) => {
    const begin = shapeAt(keyframes, frame);
    const after = keyframes.filter((one) => one.frame > frame);
    return begin === null ? after : [begin, ...after];
  });
  const visible = rest?.keyframes.findIndex(({ outside }) => !outside) ?? -1;
  if (rest === null || visible < 0) return null;
  const first = rest.keyframes[visible]!.frame;
  return first === rest.frame ? rest : removeBefore(rest, first);
}

/**
 * Moves the start of the visible range at `from` to `to`: earlier parts are removed, or the first keyframe moves to an
 * earlier frame. Null if nothing visible remains.
 */
export function beginAt(track: TrackRecord, from: number, to: number): TrackRecord | null {
  const rest = removeBefore(track, Math.max(from, to));
  return rest === null || to >= from ? rest : moveKeyframe(rest, rest.frame, to);
}

/**
 * Moves the end of the visible range at `from` to `to`: an earlier end cuts the track, for a later one the final
 * keyframe moves; at the `last` frame it is removed. Null if nothing visible remains.
 */
export function endAt(track: TrackRecord, from: number, to: number, last: number): TrackRecord | null {
  if (to < from) return removeFrom(track, to + 1);
  return mapParts(track, (keyframes) => {
    const before = keyframes.filter(({ frame }) => frame <= from);
    const end = keyframes.find(({ frame }) => frame > from);
    return end === undefined || to >= last ? before : [...before, drawn(end, to + 1)];
  });
}

/** Adds a keyframe from which the track and its elements are outside or visible again. */
export function setOutside(track: TrackRecord, frame: number, outside: boolean): TrackRecord | null {
  const set = setKeyframe(track, frame);
  return set && mapParts(set, (all) => all.map((one) => (one.frame === frame ? { ...one, outside } : one)));
}

/** The part before a frame, and the part from it on as a separate track. */
export function splitTrack(
  track: TrackRecord,
  frame: number,
  newId: () => ClientId,
): [TrackRecord, TrackRecord] | null {
  const [before, after] = [removeFrom(track, frame), removeBefore(track, frame)];
  return before === null || after === null ? null : [before, renamed(after, newId)];
}

function renamed({ serverId: _server, ...track }: TrackRecord, newId: () => ClientId): TrackRecord {
  const elements = track.elements?.map((part) => ({ ...part, clientId: newId() }));
  return { ...track, clientId: newId(), ...(elements === undefined ? {} : { elements }) };
}

/** A shape as a track that is visible only on its frame. */
function trackOfShape(shape: ShapeRecord, isMutable: IsMutable): TrackRecord {
  const track = startTrack(shape, isMutable);
  return mapParts(track, (keyframes) => [
    ...keyframes,
    ...keyframes.map((one) => ({ ...one, frame: one.frame + 1, outside: true, attributes: [] })),
  ])!;
}

const isSeen = ({ keyframes }: TrackPart, frame: number): boolean =>
  (keyframes[0]?.frame ?? Infinity) <= frame && shapeAt(keyframes, frame)?.outside === false;

const typeOf = ({ keyframes }: TrackPart) => keyframes[0]?.type;

export interface MergeOptions {
  readonly newId: () => ClientId;
  readonly isMutable: IsMutable;
  /** Interpolates across the gaps; otherwise the object is outside there. */
  readonly bridge?: boolean;
}

/**
 * Merges shapes and tracks with the label and immutable values of the first; null for different labels or types, or
 * fewer than two. On a shared frame the first one wins if it is visible there.
 */
export function mergeObjects(
  objects: readonly (ShapeRecord | TrackRecord)[],
  { newId, isMutable, bridge = false }: MergeOptions,
): TrackRecord | null {
  const tracks = objects.map((one) => (one.kind === 'track' ? one : trackOfShape(one, isMutable)));
  const [first] = tracks;
  if (first === undefined || tracks.length < 2) return null;
  if (tracks.some((one) => one.labelId !== first.labelId || typeOf(one) !== typeOf(first))) return null;
  const end = ({ keyframes }: TrackRecord): number => keyframes.findLast(({ outside }) => !outside)?.frame ?? 0;
  const last = Math.max(...tracks.map(end));
  const isBridged = (track: TrackRecord, frame: number): boolean => bridge && frame > end(track) && frame < last;
  const isHiding = (track: TrackRecord, frame: number): boolean =>
    isBridged(track, frame) || tracks.some((other) => other !== track && isSeen(other, frame));
  const united = (parts: readonly (TrackPart | undefined)[]): TrackKeyframe[] => {
    const found = new Map<number, TrackKeyframe>();
    parts.forEach((part, index) => {
      for (const keyframe of part?.keyframes ?? []) {
        if (keyframe.outside && isHiding(tracks[index]!, keyframe.frame)) continue;
        if (found.get(keyframe.frame)?.outside !== false) found.set(keyframe.frame, keyframe);
      }
    });
    return [...found.values()].sort((a, b) => a.frame - b.frame);
  };
  const elements = first.elements?.map((part) => ({
    ...part,
    keyframes: united(tracks.map((one) => one.elements?.find(({ labelId }) => labelId === part.labelId))),
  }));
  const keyframes = united(tracks);
  const merged = { ...first, keyframes, frame: keyframes[0]?.frame ?? first.frame };
  return renamed({ ...merged, ...(elements === undefined ? {} : { elements }) }, newId);
}

const knownFrames = new WeakMap<TrackRecord, readonly number[]>();

/** Keyframes without those on deleted frames. */
export const countedKeyframes = (track: TrackRecord, deleted: ReadonlySet<number>): readonly number[] =>
  deleted.size === 0 ? keyframesOf(track) : keyframesOf(track).filter((frame) => !deleted.has(frame));

/** Frames of manual keyframes, ascending. The same array for the same record. */
export function keyframesOf(track: TrackRecord): readonly number[] {
  const known = knownFrames.get(track);
  if (known !== undefined) return known;
  const set = partsOf(track).flatMap(({ keyframes }) =>
    keyframes.flatMap(({ frame, border }) => (border === true ? [] : frame)),
  );
  const frames = [...new Set(set)].sort((a, b) => a - b);
  knownFrames.set(track, frames);
  return frames;
}
