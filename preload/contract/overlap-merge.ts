import { assignOptimally } from './assignment.ts';
import { boxIntersectionOverUnion } from './geometry.ts';
import type { Box } from './geometry.ts';
import { interpolateTrack } from './interpolation.ts';
import { polygonIntersectionOverUnion } from './polygon-overlap.ts';
import type { Shape, ShapeType, SubTrack, Tag, Track } from './schema/annotations.ts';

/** The parts of LabeledData that can be in an overlap. */
export interface MergeableObjects {
  readonly tags: readonly Tag[];
  readonly shapes: readonly Shape[];
  readonly tracks: readonly Track[];
}

export interface MergeOverlapOptions {
  /** First frame that both sides have. */
  readonly startFrame: number;
  /** Number of frames that both sides have. */
  readonly frameCount: number;
  readonly dimension?: '2d' | '3d';
}

export interface MergedObjects {
  tags: Tag[];
  shapes: Shape[];
  tracks: Track[];
  /** Objects of the later job that were found to be ones of the earlier job. */
  pairedCount: number;
}

/** Pairs are accepted up to these costs (1 − similarity), as in CVAT. */
const highestObjectCost = 0.25;
const highestTrackCost = 0.5;

interface Comparable {
  readonly type: ShapeType;
  readonly points: readonly number[];
}

const boxOfRectangle = ([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[]): Box => ({
  left: Math.min(x1, x2),
  top: Math.min(y1, y2),
  right: Math.max(x1, x2),
  bottom: Math.max(y1, y2),
});

/** A view of a 3D cuboid along one axis: its extent along x and along the other axis. Rotation is ignored. */
function viewOfCuboid(points: readonly number[], axis: 1 | 2): Box {
  const [x, other, width, length] = [points[0] ?? 0, points[axis] ?? 0, points[6] ?? 0, points[6 + axis] ?? 0];
  return boxOfRectangle([x - width / 2, other - length / 2, x + width / 2, other + length / 2]);
}

/** Likeness of two shapes of one label, 0..1. Types without a measure give 0 and so stay apart. */
export function shapeSimilarity(first: Comparable, second: Comparable, dimension: '2d' | '3d' = '2d'): number {
  if (first.type !== second.type) return 0;
  if (first.type === 'rectangle') {
    return boxIntersectionOverUnion(boxOfRectangle(first.points), boxOfRectangle(second.points));
  }
  if (first.type === 'polygon') return polygonIntersectionOverUnion(first.points, second.points);
  if (first.type === 'cuboid' && dimension === '3d') {
    const top = boxIntersectionOverUnion(viewOfCuboid(first.points, 1), viewOfCuboid(second.points, 1));
    return top * boxIntersectionOverUnion(viewOfCuboid(first.points, 2), viewOfCuboid(second.points, 2));
  }
  return 0;
}

/** For each later object the index of its earlier partner, −1 without one. */
function pairUp<T>(
  earlier: readonly T[],
  later: readonly T[],
  similarity: (earlier: T, later: T) => number,
  highestCost: number,
): number[] {
  const costs = later.map((object) => earlier.map((candidate) => 1 - similarity(candidate, object)));
  return assignOptimally(costs).map((column, row) =>
    column >= 0 && costs[row]![column]! <= highestCost ? column : -1,
  );
}

function groupByFrame<T extends { readonly frame: number }>(objects: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const object of objects) {
    const group = groups.get(object.frame);
    if (group === undefined) groups.set(object.frame, [object]);
    else group.push(object);
  }
  return groups;
}

/** Of a pair on one frame the earlier job's object stays. */
function mergeByFrame<T extends { readonly frame: number }>(
  earlier: readonly T[],
  later: readonly T[],
  { startFrame, frameCount }: MergeOverlapOptions,
  similarity: (earlier: T, later: T) => number,
): { objects: T[]; pairedCount: number } {
  const isShared = ({ frame }: T): boolean => frame >= startFrame && frame < startFrame + frameCount;
  const earlierByFrame = groupByFrame(earlier.filter(isShared));
  const paired = new Set<T>();
  for (const [frame, objects] of groupByFrame(later.filter(isShared))) {
    const partners = pairUp(earlierByFrame.get(frame) ?? [], objects, similarity, highestObjectCost);
    objects.forEach((object, index) => {
      if ((partners[index] ?? -1) >= 0) paired.add(object);
    });
  }
  return { objects: [...earlier, ...later.filter((object) => !paired.has(object))], pairedCount: paired.size };
}

interface SampledTrack {
  readonly track: Track;
  readonly byFrame: ReadonlyMap<number, Comparable & { readonly outside: boolean }>;
}

