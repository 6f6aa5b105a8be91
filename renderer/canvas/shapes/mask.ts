import { movedMask } from '../geometry/mask.ts';
import type { ShapeBehaviour } from './behaviour.ts';

export const mask: ShapeBehaviour = {
  parts: 'line',
  filled: false,
  area(shape) {
    let sum = 0;
    for (let index = 1; index < shape.points.length - 4; index += 2) sum += shape.points[index] ?? 0;
    return sum;
  },
  trace(shape, sink, context) {
    const decoded = context.mask(shape.points);
    const { left, top } = decoded;
    if (shape.suggestion === true) {
      for (const ring of decoded.rings) {
        for (let index = 0; index < ring.length; index += 2) {
          const [x, y] = [left + (ring[index] ?? 0), top + (ring[index + 1] ?? 0)];
          if (index === 0) sink.line.moveTo(x, y);
          else sink.line.lineTo(x, y);
        }
        sink.line.closePath();
      }
      return;
    }
    const { contour } = decoded;
    for (let index = 0; index < contour.length; index += 4) {
      sink.line.moveTo(left + (contour[index] ?? 0), top + (contour[index + 1] ?? 0));
      sink.line.lineTo(left + (contour[index + 2] ?? 0), top + (contour[index + 3] ?? 0));
    }
  },
  hit(shape, point, tolerance, context) {
    const decoded = context.mask(shape.points);
    const covers = (x: number, y: number): boolean => {
      const column = Math.floor(x) - decoded.left;
      const row = Math.floor(y) - decoded.top;
      if (column < 0 || row < 0 || column >= decoded.width || row >= decoded.height) return false;
      return decoded.bits[row * decoded.width + column] === 1;
    };
    if (covers(point.x, point.y)) return 'inside';
    const reach = tolerance / 2;
    const around: readonly [number, number][] = [
      [reach, 0],
      [-reach, 0],
      [0, reach],
      [0, -reach],
    ];
    return around.some(([dx, dy]) => covers(point.x + dx, point.y + dy)) ? 'edge' : null;
  },
  handles: () => [],
  move: (shape, dx, dy) => ({ points: movedMask(shape.points, Math.round(dx), Math.round(dy)) }),
  drag: (shape) => ({ points: shape.points }),
};
