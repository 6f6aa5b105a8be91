import { FabricObject, util } from 'fabric';
import type { Matrix } from '../geometry/affine.ts';
import { boxCentre, boxHeight, boxWidth } from '../geometry/box.ts';
import type { Geometry, Handle, ShapeContext } from '../shapes/behaviour.ts';
import { behaviourOf, boundsOf, withGeometry } from '../shapes/shape-behaviours.ts';
import type { Point, ShapeRecord } from '../types.ts';
import { handleControl, nearestControl, wholeControls, type FoundControl } from './controls.ts';

/** Screen pixels between a shape and the box by which it is scaled and turned as a whole. */
export const wholePaddingPx = 10;
/** A shape that is smaller on screen has no handles for the whole of it: they would lie on its own. */
const wholeFromPx = 24;
const sideHandleFromPx = 60;
/** Less than this is the arithmetic's doing. */
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
 * A selected shape as fabric knows it: a box to be moved, scaled and turned, by itself or in an `ActiveSelection`, with
 * a control for each of the shape's handles. It is made from a record, and what a gesture does to it is baked into the
 * geometry of the record that `current()` answers. Image coordinates; needs no document.
 */
export class RecordObject extends FabricObject {
  readonly record: ShapeRecord;
  readonly #context: () => ShapeContext;
  /** From where the object was made back to the origin. */
  readonly #home: Matrix;
  /** What a handle of the shape's own did. */
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

  /** The record with what was done to the object since it was made. */
  current(): ShapeRecord {
    if (this.#dragged !== null) return withGeometry(this.record, this.#dragged);
    const behaviour = behaviourOf(this.record);
    const done: Matrix = util.multiplyTransformMatrices(this.calcTransformMatrix(), [...this.#home]);
    if (!isShiftOnly(done) && behaviour.transform !== undefined) {
      return withGeometry(this.record, behaviour.transform(this.record, done));
    }
    return this.moved(done[4], done[5]);
  }

  /** The record with nothing done to it but a move: what `current()` comes to then, without its matrices. */
  moved(x: number, y: number): ShapeRecord {
    const [dx, dy] = [exact(x), exact(y)];
    if (dx === 0 && dy === 0) return this.record;
    return withGeometry(this.record, behaviourOf(this.record).move(this.record, dx, dy));
  }

  /** Pulls one of the shape's own handles. Image pixels. */
  dragHandle(handle: Handle, to: Point, constrain: boolean): void {
    this.#dragged = behaviourOf(this.record).drag(this.record, handle, to, { constrain });
  }

  /** The shape's own, where they are now. */
  handles(): readonly Handle[] {
    return behaviourOf(this.record).handles(this.current(), this.#context());
  }

  /** Controls of the shape's own handles come last: they win where they lie on those of the whole. */
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
