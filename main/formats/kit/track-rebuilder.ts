import type { LabeledShape, LabelInfo, Track, TrackedShape } from './task-data.ts';

/** Thrown if a track has several shapes on one frame. */
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
  /** True if the task has this frame; a track is not closed after the last one. */
  readonly hasFrame: (frame: number) => boolean;
}

/** Names of a track's immutable attributes. */
export function immutableNames(label: LabelInfo | undefined): ReadonlySet<string> {
  return new Set(label?.attributes.filter(({ mutable }) => !mutable).map(({ name }) => name));
}

/** Elements of a skeleton's shapes as tracks, with keyframes where the skeleton has them. */
function elementTracks(
  shapes: readonly LabeledShape[],
  keyframes: readonly TrackedShape[],
  label: LabelInfo | undefined,
): Track[] {
  const byFrame = new Map(shapes.map((shape) => [shape.frame, shape]));
  const tracks = new Map<string, { readonly first: LabeledShape; readonly shapes: TrackedShape[] }>();
  let before: LabeledShape | undefined;
  for (const { frame, outside } of keyframes) {
    // The file has no shape where the skeleton ends, so the elements keep their last state.
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
      source: first.source,
    };
  });
}

/**
 * Removes shapes of an invisible element without a position. The track then starts at the first drawn shape, and later
 * shapes keep the last position. A position of (0, 0) would distort the interpolation before it.
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
    rotation: shape.rotation,
  };
}

/**
 * Builds a track from the file's shapes on each frame, which have `keyframe` and optionally `outside`. Only keyframes,
 * changes of visibility and the borders of gaps are kept. A track was outside on frames without a shape: its last
 * visible shape becomes a keyframe, and an outside shape follows one frame later, also at the end of the track if the
 * task continues. Elements of skeletons become nested tracks. Throws `TrackConflictError`.
 */
export function rebuildTrack(shapes: readonly LabeledShape[], { label, hasFrame }: RebuildOptions): Track {
  const sorted = shapes.toSorted((a, b) => a.frame - b.frame);
  const immutable = immutableNames(label);
  const kept: TrackedShape[] = [];
  let before: LabeledShape | undefined;

  /** Ends the visible range of which `last` is the last shape. */
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
    source: first?.source,
    elements: first?.type === 'skeleton' ? elementTracks(sorted, kept, label) : undefined,
  };
}
