import type { LabeledShape, LabelInfo, Track, TrackedShape } from '../task-data.ts';

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
 * at its end, if the task goes on. Throws `TrackConflictError`.
 */
export function rebuildTrack(shapes: readonly LabeledShape[], { label, hasFrame }: RebuildOptions): Track {
  const sorted = shapes.toSorted((a, b) => a.frame - b.frame);
  const immutable = new Set(label?.attributes.filter(({ mutable }) => !mutable).map(({ name }) => name));
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
  };
}
