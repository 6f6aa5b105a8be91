import { Control, controlsUtils, Point, type FabricObject } from 'fabric';
import type { Handle } from '../shapes/behaviour.ts';
import type { Point as ImagePoint } from '../types.ts';

/** Screen pixels. */
const reachPx = 8;
const rotateOffsetPx = 26;

export type FoundControl = NonNullable<ReturnType<FabricObject['findControl']>>;

/** A control with the members that the select tool and the painter need. */
class HandleControl extends Control {
  readonly kind: Handle['kind'];
  /** Index of the vertex or edge; −1 for other handles. */
  readonly index: number;
  /** Direction of the pull, degrees clockwise from up. */
  readonly degrees: number;

  constructor({ kind, index, degrees }: Pick<Handle, 'kind' | 'index' | 'degrees'>, options: Partial<Control>) {
    super({ ...options, actionName: kind });
    this.kind = kind;
    this.index = index;
    this.degrees = degrees;
  }

  /** Rotates with the object, except for handles of the shape itself. */
  pull(_object: FabricObject): number {
    return this.degrees;
  }
}

class WholeControl extends HandleControl {
  override pull(object: FabricObject): number {
    return this.degrees + object.getTotalAngle();
  }
}

const corners = [
  ['nw', -0.5, -0.5, 315],
  ['ne', 0.5, -0.5, 45],
  ['se', 0.5, 0.5, 135],
  ['sw', -0.5, 0.5, 225],
] as const;
const sides = [
  ['n', 0, -0.5, 0],
  ['e', 0.5, 0, 90],
  ['s', 0, 0.5, 180],
  ['w', -0.5, 0, 270],
] as const;

interface WholeOptions {
  readonly turns: boolean;
  /** True if the sides are long enough on screen for a handle. */
  readonly wide?: boolean;
  readonly high?: boolean;
}

/** Fabric's scaling and rotation controls, for a complete path and for several shapes. */
export function wholeControls({ turns, wide = true, high = true }: WholeOptions): Record<string, Control> {
  const controls: Record<string, Control> = {};
  corners.forEach(([id, x, y, degrees], index) => {
    const actionHandler = controlsUtils.scalingEqually;
    controls[id] = new WholeControl({ kind: 'corner', index, degrees }, { x, y, actionHandler });
  });
  sides.forEach(([id, x, y, degrees], index) => {
    if (!(x === 0 ? wide : high)) return;
    const actionHandler = x === 0 ? controlsUtils.scalingY : controlsUtils.scalingX;
    controls[id] = new WholeControl({ kind: 'side', index, degrees }, { x, y, actionHandler });
  });
  if (turns) {
    controls['rotate'] = new WholeControl(
      { kind: 'rotate', index: -1, degrees: 0 },
      { x: 0, y: -0.5, offsetY: -rotateOffsetPx, actionHandler: controlsUtils.rotationWithSnapping },
    );
  }
  return controls;
}

interface Draggable extends FabricObject {
  dragHandle(handle: Handle, to: ImagePoint, constrain: boolean): void;
}

export function handleControl(object: Draggable, handle: Handle): Control {
  return new HandleControl(handle, {
    positionHandler: () => new Point(handle.x, handle.y).transform(object.getViewportTransform()),
    actionHandler(event, _transform, x, y) {
      object.dragHandle(handle, { x, y }, event.shiftKey);
      return true;
    },
  });
}

/** The nearest control within reach of a viewport point. Vertices win over midpoints. */
export function nearestControl(object: FabricObject, pointer: Point): FoundControl | undefined {
  let best: FoundControl | undefined;
  let bestDistance = reachPx;
  for (const [key, coord] of Object.entries(object.oCoords)) {
    const control = object.controls[key];
    if (control === undefined || !object.isControlVisible(key)) continue;
    const distance = coord.distanceFrom(pointer);
    const isMiddle = control instanceof HandleControl && control.kind === 'middle';
    const overMiddle = best?.control instanceof HandleControl && best.control.kind === 'middle';
    if (distance > reachPx || (best !== undefined && isMiddle && !overMiddle)) continue;
    if (best !== undefined && isMiddle === overMiddle && distance > bestDistance) continue;
    best = { key, control, coord };
    bestDistance = distance;
  }
  return best;
}

/** Controls of an object as handles. `toImage` converts from the viewport. */
export function handlesOf(object: FabricObject, toImage: (point: ImagePoint) => ImagePoint): Handle[] {
  return Object.entries(object.oCoords).flatMap(([id, coord]): Handle[] => {
    const control = object.controls[id];
    if (!(control instanceof HandleControl) || !object.isControlVisible(id)) return [];
    return [{ id, kind: control.kind, ...toImage(coord), index: control.index, degrees: control.pull(object) }];
  });
}
