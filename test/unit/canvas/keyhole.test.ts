import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPointInPolygon, shoelaceArea } from '../../../preload/geometry/geometry.ts';
import { maskToBitmap } from '../../../preload/geometry/mask-runs.ts';
import { maskToPolygons, polygonsToMask } from '../../../preload/geometry/mask-polygons.ts';
import { polygonArea } from '../../../preload/geometry/polygon-raster.ts';
import { bridgesOf, ringsOfPolygon, withHole } from '../../../renderer/canvas/geometry/keyhole.ts';
import { simplified } from '../../../renderer/canvas/geometry/simplify-path.ts';
import { behaviourOf } from '../../../renderer/canvas/shapes/shape-behaviours.ts';
import { makeShape } from '../../support/canvas-shape.ts';
import { driveEditor, type EditorDriver } from './support/editor-driver.ts';

const [width, height] = [96, 80];

function turnsRound(x: number, y: number, ring: readonly number[]): number {
  let turns = 0;
  for (let at = 0; at < ring.length; at += 2) {
    const [x0, y0] = [ring[at]!, ring[at + 1]!];
    const [x1, y1] = [ring[(at + 2) % ring.length]!, ring[(at + 3) % ring.length]!];
    const side = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0);
    if (y0 <= y && y1 > y && side > 0) turns += 1;
    if (y0 > y && y1 <= y && side < 0) turns -= 1;
  }
  return turns;
}
/** Nearly the centre of a pixel. No edge between hundredths crosses it, so fill rules cannot differ. */
const [middleX, middleY] = [0.5 + Math.SQRT2 / 1000, 0.5 + Math.PI / 10_000];
const pixels = (isIn: (x: number, y: number) => boolean): number[] =>
  Array.from({ length: width * height }, (_, at) => at).filter((at) =>
    isIn((at % width) + middleX, Math.floor(at / width) + middleY),
  );
const evenOdd = (ring: readonly number[]) => pixels((x, y) => isPointInPolygon(x, y, ring));
const nonZero = (ring: readonly number[]) => pixels((x, y) => turnsRound(x, y, ring) !== 0);
const maskPixels = (ring: readonly number[]): number =>
  maskToBitmap(polygonsToMask([ring], width, height)!).bitmap.reduce((sum, bit) => sum + bit, 0);

/** A star-shaped ring around a centre, convex or not, in either direction. */
const ringAround = (x: number, y: number, least: number, most: number) =>
  fc
    .record({
      radii: fc.array(fc.double({ min: least, max: most, noNaN: true }), { minLength: 3, maxLength: 14 }),
      start: fc.double({ min: 0, max: 6, noNaN: true }),
      isTurned: fc.boolean(),
    })
    .map(({ radii, start, isTurned }) =>
      radii.flatMap((radius, index) => {
        const angle = start + ((isTurned ? -1 : 1) * index * 2 * Math.PI) / radii.length;
        return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)].map(
          (value) => Math.round(value * 100) / 100,
        );
      }),
    );
/** Holes that do not touch each other or any outline. */
const spots = [
  [48, 40],
  [37, 35],
  [59, 34],
  [47, 51],
] as const;
const scenes = fc.record({
  outline: ringAround(48, 40, 33, 38),
  holes: fc.tuple(...spots.map(([x, y]) => ringAround(x, y, 1.5, 4))),
  count: fc.integer({ min: 1, max: spots.length }),
});
/** A triangle of that size has no space for the holes in the corners. */
const hasRoom = ({ outline, holes }: { outline: number[]; holes: number[][] }): boolean =>
  holes.every((hole) => hole.every((x, at) => at % 2 === 1 || isPointInPolygon(x, hole[at + 1]!, outline)));

