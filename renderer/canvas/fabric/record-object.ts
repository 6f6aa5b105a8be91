import { FabricObject, util } from 'fabric';
import type { Matrix } from '../geometry/affine.ts';
import { boxCentre, boxHeight, boxWidth } from '../geometry/box.ts';
import type { Geometry, Handle, ShapeContext } from '../shapes/behaviour.ts';
import { behaviourOf, boundsOf, withGeometry } from '../shapes/shape-behaviours.ts';
import type { Point, ShapeRecord } from '../types.ts';
import { handleControl, nearestControl, wholeControls, type FoundControl } from './controls.ts';

/** Screen pixels between a shape and the box that scales and rotates it. */
export const wholePaddingPx = 10;
/** A shape that is smaller on screen has no box handles, because they would cover its vertices. */
const wholeFromPx = 24;
const sideHandleFromPx = 60;
/** Tolerance for rounding errors. */
const nothing = 1e-9;

const isShiftOnly = ([a, b, c, d]: Matrix): boolean =>
  Math.abs(a - 1) < nothing && Math.abs(b) < nothing && Math.abs(c) < nothing && Math.abs(d - 1) < nothing;

const exact = (value: number): number => Math.round(value * 1e6) / 1e6;

export const lookOfSelected = {
  originX: 'center',
  originY: 'center',
  strokeWidth: 0,
  objectCaching: false,
  lockScalingFlip: true,
  hasBorders: false,
} as const;

/**
 * A selected shape as a fabric object: a box to move, scale and rotate, alone or in an `ActiveSelection`, with a
 * control for each handle of the shape. It is created from a record; `current()` returns the record with the gesture
 * baked into its geometry. Image coordinates; needs no document.
 */
export class RecordObject extends FabricObject {
  readonly record: ShapeRecord;
  readonly #context: () => ShapeContext;
  /** Matrix from the object's initial position back to the origin. */
  readonly #home: Matrix;
  /** Geometry after a drag of the shape's own handle. */
  #dragged: Geometry | null = null;

  constructor(record: ShapeRecord, context: () => ShapeContext) {
    const { frame } = behaviourOf(record);
    const box = frame?.(record) ?? boundsOf(record);
    const centre = boxCentre(box);
    super({
      ...lookOfSelected,
      left: centre.x,
      top: centre.y,
      width: boxWidth(box),
      height: boxHeight(box),
      angle: frame === undefined ? 0 : record.rotation,
      padding: wholePaddingPx,
    });
    this.record = record;
    this.#context = context;
    this.#home = util.invertTransform(this.calcTransformMatrix());
  }

  /** The record with all gestures since creation applied. */
  current(): ShapeRecord {
    if (this.#dragged !== null) return withGeometry(this.record, this.#dragged);
    const behaviour = behaviourOf(this.record);
    const done: Matrix = util.multiplyTransformMatrices(this.calcTransformMatrix(), [...this.#home]);
    if (!isShiftOnly(done) && behaviour.transform !== undefined) {
      return withGeometry(this.record, behaviour.transform(this.record, done));
    }
    return this.moved(done[4], done[5]);
  }

  /** Equals `current()` after a move, without matrices. */
  moved(x: number, y: number): ShapeRecord {
    const [dx, dy] = [exact(x), exact(y)];
    if (dx === 0 && dy === 0) return this.record;
    return withGeometry(this.record, behaviourOf(this.record).move(this.record, dx, dy));
  }

  /** Drags one of the shape's handles. Image pixels. */
  dragHandle(handle: Handle, to: Point, constrain: boolean): void {
    this.#dragged = behaviourOf(this.record).drag(this.record, handle, to, { constrain });
  }

  handles(): readonly Handle[] {
    return behaviourOf(this.record).handles(this.current(), this.#context());
  }

  /** Controls of the shape's handles come last, so they win over those of the box. */
  override setCoords(): void {
    const behaviour = behaviourOf(this.record);
    const { pixel } = this.#context();
    const [width, height] = [this.width / pixel, this.height / pixel];
    const hasWhole = behaviour.wholeHandles === true && Math.max(width, height) >= wholeFromPx;
    const sides = { wide: width >= sideHandleFromPx, high: height >= sideHandleFromPx };
    this.controls = {
      ...(hasWhole ? wholeControls({ turns: behaviour.upright !== true, ...sides }) : {}),
      ...Object.fromEntries(this.handles().map((handle) => [handle.id, handleControl(this, handle)])),
    };
    super.setCoords();
  }

  override findControl(pointer: Parameters<FabricObject['findControl']>[0]): FoundControl | undefined {
    return nearestControl(this, pointer);
  }
}
