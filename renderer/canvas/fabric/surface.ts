import { controlsUtils, util, type Canvas, type Control, type FabricObject, type TMat2D, type Transform } from 'fabric';
import type { Point } from '../types.ts';

type FabricEvent = Parameters<NonNullable<Transform['actionHandler']>>[0];

/**
 * Minimal canvas for objects without a document: viewport, active object, and free scaling unless Shift is held. On
 * screen a real canvas replaces it; gestures work with both.
 */
export function createSurface(active: () => FabricObject | null) {
  const stub = {
    viewportTransform: [1, 0, 0, 1, 0, 0] as TMat2D,
    uniformScaling: false,
    uniScaleKey: 'shiftKey',
    getActiveObject: () => active() ?? undefined,
    getZoom: () => Math.hypot(stub.viewportTransform[0], stub.viewportTransform[1]),
    getRetinaScaling: () => 1,
    fire: () => undefined,
  };
  return {
    // Implements only the members that objects read of a canvas.
    adopt(object: FabricObject): Canvas {
      const canvas = stub as unknown as Canvas;
      object.set('canvas', canvas);
      return canvas;
    },
    /** Handlers read only the modifier keys. */
    event: (shiftKey: boolean) => ({ shiftKey, altKey: false, ctrlKey: false, metaKey: false }) as FabricEvent,
  };
}

/** State that a canvas records when a control, or the body (null), is pressed. */
export function beginTransform(target: FabricObject, control: Control | null, { x, y }: Point): Transform {
  const turns = control?.actionName === 'rotate';
  const origin =
    control === null || turns ? ({ x: 'center', y: 'center' } as const) : control.getTransformAnchorPoint();
  const { scaleX, scaleY, skewX, skewY, left, top, angle, width, height } = target;
  const corner = Object.entries(target.controls).find(([, one]) => one === control)?.[0] ?? '';
  return {
    target,
    action: control?.actionName ?? 'drag',
    actionHandler: control?.actionHandler ?? controlsUtils.dragHandler,
    actionPerformed: false,
    corner,
    scaleX,
    scaleY,
    skewX,
    skewY,
    offsetX: x - left,
    offsetY: y - top,
    originX: origin.x,
    originY: origin.y,
    ex: x,
    ey: y,
    lastX: x,
    lastY: y,
    theta: util.degreesToRadians(angle),
    width,
    height,
    shiftKey: false,
    altKey: false,
    original: { ...util.saveObjectTransform(target), originX: origin.x, originY: origin.y },
  };
}
