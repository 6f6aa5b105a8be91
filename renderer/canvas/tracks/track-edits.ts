import { trackShapeAtFrame } from '../../../preload/contract/interpolation.ts';
import type { ClientId, ShapeRecord, TrackKeyframe, TrackPart, TrackRecord } from '../types.ts';
import { startTrack, type IsMutable } from './keyframe-edit.ts';
import { partsOf, withKeyframe } from './track-shapes.ts';

/** Edits of whole tracks: from a record to the record after it. None changes what it is given. */

type Keyframes = readonly TrackKeyframe[];

function mapParts(track: TrackRecord, edit: (keyframes: Keyframes) => Keyframes): TrackRecord | null {
  const keyframes = edit(track.keyframes);
  const [first] = keyframes;
  if (first === undefined) return null;
  const elements = track.elements?.map((part) => {
    const own = edit(part.keyframes);
    const [kept] = part.keyframes;
    // An element is never without keyframes: it is as it was, from where its skeleton begins.
    return { ...part, keyframes: own.length > 0 || kept === undefined ? own : [{ ...kept, frame: first.frame }] };
  });
  return { ...track, keyframes, frame: first.frame, ...(elements === undefined ? {} : { elements }) };
}

const shapeAt = (shapes: Keyframes, frame: number): TrackKeyframe | null => trackShapeAtFrame({ shapes }, frame);

/** A keyframe here, as the track is here. */
export const setKeyframe = (track: TrackRecord, frame: number): TrackRecord | null =>
  mapParts(track, (keyframes) => {
    const shape = shapeAt(keyframes, frame);
    return shape === null ? keyframes : withKeyframe(keyframes, { ...shape, attributes: ownValues(keyframes, frame) });
  });

const ownValues = (keyframes: Keyframes, frame: number) =>
  keyframes.find((one) => one.frame === frame)?.attributes ?? [];

/** Without the keyframe on a frame; null where it was the only one. */
export const removeKeyframe = (track: TrackRecord, frame: number): TrackRecord | null =>
  mapParts(track, (keyframes) => keyframes.filter((one) => one.frame !== frame));

/** The keyframe on one frame stands on another one, in the place of what is there. */
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

/**
 * What a keyframe makes of the track on another frame as a keyframe there, where that has none. Null: nothing of it is
 * seen there.
 */
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

/** The track up to the frame before, outside from here on; null where it begins here or later. */
export const removeFrom = (track: TrackRecord, frame: number): TrackRecord | null =>
  track.frame >= frame
    ? null
    : mapParts(track, (keyframes) => {
        const end = shapeAt(keyframes, frame);
        const before = keyframes.filter((one) => one.frame < frame);
        return end === null || before.at(-1)?.outside === true ? before : [...before, { ...end, outside: true }];
      });

/** The track from this frame on; null where nothing is left to be seen. */
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
 * What is seen from the frame `from` on begins at `to`: what is before then goes, and with an earlier one the keyframe
 * that begins it moves there. Null where nothing would be seen.
 */
export function beginAt(track: TrackRecord, from: number, to: number): TrackRecord | null {
  const rest = removeBefore(track, Math.max(from, to));
  return rest === null || to >= from ? rest : moveKeyframe(rest, rest.frame, to);
}

/**
 * What is seen up to the frame `from` ends with `to`: an earlier end cuts the track there, for a later one the keyframe
 * that ends it moves; at the `last` frame there is none. Null where nothing would be seen.
 */
export function endAt(track: TrackRecord, from: number, to: number, last: number): TrackRecord | null {
  if (to < from) return removeFrom(track, to + 1);
  return mapParts(track, (keyframes) => {
    const before = keyframes.filter(({ frame }) => frame <= from);
    const end = keyframes.find(({ frame }) => frame > from);
    return end === undefined || to >= last ? before : [...before, drawn(end, to + 1)];
  });
}

/** A keyframe on a frame from which on the track, and all its elements, are out of sight or back. */
export function setOutside(track: TrackRecord, frame: number, outside: boolean): TrackRecord | null {
  const set = setKeyframe(track, frame);
  return set && mapParts(set, (all) => all.map((one) => (one.frame === frame ? { ...one, outside } : one)));
}

/** The part before a frame, and the part from it on as a track of its own. */
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

/** A shape as a track that is there on its frame only. */
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
  /** The object is there between the parts, too: it moves from one to the next. Else it is outside there. */
  readonly bridge?: boolean;
}

/**
 * One track of shapes and tracks, with the label and the fixed values of the first; null where they are of different
 * labels or types, or fewer than two. On a frame that two have the first counts, if it is seen there.
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

/** Those that count: not on deleted frames. */
export const countedKeyframes = (track: TrackRecord, deleted: ReadonlySet<number>): readonly number[] =>
  deleted.size === 0 ? keyframesOf(track) : keyframesOf(track).filter((frame) => !deleted.has(frame));

/** Frames of keyframes that somebody set, in order. The same array for the same record. */
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