describe('a hole in a polygon', () => {
  it('is excluded under both fill rules, in its area, as a mask, and by COCO', () => {
    let cut = 0;
    fc.assert(
      fc.property(scenes, ({ outline, holes, count }) => {
        const chosen = holes.slice(0, count);
        fc.pre(hasRoom({ outline, holes: chosen }));
        let ring: readonly number[] = outline;
        for (const hole of chosen) {
          const result = withHole(ring, hole);
          // A hole that crosses the random outline is refused, and nothing changes.
          if ('problem' in result) return;
          ring = result.points;
        }
        cut += 1;
        const gone = new Set(chosen.flatMap(evenOdd));
        const expected = evenOdd(outline).filter((at) => !gone.has(at));
        expect(evenOdd(ring)).toEqual(expected);
        expect(nonZero(ring)).toEqual(expected);
        const area = chosen.reduce((left, hole) => left - shoelaceArea(hole), shoelaceArea(outline));
        expect(shoelaceArea(ring)).toBeCloseTo(area, 6);
        const counted = chosen.reduce((left, hole) => left - maskPixels(hole), maskPixels(outline));
        expect(maskPixels(ring)).toBe(counted);
        expect(polygonArea(ring, width, height)).toBe(counted);
        // The inverse returns the original rings, without the bridges.
        const areas = ringsOfPolygon(ring).map(shoelaceArea);
        for (const [index, one] of [outline, ...chosen]
          .map(shoelaceArea)
          .toSorted((a, b) => b - a)
          .entries()) {
          expect(areas[index]).toBeCloseTo(one, 6);
        }
        expect(areas).toHaveLength(1 + count);
        expect(bridgesOf(ring).size).toBe(2 * count);
      }),
      { numRuns: 80 },
    );
    expect(cut).toBeGreaterThan(30);
  });

  const square = [10, 10, 90, 10, 90, 70, 10, 70];
  const box = (left: number, top: number, right: number, bottom: number) => [
    left,
    top,
    right,
    top,
    right,
    bottom,
    left,
    bottom,
  ];
  const cut = (ring: readonly number[], hole: readonly number[]): readonly number[] => {
    const result = withHole(ring, hole);
    if ('problem' in result) throw new Error(result.problem);
    return result.points;
  };

  it('may be at the bridge to another one, and contain the one that it surrounds', () => {
    const one = cut(square, box(30, 30, 40, 40));
    const [bridge] = bridgesOf(one);
    const [x, y] = [
      (one[bridge! * 2]! + one[bridge! * 2 + 2]!) / 2,
      (one[bridge! * 2 + 1]! + one[bridge! * 2 + 3]!) / 2,
    ];
    const two = cut(one, box(x - 2, y - 2, x + 2, y + 2));
    expect(ringsOfPolygon(two)).toHaveLength(3);
    expect(shoelaceArea(two)).toBe(4800 - 100 - 16);
    const around = cut(two, box(12, 12, 60, 60));
    expect(ringsOfPolygon(around)).toHaveLength(2);
    expect(shoelaceArea(around)).toBe(4800 - 48 * 48);
  });

  it('is refused if it crosses, is outside or in another one, crosses itself, or is empty', () => {
    const problem = (ring: readonly number[], hole: readonly number[]) => {
      const result = withHole(ring, hole);
      return 'problem' in result ? result.problem : null;
    };
    expect(problem(square, box(0, 20, 30, 30))).toBe('crosses');
    expect(problem(square, box(10, 20, 30, 30))).toBe('crosses');
    expect(problem(square, box(92, 20, 95, 30))).toBe('outside');
    expect(problem(square, box(0, 0, 96, 80))).toBe('outside');
    expect(problem(square, [20, 20, 40, 40, 40, 20, 20, 40.5])).toBe('knotted');
    expect(problem(square, [20, 20, 20, 20.1, 20.1, 20])).toBe('noArea');
    const one = cut(square, box(30, 30, 50, 50));
    expect(problem(one, box(35, 35, 40, 40))).toBe('outside');
    expect(problem(one, box(45, 35, 60, 40))).toBe('crosses');
  });

  it('remains with its bridge when the polygon is simplified', () => {
    const round = Array.from({ length: 60 }, (_, at) => (at * Math.PI) / 30).flatMap((angle) => [
      50 + 12 * Math.cos(angle),
      40 + 12 * Math.sin(angle),
    ]);
    const ring = cut(square, round);
    const simpler = simplified(ring, 1, true);
    expect(simpler.length).toBeLessThan(ring.length / 2);
    expect(ringsOfPolygon(simpler)).toHaveLength(2);
    expect(simplified(square, 1, true)).toEqual(square);
  });

  it('is distinguished from a spike or a second part of an object', () => {
    const spike = [10, 10, 90, 10, 90, 70, 50, 70, 50, 75, 50, 70, 10, 70];
    expect(ringsOfPolygon(spike)).toEqual([spike]);
    const parts = [10, 10, 40, 10, 60, 10, 60, 40, 90, 40, 90, 10, 60, 10, 40, 10, 40, 70, 10, 70];
    expect(ringsOfPolygon(parts)).toEqual([parts]);
    expect(bridgesOf(parts).size).toBe(0);
  });

  it('of a mask that was converted to a polygon is one too', () => {
    const mask = polygonsToMask([cut(square, box(30, 30, 50, 50))], width, height)!;
    const [ring = []] = maskToPolygons(mask);
    expect(ringsOfPolygon(ring)).toHaveLength(2);
    expect(ringsOfPolygon(cut(ring, box(60, 30, 70, 50)))).toHaveLength(3);
  });

  it('is not part of the object, and its bridge not an edge: neither drawn, nor hit, nor with handles', () => {
    const shape = makeShape('a', 'polygon', cut(square, box(40, 30, 60, 50)));
    const { area, hit, handles, trace } = behaviourOf(shape);
    const context = { pixel: 0.1, label: () => undefined, mask: () => null as never };
    expect(area?.(shape)).toBe(4400);
    expect(hit(shape, { x: 50, y: 40 }, 1, context)).toBe(null);
    expect(hit(shape, { x: 40.5, y: 40 }, 1, context)).toBe('edge');
    const [bridge] = bridgesOf(shape.points);
    const [x0, y0, x1, y1] = shape.points.slice(bridge! * 2, bridge! * 2 + 4);
    expect(hit(shape, { x: (x0! + x1!) / 2, y: (y0! + y1!) / 2 }, 1, context)).toBe('inside');
    expect(handles(shape, context).filter(({ kind }) => kind === 'middle')).toHaveLength(8);
    const calls: string[] = [];
    const sink = {
      moveTo: (x: number, y: number) => void calls.push(`M ${x} ${y}`),
      lineTo: (x: number, y: number) => void calls.push(`L ${x} ${y}`),
      closePath: () => void calls.push('Z'),
    };
    trace(shape, { area: sink, line: sink, dot: sink } as never, context);
    expect(calls.filter((call) => call.startsWith('M'))).toHaveLength(2);
    expect(calls).toHaveLength(10);
  });
});