/** A track that cannot be interpolated is compared with nothing, so it stays as it is. */
function sample(track: Track, { startFrame, frameCount, dimension = '2d' }: MergeOverlapOptions): SampledTrack {
  const byFrame = new Map<number, Comparable & { readonly outside: boolean }>();
  const isComparable = track.shapes.every(({ type }) => type === track.shapes[0]?.type && type !== 'mask');
  const frames = new Set(track.shapes.map(({ frame }) => frame));
  if (isComparable && frames.size === track.shapes.length) {
    for (const shape of interpolateTrack(track, startFrame, startFrame + frameCount, { dimension })) {
      byFrame.set(shape.frame, shape);
    }
  }
  return { track, byFrame };
}

/** Mean over the frames on which at least one of the two is present; 0 where neither is on any. */
function trackSimilarity(first: SampledTrack, second: SampledTrack, dimension: '2d' | '3d'): number {
  if (first.track.label_id !== second.track.label_id) return 0;
  const frames = new Set([...first.byFrame.keys(), ...second.byFrame.keys()]);
  let sum = 0;
  for (const frame of frames) {
    const a = first.byFrame.get(frame);
    const b = second.byFrame.get(frame);
    if (a !== undefined && b !== undefined && a.outside === b.outside) sum += shapeSimilarity(a, b, dimension);
  }
  return frames.size === 0 ? 0 : sum / frames.size;
}

/** Both lists of keyframes in one; on equal frames the earlier job's keyframe stays. */
function uniteKeyframes<T extends SubTrack>(earlier: T, later: SubTrack): T {
  const byFrame = new Map(later.shapes.map((shape) => [shape.frame, shape]));
  for (const shape of earlier.shapes) byFrame.set(shape.frame, shape);
  const shapes = [...byFrame.values()].sort((a, b) => a.frame - b.frame);
  return { ...earlier, frame: Math.min(earlier.frame, later.frame), shapes };
}

function uniteTracks(earlier: Track, later: Track): Track {
  const elements = earlier.elements.map((element) => {
    const partner = later.elements.find(({ label_id }) => label_id === element.label_id);
    return partner === undefined ? element : uniteKeyframes(element, partner);
  });
  const known = new Set(elements.map(({ label_id }) => label_id));
  elements.push(...later.elements.filter(({ label_id }) => !known.has(label_id)));
  return { ...uniteKeyframes(earlier, later), elements };
}

/** Ends a track that is still visible by a keyframe outside on `frame`. */
function endKeyframes<T extends SubTrack>(track: T, frame: number): T {
  let last = track.shapes[0];
  for (const shape of track.shapes) if (last !== undefined && shape.frame >= last.frame) last = shape;
  if (last === undefined || last.outside || last.frame >= frame) return track;
  const { id: _, ...copy } = last;
  return { ...track, shapes: [...track.shapes, { ...copy, frame, outside: true }] };
}

function endTrack(track: Track, frame: number): Track {
  const elements = track.elements.map((element) => endKeyframes(element, frame));
  return { ...endKeyframes(track, frame), elements };
}

function mergeTracks(
  earlier: readonly Track[],
  later: readonly Track[],
  options: MergeOverlapOptions,
): { objects: Track[]; pairedCount: number } {
  const { startFrame, frameCount, dimension = '2d' } = options;
  const end = startFrame + frameCount;
  const shared = later.filter(({ frame }) => frame < end).map((track) => sample(track, options));
  // A track that is on none of the shared frames has no likeness to any: leaving it out keeps the assignment small.
  const known = earlier.map((track) => sample(track, options)).filter(({ byFrame }) => byFrame.size > 0);
  const partners = pairUp(known, shared, (a, b) => trackSimilarity(a, b, dimension), highestTrackCost);
  const united = new Map<Track, Track>();
  const paired = new Set<Track>();
  shared.forEach(({ track }, index) => {
    const stored = known[partners[index] ?? -1]?.track;
    if (stored === undefined) return;
    united.set(stored, uniteTracks(stored, track));
    paired.add(track);
  });
  const kept = earlier.map((track) => united.get(track) ?? endTrack(track, end));
  return { objects: [...kept, ...later.filter((track) => !paired.has(track))], pairedCount: paired.size };
}

/**
 * Adds the objects of a later job to those of the earlier jobs it shares frames with: objects that are the same in
 * both are paired by optimal assignment and kept once; an earlier track without a partner ends after the shared
 * frames. The arguments stay as they are.
 */
export function mergeOverlap(
  earlier: MergeableObjects,
  later: MergeableObjects,
  options: MergeOverlapOptions,
): MergedObjects {
  const sameLabel = (a: { label_id: number }, b: { label_id: number }): boolean => a.label_id === b.label_id;
  const tags = mergeByFrame(earlier.tags, later.tags, options, (a, b) => (sameLabel(a, b) ? 1 : 0));
  const shapes = mergeByFrame(earlier.shapes, later.shapes, options, (a, b) =>
    sameLabel(a, b) ? shapeSimilarity(a, b, options.dimension) : 0,
  );
  const tracks = mergeTracks(earlier.tracks, later.tracks, options);
  return {
    tags: tags.objects,
    shapes: shapes.objects,
    tracks: tracks.objects,
    pairedCount: tags.pairedCount + shapes.pairedCount + tracks.pairedCount,
  };
}
