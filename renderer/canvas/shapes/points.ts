import { boxCentre, boxOfPoints } from '../geometry/box.ts';
import { nearestVertex } from '../geometry/path.ts';
import { roundCoordinate, shiftPoints } from '../geometry/point.ts';
import type { Handle, PathSink, ShapeBehaviour } from './behaviour.ts';
import { dragVertex, insertAt, vertexHandles, withoutVertex } from './vertex-path.ts';

/** Screen pixels. */
export const dotRadiusPx = 4;

export function traceDot(sink: PathSink, x: number, y: number, radius: number): void {
  sink.moveTo(x + radius, y);
  sink.ellipse(x, y, radius, radius, 0, 0, Math.PI * 2);
  sink.closePath();
}

export const points: ShapeBehaviour = {
  parts: 'dot',
  filled: false,
  countsPoints: true,
  rotates: false,
  area: () => 0,
  trace(shape, sink, { pixel }) {
    for (let index = 0; index + 1 < shape.points.length; index += 2) {
      traceDot(sink.dot, shape.points[index] ?? 0, shape.points[index + 1] ?? 0, dotRadiusPx * pixel);
    }
  },
  hit(shape, point, tolerance) {
    const nearest = nearestVertex(shape.points, point.x, point.y);
    return nearest !== null && nearest.distance <= tolerance ? 'edge' : null;
  },
  handles(shape) {
    const handles: Handle[] = vertexHandles(shape.points);
    if (handles.length < 2) return handles;
    // Dragging a point moves that point alone; this one moves them all.
    const centre = boxCentre(boxOfPoints(shape.points));
    return [{ id: 'move', kind: 'move', ...centre, index: -1, degrees: 0 }, ...handles];
  },
  move: (shape, dx, dy) => ({ points: shiftPoints(shape.points, dx, dy).map(roundCoordinate) }),
  drag: (shape, handle, to, { constrain }) => ({
    points: dragVertex(shape.points, handle.index, to, constrain),
  }),
  insertVertex: (shape, edge, at) => ({ points: insertAt(shape.points, edge, at) }),
  removeVertex: (shape, index) => withoutVertex(shape, index, 1),
};
