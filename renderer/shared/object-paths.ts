import type { ShapeType } from '../../preload/contract/annotation-names.ts';
import { decodeMask } from '../canvas/geometry/mask.ts';
import { createPathText } from '../canvas/path-text.ts';
import { behaviourOf, boundsOf } from '../canvas/shapes/shape-behaviours.ts';
import type { ShapeRecord } from '../canvas/types.ts';

export interface DrawnObject {
  readonly type: ShapeType;
  readonly points: readonly number[];
  readonly rotation: number;
  readonly elements: readonly { readonly points: readonly number[]; readonly outside: boolean }[];
}

/** Tags are not drawn, because they belong to the complete image. */
export const isDrawn = <Type extends { readonly type: ShapeType | 'tag' }>(
  object: Type,
): object is Type & { readonly type: ShapeType } => object.type !== 'tag';

interface ObjectPaths {
  readonly area: string;
  readonly line: string;
  readonly dot: string;
  readonly left: number;
  readonly top: number;
}

/** Draws an object like the canvas. @param pixel image pixels per screen pixel */
export function objectPaths({ type, points, rotation, elements }: DrawnObject, pixel: number): ObjectPaths {
  const record: ShapeRecord = {
    clientId: 'written',
    kind: 'shape',
    type,
    frame: 0,
    labelId: 0,
    group: 0,
    source: 'manual',
    attributes: [],
    locked: false,
    hidden: false,
    points,
    rotation,
    occluded: false,
    outside: false,
    zOrder: 0,
    score: 1,
    elements: elements.map((element, labelId) => ({
      clientId: `element ${labelId}`,
      labelId,
      type: 'points' as const,
      rotation: 0,
      zOrder: 0,
      points: element.points,
      occluded: false,
      outside: element.outside,
      attributes: [],
    })),
  };
  const { left, top } = boundsOf(record);
  if (type === 'mask') return { area: maskPath(points), line: '', dot: '', left, top };
  const sink = { area: createPathText(), line: createPathText(), dot: createPathText() };
  behaviourOf(record).trace(record, sink, { pixel, label: () => undefined, mask: decodeMask });
  return { area: sink.area.text(), line: sink.line.text(), dot: sink.dot.text(), left, top };
}

export function joinedPath(object: DrawnObject, pixel: number): string {
  const { area, line, dot } = objectPaths(object, pixel);
  return area + line + dot;
}

/** Outline of a mask along pixel borders, including holes. */
function maskPath(points: readonly number[]): string {
  const { left, top, rings } = decodeMask(points);
  const path = createPathText();
  for (const ring of rings) {
    for (let at = 0; at < ring.length; at += 2) {
      const [x, y] = [left + (ring[at] ?? 0), top + (ring[at + 1] ?? 0)];
      if (at === 0) path.moveTo(x, y);
      else path.lineTo(x, y);
    }
    path.closePath();
  }
  return path.text();
}
