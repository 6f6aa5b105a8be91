import { assignOptimally } from './assignment.ts';
import { boxIntersectionOverUnion, type Box } from './geometry.ts';
import { interpolateTrack } from './interpolation.ts';
import { polygonIntersectionOverUnion } from './polygon-overlap.ts';
import type { Shape, ShapeType, Tag } from '../contract/schema/annotations.ts';
import { endTrack, type TrackPiece, uniteTracks } from './track-pieces.ts';

export interface MergeableObjects {
  readonly tags: readonly Tag[];
  readonly shapes: readonly Shape[];
  readonly tracks: readonly TrackPiece[];
}

export interface MergeOverlapOptions {
  readonly startFrame: number;
  readonly frameCount: number;
  readonly dimension?: '2d' | '3d';
  /**
   * Also merges pieces of one track without a common frame. CVAT returns one track per job in this case, and so does
   * the API.
   */
  readonly uniteCut?: boolean;
}

export interface MergedObjects {
  tags: Tag[];
  shapes: Shape[];
  tracks: TrackPiece[];
  /** Number of the later job's objects that match one of the earlier job. */
  pairedCount: number;
}

/** Maximum costs (1 − similarity) of accepted pairs, as in CVAT. */
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

/** Projection of a 3D cuboid: its extent along x and along the given axis. Ignores rotation. */
function viewOfCuboid(points: readonly number[], axis: 1 | 2): Box {
  const [x, other, width, length] = [points[0] ?? 0, points[axis] ?? 0, points[6] ?? 0, points[6 + axis] ?? 0];
  return boxOfRectangle([x - width / 2, other - length / 2, x + width / 2, other + length / 2]);
}

/** Similarity of two shapes of one label, 0..1. Types without a measure give 0 and are never merged. */
function shapeSimilarity(first: Comparable, second: Comparable, dimension: '2d' | '3d' = '2d'): number {
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

/** For each later object the index of its earlier counterpart, or −1. */
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

/** Keeps the earlier job's object of each pair on a frame. */
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
  readonly track: TrackPiece;
  readonly byFrame: ReadonlyMap<number, Comparable & { readonly outside: boolean }>;
}

/** Samples a track for the comparison. A track that cannot be interpolated gets no samples, so it stays separate. */
function sample(track: TrackPiece, { startFrame, frameCount, dimension = '2d' }: MergeOverlapOptions): SampledTrack {
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

/** Mean over the frames on which at least one of the two is present; 0 without such a frame. */
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

/** Same for all pieces of one uploaded track; null for others. */
export const pieceKind = ({ origin, label_id, shapes }: TrackPiece): string | null =>
  origin === undefined ? null : `${origin} ${label_id} ${shapes[0]?.type}`;

/** Pairs of pieces of the same uploaded track, by the later piece. */
function samePieces(earlier: readonly TrackPiece[], later: readonly TrackPiece[]): Map<TrackPiece, TrackPiece> {
  // The last piece is used, because a gap separates it from earlier ones.
  const known = new Map(earlier.map((track) => [pieceKind(track), track]));
  const found = new Map<TrackPiece, TrackPiece>();
  for (const track of later) {
    const kind = pieceKind(track);
    const same = kind === null ? undefined : known.get(kind);
    if (same) found.set(track, same);
  }
  return found;
}

function mergeTracks(
  earlier: readonly TrackPiece[],
  later: readonly TrackPiece[],
  options: MergeOverlapOptions,
): { objects: TrackPiece[]; pairedCount: number } {
  const { startFrame, frameCount, dimension = '2d', uniteCut = false } = options;
  const end = startFrame + frameCount;
  const shared = later.filter(({ frame }) => frame < end);
  const partners = samePieces(earlier, uniteCut ? later : shared);
  const taken = new Set(partners.values());
  // Tracks on none of the common frames are similar to none; leaving them out keeps the assignment small.
  const sampled = (tracks: readonly TrackPiece[]) =>
    tracks.map((track) => sample(track, options)).filter(({ byFrame }) => byFrame.size > 0);
  const rows = frameCount === 0 ? [] : sampled(shared.filter((track) => !partners.has(track)));
  const columns = rows.length === 0 ? [] : sampled(earlier.filter((track) => !taken.has(track)));
  const likeness = (a: SampledTrack, b: SampledTrack): number =>
    a.track.origin !== undefined && b.track.origin !== undefined && a.track.origin !== b.track.origin
      ? 0
      : trackSimilarity(a, b, dimension);
  pairUp(columns, rows, likeness, highestTrackCost).forEach((column, row) => {
    const [stored, added] = [columns[column]?.track, rows[row]?.track];
    if (stored && added) partners.set(added, stored);
  });
  const united = new Map(Array.from(partners, ([added, stored]) => [stored, uniteTracks(stored, added, end)]));
  const kept = earlier.map((track) => united.get(track) ?? endTrack(track, end));
  return { objects: [...kept, ...later.filter((track) => !partners.has(track))], pairedCount: partners.size };
}

/**
 * Merges a later job's objects into those of the earlier jobs with which it shares frames. Objects in both are paired
 * by optimal assignment and kept once; an earlier track without a counterpart ends after the common frames. Does not
 * modify its arguments.
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
