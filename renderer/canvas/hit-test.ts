import type { EditableScene } from './scene.ts';
import type { HitPart, ShapeContext } from './shapes/behaviour.ts';
import { behaviourOf } from './shapes/shape-behaviours.ts';
import { reachBox, type SpatialIndex } from './spatial-index.ts';
import { boxContainsBox } from './geometry/box.ts';
import type { Box, ClientId, Point, ShapeRecord } from './types.ts';

/** Screen pixels on either side. */
const areaEdgeReachPx = 4;
const lineReachPx = 8;

export interface Pick {
  readonly id: ClientId;
  readonly part: HitPart;
}

export function createHitTester(scene: EditableScene, index: SpatialIndex, context: () => ShapeContext) {
  const hitPart = (shape: ShapeRecord, point: Point, now: ShapeContext): HitPart | null => {
    const behaviour = behaviourOf(shape);
    const reach = behaviour.filled ? areaEdgeReachPx : lineReachPx;
    return behaviour.hit(shape, point, reach * now.pixel, now);
  };
  return {
    /** The topmost shape at a point; with equal z order the smallest, so that a shape inside another is reachable. */
    pick(point: Point): Pick | null {
      const now = context();
      let best: { shape: ShapeRecord; part: HitPart; area: number } | null = null;
      for (const id of index.search(reachBox(point.x, point.y, lineReachPx * now.pixel))) {
        const shape = scene.getShape(id);
        if (shape === undefined || (best !== null && shape.zOrder < best.shape.zOrder)) continue;
        const part = hitPart(shape, point, now);
        if (part === null) continue;
        const area = behaviourOf(shape).area(shape);
        if (best === null || isAbove(shape, area, best.shape, best.area)) best = { shape, part, area };
      }
      return best === null ? null : { id: best.shape.clientId, part: best.part };
    },
    /** Shapes whose box is within this distance of a point, image pixels. */
    near: (point: Point, distance: number) => index.search(reachBox(point.x, point.y, distance)),
    inBox: (box: Box) =>
      index.search(box).filter((id) => {
        const bounds = index.bounds(id);
        return bounds !== undefined && boxContainsBox(box, bounds);
      }),
  };

  function isAbove(shape: ShapeRecord, area: number, other: ShapeRecord, otherArea: number): boolean {
    if (shape.zOrder !== other.zOrder) return shape.zOrder > other.zOrder;
    if (area !== otherArea) return area < otherArea;
    return scene.sequence(shape.clientId) > scene.sequence(other.clientId);
  }
}

export type HitTester = ReturnType<typeof createHitTester>;
