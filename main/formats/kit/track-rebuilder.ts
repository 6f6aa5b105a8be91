import type { LabeledShape, LabelInfo, Track, TrackedShape } from './task-data.ts';

/** Several shapes of one track on one frame: they cannot be one track. */
export class TrackConflictError extends Error {
  readonly frame: number;

  constructor(frame: number) {
    super(`Found several track shapes on the same frame ${frame}. Track shape frames must be strictly ascending.`);
    this.name = 'TrackConflictError';
    this.frame = frame;
  }
}

export interface RebuildOptions {
  readonly label: LabelInfo | undefined;
  /** Whether the task has this frame: a track is not closed beyond the last one. */
  readonly hasFrame: (frame: number) => boolean;
}

/** Names of the attributes that a track has once, for all of its shapes. */
export function immutableNames(label: LabelInfo | undefined): ReadonlySet<string> {
  return new Set(label?.attributes.filter(({ mutable }) => !mutable).map(({ name }) => name));
}

/** The elements of a skeleton's shapes as tracks of their own, with keyframes where the skeleton has them. */
function elementTracks(
  shapes: readonly LabeledShape[],
  keyframes: readonly TrackedShape[],
  label: LabelInfo | undefined,
): Track[] {
  const byFrame = new Map(shapes.map((shape) => [shape.frame, shape]));
  const tracks = new Map<string, { readonly first: LabeledShape; readonly shapes: TrackedShape[] }>();
  let before: LabeledShape | undefined;
  for (const { frame, outside } of keyframes) {
    // Where the skeleton ends there is no shape of the file: its elements end as they were.
    const source = byFrame.get(frame) ?? before;
    for (const element of source?.elements ?? []) {
      const sublabel = label?.sublabels.find(({ name }) => name === element.label);
      const tracked = toTracked(element, immutableNames(sublabel), outside || (element.outside ?? false), frame);
      const known = tracks.get(element.label);
      if (known) known.shapes.push(tracked);
      else tracks.set(element.label, { first: element, shapes: [tracked] });
    }
    before = source;
  }
  return [...tracks].flatMap(([name, { first, shapes: all }]) => {
    const list = drawnPart(all);
    if (list.length === 0) return [];
    const immutable = immutableNames(label?.sublabels.find((sublabel) => sublabel.name === name));
    return {
      label: name,
      group: 0,
      shapes: list,
      attributes: first.attributes.filter((attribute) => immutable.has(attribute.name)),
      ...(first.source ? { source: first.source } : {}),
    };
  });
}

/**
 * An element that is not seen and has no place is not drawn there: its track begins where it is drawn first, and later
 * keeps its last place. A place of (0, 0) would pull the frames before it there.
 */
function drawnPart(all: readonly TrackedShape[]): TrackedShape[] {
  const isDrawn = ({ outside, points }: TrackedShape) => !outside || points.some((value) => value !== 0);
  const first = all.findIndex(isDrawn);
  if (first < 0) return [];
  let { points } = all[first] ?? { points: [] };
  return all.slice(first).map((shape) => {
    if (isDrawn(shape)) points = shape.points;
    return shape.points === points ? shape : { ...shape, points };
  });
}

function toTracked(
  shape: LabeledShape,
  immutable: ReadonlySet<string>,
  outside: boolean,
  frame = shape.frame,
): TrackedShape {
  return {
    type: shape.type,
    points: shape.points,
    occluded: shape.occluded,
    frame,
    attributes: immutable.size === 0 ? shape.attributes : shape.attributes.filter(({ name }) => !immutable.has(name)),
    outside,
    keyframe: true,
    z_order: shape.z_order,
    ...(shape.rotation ? { rotation: shape.rotation } : {}),
  };
}

/**
 * Makes a track of the shapes that a file has for it, frame by frame, each with `keyframe` and perhaps `outside`.
 * Only keyframes are kept, where the visibility changes, and around gaps: a track that is not seen on a frame was
 * outside there, so its last visible shape becomes a keyframe and an outside shape follows one frame later. The same
 * at its end, if the task goes on. The elements of skeletons become tracks inside it. Throws `TrackConflictError`.
 */
export function rebuildTrack(shapes: readonly LabeledShape[], { label, hasFrame }: RebuildOptions): Track {
  const sorted = shapes.toSorted((a, b) => a.frame - b.frame);
  const immutable = immutableNames(label);
  const kept: TrackedShape[] = [];
  let before: LabeledShape | undefined;

  /** Ends the visible stretch that `last` closes. */
  const close = (last: LabeledShape): void => {
    if (kept.at(-1)?.frame !== last.frame) kept.push(toTracked(last, immutable, false));
    kept.push(toTracked(last, immutable, true, last.frame + 1));
  };

  for (const shape of sorted) {
    if (before && before.frame === shape.frame) throw new TrackConflictError(shape.frame);
    const outside = shape.outside ?? false;
    const isAfterGap = before !== undefined && shape.frame - before.frame > 1;
    if (before && isAfterGap && before.outside !== true) close(before);
    const wasOutside = isAfterGap || before?.outside === true;
    const changed = before === undefined || outside !== wasOutside;
    if (changed || (!outside && shape.keyframe === true)) kept.push(toTracked(shape, immutable, outside));
    before = shape;
  }
  if (before && before.outside !== true && hasFrame(before.frame + 1)) close(before);
  const first = sorted[0];
  return {
    label: first?.label ?? '',
    group: first?.group ?? 0,
    shapes: kept,
    attributes: first?.attributes.filter(({ name }) => immutable.has(name)) ?? [],
    ...(first?.source ? { source: first.source } : {}),
    ...(first?.type === 'skeleton' ? { elements: elementTracks(sorted, kept, label) } : {}),
  };
}
