import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edgeCosts } from '../../../renderer/canvas/geometry/edge-costs.ts';
import { createWireSearch, stepWeight } from '../../../renderer/canvas/geometry/wire-search.ts';

const costOf = (costs: Uint16Array, columns: number, path: readonly number[]): number =>
  path.slice(1).reduce((sum, to, index) => {
    const from = path[index]!;
    const isDiagonal = from % columns !== to % columns && Math.floor(from / columns) !== Math.floor(to / columns);
    return sum + costs[to]! * (isDiagonal ? stepWeight.diagonal : stepWeight.straight);
  }, 0);

/** Over the corner while that is shorter, then straight. */
function straightLine(columns: number, from: number, to: number): number[] {
  const path = [from];
  for (let at = from; at !== to; path.push(at)) {
    const dx = Math.sign((to % columns) - (at % columns));
    const dy = Math.sign(Math.floor(to / columns) - Math.floor(at / columns));
    at += dx + dy * columns;
  }
  return path;
}

/** The minimum cost, by relaxing every step until none improves. */
function leastCost(costs: Uint16Array, columns: number, from: number, to: number): number {
  const least = Array.from(costs, () => Infinity);
  least[from] = 0;
  for (let helps = true; helps;) {
    helps = false;
    for (const at of least.keys()) {
      for (const dy of [-1, 0, 1]) {
        for (const dx of [-1, 0, 1]) {
          const column = (at % columns) + dx;
          const next = at + dy * columns + dx;
          if (column < 0 || column >= columns || next < 0 || next >= costs.length || next === at) continue;
          const through = least[at]! + costOf(costs, columns, [at, next]);
          if (through >= least[next]!) continue;
          least[next] = through;
          helps = true;
        }
      }
    }
  }
  return least[to]!;
}

const grids = fc
  .record({ columns: fc.integer({ min: 1, max: 12 }), rows: fc.integer({ min: 1, max: 12 }) })
  .chain(({ columns, rows }) => {
    const place = fc.nat(columns * rows - 1);
    return fc.record({
      columns: fc.constant(columns),
      costs: fc.array(fc.integer({ min: 1, max: 1020 }), { minLength: columns * rows, maxLength: columns * rows }),
      start: place,
      targets: fc.array(place, { minLength: 1, maxLength: 4 }),
    });
  });

it('a wire connects neighbours at the least cost, independent of earlier requests', () => {
  fc.assert(
    fc.property(grids, ({ columns, costs: list, start, targets }) => {
      const costs = Uint16Array.from(list);
      const search = createWireSearch(costs, columns, start);
      for (const target of targets) {
        const path = search.pathTo(target);
        expect([path[0], path.at(-1)]).toEqual([start, target]);
        for (const [index, to] of path.slice(1).entries()) {
          const from = path[index]!;
          const steps = [(to % columns) - (from % columns), Math.floor(to / columns) - Math.floor(from / columns)];
          expect(Math.max(...steps.map(Math.abs))).toBe(1);
        }
        const cost = costOf(costs, columns, path);
        expect(cost).toBe(leastCost(costs, columns, start, target));
        expect(cost).toBeLessThanOrEqual(costOf(costs, columns, straightLine(columns, start, target)));
      }
    }),
    { numRuns: 200 },
  );
});

describe('costs of edges', () => {
  const halves = (left: readonly number[], right: readonly number[]): Uint16Array => {
    const rgba = Uint8ClampedArray.from(
      { length: 8 * 6 * 4 },
      (_, at) => ((at >> 2) % 8 < 4 ? left : right)[at % 4] ?? 255,
    );
    return edgeCosts(rgba, { width: 8, height: 6 });
  };

  it('are lowest exactly between two areas, in every row and up to the border', () => {
    const costs = halves([40, 40, 40], [200, 200, 200]);
    for (let row = 0; row <= 6; row += 1) {
      const line = Array.from(costs.subarray(row * 9, row * 9 + 9));
      expect(line.indexOf(Math.min(...line))).toBe(4);
      expect(line).toEqual(line.toReversed());
      expect(line[0]).toBe(255);
    }
  });

  it('detect an edge between colours of one brightness, and none in an even area', () => {
    const costs = halves([200, 60, 60], [60, 131, 60]);
    expect(costs[4]).toBeLessThan(60);
    expect(new Set(halves([90, 90, 90], [90, 90, 90]))).toEqual(new Set([255]));
  });
});
