import { boxHeight, boxWidth } from '../geometry/box.ts';
import { edgeCosts, highestCost } from '../geometry/edge-costs.ts';
import { createWireSearch, type WireSearch } from '../geometry/wire-search.ts';
import type { Box, Point, Size } from '../types.ts';
import type { ToolHost } from './tool-host.ts';

/** Search radius of the wire, in steps. */
const reachSteps = 256;
/** Maximum distance from the click to the edge that the point snaps to, screen pixels. */
const snapReachPx = 5;
/** Width around the existing outline that the wire avoids, in steps, and the cost of a step there. */
const takenWidth = 2;
const takenCost = 4 * highestCost;

/** Part of the image. A wire runs over the corners of its pixels. */
interface Patch {
  readonly middle: Point;
  readonly region: Box;
  /** Image pixels between adjacent positions. */
  readonly step: number;
  readonly columns: number;
  readonly rows: number;
  readonly costs: Uint16Array;
}

export interface Wire {
  readonly points: readonly Point[];
  /** Image pixels between two of its points. */
  readonly step: number;
}

interface Search {
  readonly patch: Patch;
  readonly from: Point;
  readonly taken: readonly Wire[];
  readonly wires: WireSearch;
}

/**
 * Finds the edge of the image between two points. It works at the displayed resolution: a step is an image pixel or,
 * zoomed out, a screen pixel. It reads only the part of the image around the point and searches no farther than the
 * pointer; later wires are lookups. It does not use a worker, so that the wire follows the pointer and a click never
 * waits: reading 512 × 512 pixels takes about 20 ms, a complete search of pure noise 40 ms, once per point.
 */
export function createLiveWire(host: ToolHost) {
  let patch: Patch | null = null;
  let search: Search | null = null;

  const stepNow = (): number => Math.max(1, 1 / host.view().scale);
  const read = (middle: Point): Patch | null => {
    const step = stepNow();
    const image = host.imageSize();
    const region = {
      left: Math.max(0, Math.floor(middle.x - reachSteps * step)),
      top: Math.max(0, Math.floor(middle.y - reachSteps * step)),
      right: Math.min(image.width, Math.ceil(middle.x + reachSteps * step)),
      bottom: Math.min(image.height, Math.ceil(middle.y + reachSteps * step)),
    };
    const size: Size = { width: Math.round(boxWidth(region) / step), height: Math.round(boxHeight(region) / step) };
    const pixels = size.width < 1 || size.height < 1 ? null : host.readPicture(region, size);
    if (pixels === null) return null;
    return { middle, region, step, columns: size.width + 1, rows: size.height + 1, costs: edgeCosts(pixels, size) };
  };
  /** The current patch if the point is within `reach` steps of its centre, else a new one. */
  const patchAround = (point: Point, reach: number): Patch | null => {
    const isNear =
      patch !== null &&
      patch.step === stepNow() &&
      Math.hypot(point.x - patch.middle.x, point.y - patch.middle.y) <= reach * patch.step;
    if (!isNear) patch = read(point);
    return patch;
  };
  const wiresFrom = (around: Patch, from: Point, taken: readonly Wire[]): WireSearch => {
    const isSame = search?.patch === around && search.taken === taken && isEqual(search.from, from);
    if (search === null || !isSame) {
      const costs = around.costs.slice();
      for (const wire of taken) markTaken(costs, around, wire.points);
      search = { patch: around, from, taken, wires: createWireSearch(costs, around.columns, placeOf(around, from)) };
    }
    return search.wires;
  };

  return {
    /** The strongest edge near a point; the point itself without an edge. */
    snap(at: Point): Point {
      const around = patchAround(at, reachSteps - snapReachPx);
      if (around === null || !isIn(around.region, at)) return at;
      const middle = placeOf(around, at);
      let best = middle;
      for (const place of placesWithin(around, middle, snapReachPx / host.view().scale / around.step)) {
        if ((around.costs[place] ?? 0) < (around.costs[best] ?? 0)) best = place;
      }
      return (around.costs[best] ?? 0) * 2 < highestCost ? pointOf(around, best) : at;
    },
    /**
     * Follows edges within the search radius and continues straight; completely straight without an image.
     * @param taken existing outline, which the wire avoids so that it does not run back
     */
    between(from: Point, to: Point, taken: readonly Wire[]): Wire {
      const around = patchAround(from, 2 * snapReachPx);
      if (around === null) return { points: [from, to], step: 1 };
      const places = wiresFrom(around, from, taken).pathTo(placeOf(around, to));
      const inner = places.slice(1, isIn(around.region, to) ? -1 : undefined).map((place) => pointOf(around, place));
      return { points: [from, ...inner, to], step: around.step };
    },
    forget() {
      patch = null;
      search = null;
    },
  };
}

const isEqual = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;

const isIn = ({ left, top, right, bottom }: Box, { x, y }: Point): boolean =>
  x >= left && x <= right && y >= top && y <= bottom;

const limited = (value: number, most: number): number => Math.min(most, Math.max(0, Math.round(value)));

/** The nearest position to a point, even if the point is outside. */
function placeOf({ region, columns, rows }: Patch, { x, y }: Point): number {
  const column = limited(((x - region.left) / boxWidth(region)) * (columns - 1), columns - 1);
  const row = limited(((y - region.top) / boxHeight(region)) * (rows - 1), rows - 1);
  return row * columns + column;
}

function pointOf({ region, columns, rows }: Patch, place: number): Point {
  const column = place % columns;
  const row = (place - column) / columns;
  return {
    x: region.left + (column * boxWidth(region)) / (columns - 1),
    y: region.top + (row * boxHeight(region)) / (rows - 1),
  };
}

function* placesWithin({ columns, rows }: Patch, middle: number, radius: number): Generator<number> {
  const x = middle % columns;
  const y = (middle - x) / columns;
  const reach = Math.floor(radius);
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      const isThere = x + dx >= 0 && x + dx < columns && y + dy >= 0 && y + dy < rows;
      if (isThere && dx * dx + dy * dy <= radius * radius) yield middle + dy * columns + dx;
    }
  }
}

function markTaken(costs: Uint16Array, patch: Patch, points: readonly Point[]): void {
  for (const [index, to] of points.entries()) {
    const from = points[index - 1] ?? to;
    const count = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / patch.step));
    for (let part = 1; part <= count; part += 1) {
      const at = { x: from.x + ((to.x - from.x) * part) / count, y: from.y + ((to.y - from.y) * part) / count };
      if (!isIn(patch.region, at)) continue;
      for (const place of placesWithin(patch, placeOf(patch, at), takenWidth)) costs[place] = takenCost;
    }
  }
}
