import { mapPoints, type Matrix } from '../geometry/affine.ts';
import type { DecodedMask } from '../geometry/mask.ts';
import { roundCoordinate, shiftPoints } from '../geometry/point.ts';
import type { Box, CanvasLabel, ElementRecord, Point, ShapeRecord } from '../types.ts';

/** The part of Path2D and CanvasRenderingContext2D that shapes draw with; tests record it. */
export interface PathSink {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  closePath(): void;
  ellipse(x: number, y: number, radiusX: number, radiusY: number, rotation: number, start: number, end: number): void;
}

/** Where a shape's parts go: `area` is filled and stroked, `line` only stroked, `dot` filled solid. */
interface ShapeSink {
  readonly area: PathSink;
  readonly line: PathSink;
  readonly dot: PathSink;
}

export interface ShapeContext {
  /** Image pixels per screen pixel: screen-constant sizes are multiples of it. */
  readonly pixel: number;
  label(id: number): CanvasLabel | undefined;
  /** Decoded once for each points array. */
  mask(points: readonly number[]): DecodedMask;
}

type HandleKind = 'corner' | 'side' | 'vertex' | 'middle' | 'rotate' | 'move';

export interface Handle {
  /** Unique in the shape, stable during a drag. */
  readonly id: string;
  readonly kind: HandleKind;
  readonly x: number;
  readonly y: number;
  /** Vertex, or the edge after it for 'middle'. */
  readonly index: number;
  /** The way a resize handle pulls, degrees clockwise from up, image frame. */
  readonly degrees: number;
}

/** What editing a shape changes. */
export interface Geometry {
  readonly points: readonly number[];
  readonly rotation?: number;
  readonly elements?: readonly ElementRecord[];
}

interface DragOptions {
  /** Shift: keep the proportions, 15° steps, eighth directions. */
  readonly constrain: boolean;
}

/** 'edge': on the outline or a point, within the tolerance. */
export type HitPart = 'inside' | 'edge';

/** Everything that depends on a shape's type. All pure; image coordinates throughout. */
export interface ShapeBehaviour {
  /** What `trace` draws; 'mixed': several of them. */
  readonly parts: 'area' | 'line' | 'dot' | 'mixed';
  /** Has an inside that can be hit. */
  readonly filled: boolean;
  /** How many points it has says something of it. */
  readonly countsPoints?: true;
  /** A path of vertices, to which more can be added on its edges: whether the last one is joined to the first. */
  readonly closed?: boolean;
  /** What makes its outline slow to raster; absent where it is as fast as a box or a dot. */
  rasterVertices?(shape: ShapeRecord): number;
  /** What a dragged box becomes. Absent: the type is drawn in another way. */
  pointsOfBox?(box: Box): number[];
  /** 0 for lines and points: with equal z order the smallest area is picked. */
  area(shape: ShapeRecord): number;
  trace(shape: ShapeRecord, sink: ShapeSink, context: ShapeContext): void;
  hit(shape: ShapeRecord, point: Point, tolerance: number, context: ShapeContext): HitPart | null;
  handles(shape: ShapeRecord, context: ShapeContext): readonly Handle[];
  move(shape: ShapeRecord, dx: number, dy: number): Geometry;
  /** The box that turns with the shape, before it is turned. Absent: its bounds, which stay upright. */
  frame?(shape: ShapeRecord): Box;
  /** The whole shape scaled and turned. Absent: it cannot be. */
  transform?(shape: ShapeRecord, matrix: Matrix): Geometry;
  /** Can be scaled, but not turned. */
  readonly upright?: true;
  /** Its own handles do not scale and turn it: as the selected one it gets handles for that too. */
  readonly wholeHandles?: true;
  /** `shape` as it was when the drag began. */
  drag(shape: ShapeRecord, handle: Handle, to: Point, options: DragOptions): Geometry;
  /** Null: it would leave fewer than the type needs. */
  removeVertex?(shape: ShapeRecord, index: number): Geometry | null;
}

/** `move` of the types whose points are coordinates. */
export const shiftedPoints: ShapeBehaviour['move'] = ({ points }, dx, dy) => ({
  points: shiftPoints(points, dx, dy).map(roundCoordinate),
});

/** `transform` of the same types. */
export const mappedPoints = ({ points }: ShapeRecord, matrix: Matrix): Geometry => ({
  points: mapPoints(points, matrix),
});
