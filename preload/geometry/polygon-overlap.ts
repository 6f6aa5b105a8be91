import { boxOfPoints, shoelaceArea } from './geometry.ts';

type Edge = readonly [x0: number, y0: number, x1: number, y1: number];

/** Edges of a ring, without those of length 0. */
function edgesOf(points: readonly number[]): Edge[] {
  const end = points.length - (points.length % 2);
  const edges: Edge[] = [];
  for (let index = 0; index < end; index += 2) {
    const next = (index + 2) % end;
    const edge: Edge = [points[index]!, points[index + 1]!, points[next]!, points[next + 1]!];
    if (edge[0] !== edge[2] || edge[1] !== edge[3]) edges.push(edge);
  }
  return edges;
}

const turn = (ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));

const isWithin = (value: number, a: number, b: number): boolean => value >= Math.min(a, b) && value <= Math.max(a, b);

const isOnEdge = (x: number, y: number, [x0, y0, x1, y1]: Edge): boolean =>
  turn(x0, y0, x1, y1, x, y) === 0 && isWithin(x, x0, x1) && isWithin(y, y0, y1);

function touch(first: Edge, second: Edge): boolean {
  const [ax, ay, bx, by] = first;
  const [cx, cy, dx, dy] = second;
  const crosses =
    turn(ax, ay, bx, by, cx, cy) * turn(ax, ay, bx, by, dx, dy) < 0 &&
    turn(cx, cy, dx, dy, ax, ay) * turn(cx, cy, dx, dy, bx, by) < 0;
  return (
    crosses ||
    isOnEdge(cx, cy, first) ||
    isOnEdge(dx, dy, first) ||
    isOnEdge(ax, ay, second) ||
    isOnEdge(bx, by, second)
  );
}

/** True if `second`, which continues `first`, folds back onto it. */
const foldsBack = (first: Edge, second: Edge): boolean =>
  isOnEdge(second[2], second[3], first) || isOnEdge(first[0], first[1], second);

/** True for a ring of at least three points that neither crosses nor touches itself and has an area. */
export function isSimplePolygon(points: readonly number[]): boolean {
  const edges = edgesOf(points);
  if (edges.length < 3 || shoelaceArea(points) === 0) return false;
  // Sorted by left end, so that only edges that overlap in x are compared.
  const order = edges.map((edge, index) => ({ edge, index, left: Math.min(edge[0], edge[2]) }));
  order.sort((a, b) => a.left - b.left);
  for (let i = 0; i < order.length; i += 1) {
    const first = order[i]!;
    const right = Math.max(first.edge[0], first.edge[2]);
    for (let j = i + 1; j < order.length && order[j]!.left <= right; j += 1) {
      const second = order[j]!;
      if ((first.index + 1) % edges.length === second.index) {
        if (foldsBack(first.edge, second.edge)) return false;
      } else if ((second.index + 1) % edges.length === first.index) {
        if (foldsBack(second.edge, first.edge)) return false;
      } else if (touch(first.edge, second.edge)) {
        return false;
      }
    }
  }
  return true;
}

const crossingHeight = ([x0, y0, x1, y1]: Edge, [x2, y2, x3, y3]: Edge): number | null => {
  const denominator = (x1 - x0) * (y3 - y2) - (y1 - y0) * (x3 - x2);
  if (denominator === 0) return null;
  const t = ((x2 - x0) * (y3 - y2) - (y2 - y0) * (x3 - x2)) / denominator;
  const u = ((x2 - x0) * (y1 - y0) - (y2 - y0) * (x1 - x0)) / denominator;
  return t < 0 || t > 1 || u < 0 || u > 1 ? null : y0 + t * (y1 - y0);
};

/**
 * Common area of two simple polygons. Divides the plane into horizontal slabs at every vertex and crossing. No edges
 * cross within a slab, so its common part consists of trapezoids.
 */
export function polygonIntersectionArea(first: readonly number[], second: readonly number[]): number {
  const firstBox = boxOfPoints(first);
  const secondBox = boxOfPoints(second);
  if (firstBox === null || secondBox === null) return 0;
  const top = Math.max(firstBox.top, secondBox.top);
  const bottom = Math.min(firstBox.bottom, secondBox.bottom);
  if (top >= bottom || Math.max(firstBox.left, secondBox.left) >= Math.min(firstBox.right, secondBox.right)) return 0;
  const reaches = (edge: Edge): boolean => Math.max(edge[1], edge[3]) > top && Math.min(edge[1], edge[3]) < bottom;
  const firstEdges = edgesOf(first).filter(reaches);
  const secondEdges = edgesOf(second).filter(reaches);
  const heights = [top, bottom];
  for (const edge of [...firstEdges, ...secondEdges]) heights.push(edge[1], edge[3]);
  for (const a of firstEdges) {
    for (const b of secondEdges) {
      const height = crossingHeight(a, b);
      if (height !== null) heights.push(height);
    }
  }
  const cuts = [...new Set(heights.filter((height) => height >= top && height <= bottom))].sort((a, b) => a - b);
  let area = 0;
  for (let index = 1; index < cuts.length; index += 1) {
    const height = cuts[index]! - cuts[index - 1]!;
    area += height * commonWidth(firstEdges, secondEdges, cuts[index - 1]! + height / 2);
  }
  return area;
}

/** Length of the part of the horizontal line at `y` that is inside both polygons. */
function commonWidth(firstEdges: readonly Edge[], secondEdges: readonly Edge[], y: number): number {
  const crossings: { x: number; isFirst: boolean }[] = [];
  const collect = (edges: readonly Edge[], isFirst: boolean): void => {
    for (const [x0, y0, x1, y1] of edges) {
      if (y0 > y !== y1 > y) crossings.push({ x: x0 + ((y - y0) / (y1 - y0)) * (x1 - x0), isFirst });
    }
  };
  collect(firstEdges, true);
  collect(secondEdges, false);
  crossings.sort((a, b) => a.x - b.x);
  let width = 0;
  let inFirst = false;
  let inSecond = false;
  let before = 0;
  for (const { x, isFirst } of crossings) {
    if (inFirst && inSecond) width += x - before;
    if (isFirst) inFirst = !inFirst;
    else inSecond = !inSecond;
    before = x;
  }
  return width;
}

/** Intersection over union of two polygons; 0 if either crosses itself or has no area. */
export function polygonIntersectionOverUnion(first: readonly number[], second: readonly number[]): number {
  const shared = polygonIntersectionArea(first, second);
  if (shared === 0 || !isSimplePolygon(first) || !isSimplePolygon(second)) return 0;
  return shared / (shoelaceArea(first) + shoelaceArea(second) - shared);
}
