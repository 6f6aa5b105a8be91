import { mapPoints, type Matrix } from '../geometry/affine.ts';
import type { DecodedMask } from '../geometry/mask.ts';
import { roundCoordinate, shiftPoints } from '../geometry/point.ts';
import type { Box, CanvasLabel, ElementRecord, Point, ShapeRecord } from '../types.ts';

/** Subset of Path2D and CanvasRenderingContext2D that shapes draw with; tests record the calls. */
export interface PathSink {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  closePath(): void;
  ellipse(x: number, y: number, radiusX: number, radiusY: number, rotation: number, start: number, end: number): void;
}

/** Targets of a shape's parts: `area` is filled and stroked, `line` only stroked, `dot` filled solid. */
interface ShapeSink {
  readonly area: PathSink;
  readonly line: PathSink;
  readonly dot: PathSink;
}

export interface ShapeContext {
  /** Image pixels per screen pixel, for sizes that are constant on screen. */
  readonly pixel: number;
  label(id: number): CanvasLabel | undefined;
  /** Decodes each points array once. */
  mask(points: readonly number[]): DecodedMask;
}

type HandleKind = 'corner' | 'side' | 'vertex' | 'middle' | 'rotate' | 'move';

export interface Handle {
  readonly id: string;
  readonly kind: HandleKind;
  readonly x: number;
  readonly y: number;
  readonly index: number;
  /** Direction of a resize handle, degrees clockwise from up, in image coordinates. */
  readonly degrees: number;
}

export interface Geometry {
  readonly points: readonly number[];
  readonly rotation?: number;
  readonly elements?: readonly ElementRecord[];
}

interface DragOptions {
  /** Shift: keeps proportions, snaps to 15° steps or eight directions. */
  readonly constrain: boolean;
}

/** 'edge' means on the outline or a point, within the tolerance. */
export type HitPart = 'inside' | 'edge';

/** Type-specific behaviour. All functions are pure and use image coordinates. */
export interface ShapeBehaviour {
  /** Parts that `trace` draws; 'mixed' for several kinds. */
  readonly parts: 'area' | 'line' | 'dot' | 'mixed';
  readonly filled: boolean;
  readonly countsPoints?: true;
  /** Only for paths of vertices, whose edges accept new ones: true if the last vertex connects to the first. */
  readonly closed?: boolean;
  /** Vertices that slow down raster; undefined for types as fast as a box or dot. */
  rasterVertices?(shape: ShapeRecord): number;
  /** Points for a dragged box; undefined for types drawn in another way. */
  pointsOfBox?(box: Box): number[];
  /** 0 for lines and points. With equal z order the smallest area is picked. */
  area(shape: ShapeRecord): number;
  trace(shape: ShapeRecord, sink: ShapeSink, context: ShapeContext): void;
  hit(shape: ShapeRecord, point: Point, tolerance: number, context: ShapeContext): HitPart | null;
  handles(shape: ShapeRecord, context: ShapeContext): readonly Handle[];
  move(shape: ShapeRecord, dx: number, dy: number): Geometry;
  /** The box that rotates with the shape, before rotation. By default the bounds, without rotation. */
  frame?(shape: ShapeRecord): Box;
  /** Scales and rotates the shape; undefined if unsupported. */
  transform?(shape: ShapeRecord, matrix: Matrix): Geometry;
  /** Can be scaled, but not rotated. */
  readonly upright?: true;
  /** The selected shape gets additional handles to scale and rotate it, because its own do not. */
  readonly wholeHandles?: true;
  /** `shape` is the state when the drag began. */
  drag(shape: ShapeRecord, handle: Handle, to: Point, options: DragOptions): Geometry;
  /** Null if too few vertices would remain. */
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