describe('the tool that cuts holes', () => {
  const polygon = makeShape('a', 'polygon', [50, 50, 250, 50, 250, 200, 50, 200], { serverId: 7 });
  const armed = (...shapes: (typeof polygon)[]): EditorDriver => {
    const hand = driveEditor(shapes.length === 0 ? [polygon] : shapes);
    hand.editor.selection.set(['a']);
    hand.tool('hole', {});
    return hand;
  };
  const finish = (hand: EditorDriver): boolean => hand.editor.tools.current().finish();
  const hole = [
    [100, 80],
    [160, 80],
    [130, 150],
  ] as const;

  it('cuts one into the selected polygon, which stays the same object; undo closes it', () => {
    const hand = armed();
    hand.clicks(...hole, [100, 80]);
    expect(hand.shape('a')).toMatchObject({ serverId: 7, type: 'polygon' });
    expect(shoelaceArea(hand.shape('a').points)).toBe(200 * 150 - 60 * 35);
    expect(hand.editor.hits.pick({ x: 130, y: 100 })).toBe(null);
    hand.clicks([180, 80], [220, 80], [200, 150]);
    finish(hand);
    expect(ringsOfPolygon(hand.shape('a').points)).toHaveLength(3);
    hand.editor.undo();
    hand.editor.undo();
    expect(hand.shape('a').points).toEqual(polygon.points);
  });

  it('says why it cannot, and keeps the drawing', () => {
    const hand = armed();
    hand.clicks([20, 80], [160, 80], [130, 150]);
    expect(finish(hand)).toBe(false);
    expect(hand.refusals.at(-1)).toBe('canvas.refused.hole.crosses');
    expect(hand.editor.tools.current().drawing()).toBe(true);
    expect(hand.commands).toEqual([]);
    const other = armed({ ...polygon, locked: true });
    other.click(100, 80);
    expect(other.refusals).toEqual(['canvas.refused.hole.noPolygon']);
    const track = armed({ ...polygon, trackId: 'a', keyframe: true });
    track.click(100, 80);
    expect(track.refusals).toEqual(['canvas.refused.hole.noPolygon']);
  });

  it('leaves points that can be dragged and removed without opening the bridge', () => {
    const hand = armed();
    hand.clicks(...hole);
    finish(hand);
    hand.tool('select', {});
    hand.editor.selection.set(['a']);
    for (const [x, y] of [hole[0], hole[1], hole[2], [50, 50]] as const) {
      hand.drag([x, y], [x + 4, y + 6]);
      expect(ringsOfPolygon(hand.shape('a').points)).toHaveLength(2);
    }
    expect(shoelaceArea(hand.shape('a').points)).toBeCloseTo(200 * 150 - 60 * 35 - (4 * 150 + 6 * 200) / 2, 6);
    hand.click(hole[2][0] + 4, hole[2][1] + 6, { alt: true });
    expect(ringsOfPolygon(hand.shape('a').points)).toHaveLength(1);
    expect(hand.shape('a').points).toHaveLength(8);
  });
});
