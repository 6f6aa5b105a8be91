import { boxHeight, boxWidth } from '../geometry/box.ts';
import { edgeCosts, highestCost } from '../geometry/edge-costs.ts';
import { createWireSearch, type WireSearch } from '../geometry/wire-search.ts';
import type { Box, Point, Size } from '../types.ts';
import type { ToolHost } from './tool-host.ts';

/** How far the wire looks to each side, in steps. */
const reachSteps = 256;
/** Screen pixels: how far from where it is clicked a point falls on an edge. */
const snapReachPx = 5;
/** Steps beside the outline so far where the wire does not go again, and what a step costs there. */
const takenWidth = 2;
const takenCost = 4 * highestCost;

/** A part of the picture. The places of a wire are the corners of its pixels. */
interface Patch {
  readonly middle: Point;
  readonly region: Box;
  /** Image pixels from one place to the next. */
  readonly step: number;
  readonly columns: number;
  readonly rows: number;
  readonly costs: Uint16Array;
}

export interface Wire {
  /** From end to end, both of them included. */
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
 * Finds the edge of the picture that leads from one point to another. It looks at what the person sees: one step is a
 * pixel of the image or, where the view is smaller than that, of the screen. Only a part of the picture around the
 * point is read, and searched no farther than the pointer went: where it has been, a wire is a look-up. Not in a worker,
 * so that the wire is where the pointer is and a click never waits: to read 512 × 512 pixels takes about 20 ms, to search
 * all of them, where they are nothing but noise, 40 ms, once for each point that is set.
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
  /** The patch that is there where it has the point within `reach` steps of its middle, else a new one. */
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
    /** The strongest edge beside a point; the point itself where there is none. */
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
     * Along edges as far as it looks, straight on from there; straight all the way where there is no picture.
     * @param taken the outline so far, which the wire keeps off: else it would go back the way it came
     */
    between(from: Point, to: Point, taken: readonly Wire[]): Wire {
      const around = patchAround(from, 2 * snapReachPx);
      if (around === null) return { points: [from, to], step: 1 };
      const places = wiresFrom(around, from, taken).pathTo(placeOf(around, to));
      const inner = places.slice(1, isIn(around.region, to) ? -1 : undefined).map((place) => pointOf(around, place));
      return { points: [from, ...inner, to], step: around.step };
    },
    /** The picture may be another one from now on. */
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

/** The place that is nearest to a point, though it be outside. */
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
