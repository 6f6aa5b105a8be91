import { boxCentre, boxOfPoints } from '../geometry/box.ts';
import { nearestVertex } from '../geometry/path.ts';
import { pointAt } from '../geometry/point.ts';
import { mappedPoints, shiftedPoints, type Handle, type PathSink, type ShapeBehaviour } from './behaviour.ts';
import { dragVertex, vertexHandles, withoutVertex } from './vertex-path.ts';

/** Screen pixels. */
export const dotRadiusPx = 4;

/** Draws a dot at each pair; `pixel` is image pixels per screen pixel. */
export function traceDots(sink: PathSink, list: readonly number[], pixel: number): void {
  const radius = dotRadiusPx * pixel;
  for (let index = 0; index + 1 < list.length; index += 2) {
    const { x, y } = pointAt(list, index / 2);
    sink.moveTo(x + radius, y);
    sink.ellipse(x, y, radius, radius, 0, 0, Math.PI * 2);
    sink.closePath();
  }
}

export const points: ShapeBehaviour = {
  parts: 'dot',
  filled: false,
  countsPoints: true,
  area: () => 0,
  trace: (shape, { dot }, { pixel }) => traceDots(dot, shape.points, pixel),
  hit(shape, point, tolerance) {
    const nearest = nearestVertex(shape.points, point.x, point.y);
    return nearest !== null && nearest.distance <= tolerance ? 'edge' : null;
  },
  handles(shape) {
    const handles: Handle[] = vertexHandles(shape.points);
    if (handles.length < 2) return handles;
    // Dragging a point moves only that point; this handle moves them all.
    const centre = boxCentre(boxOfPoints(shape.points));
    return [{ id: 'move', kind: 'move', ...centre, index: -1, degrees: 0 }, ...handles];
  },
  move: shiftedPoints,
  transform: mappedPoints,
  wholeHandles: true,
  drag: (shape, handle, to, { constrain }) => ({
    points: dragVertex(shape.points, handle.index, to, constrain),
  }),
  removeVertex: (shape, index) => withoutVertex(shape, index, 1),
};
