import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shoelaceArea } from '../../../preload/geometry/geometry.ts';
import { maskFromBitmap, maskToBitmap } from '../../../preload/geometry/mask-runs.ts';
import { withHole } from '../../../renderer/canvas/geometry/keyhole.ts';
import { slicedMask, slicedPolygon } from '../../../renderer/canvas/geometry/slice.ts';
import { driveEditor } from './support/editor-driver.ts';
import { makeShape } from '../../support/canvas-shape.ts';

const square = [10, 10, 50, 10, 50, 50, 10, 50];
const areas = (rings: readonly number[][]): number[] =>
  rings.map((ring) => Math.round(shoelaceArea(ring))).toSorted((a, b) => a - b);
const pixels = (points: readonly number[]): Set<string> => {
  const { bitmap, left, top, width } = maskToBitmap(points);
  const found = new Set<string>();
  bitmap.forEach((value, at) => value === 1 && found.add(`${left + (at % width)} ${top + Math.floor(at / width)}`));
  return found;
};

describe('a polygon', () => {
  it('is cut by a line from edge to edge, with any number of corners', () => {
    expect(areas(slicedPolygon(square, [30, 0, 30, 60]))).toEqual([800, 800]);
    expect(areas(slicedPolygon(square, [20, 0, 20, 30, 40, 30, 40, 60]))).toEqual([800, 800]);
    expect(areas(slicedPolygon(square, [0, 20, 60, 20, 60, 40, 0, 40]))).toEqual([400, 400, 800]);
    expect(areas(slicedPolygon(square, [0, 0, 60, 60]))).toEqual([800, 800]);
    // In and out on the same side: a bite.
    expect(areas(slicedPolygon(square, [20, 0, 20, 20, 30, 20, 30, 0]))).toEqual([100, 1500]);
  });

  it('stays complete if the line ends inside, passes by, or only touches', () => {
    for (const line of [
      [30, 0, 30, 40],
      [0, 0, 60, 0],
      [20, 20, 40, 40],
      [0, 10, 60, 10],
    ]) {
      expect(slicedPolygon(square, line)).toEqual([square]);
    }
  });

  it('with a hole is cut beside it and over it, never along the bridge to it', () => {
    const cut = withHole(square, [20, 20, 40, 20, 40, 30, 20, 30]);
    const ring = 'points' in cut ? cut.points : [];
    expect(areas(slicedPolygon(ring, [30, 0, 30, 60]))).toEqual([700, 700]);
    expect(areas(slicedPolygon(ring, [0, 40, 60, 40]))).toEqual([400, 1000]);
    expect(areas(slicedPolygon(ring, [0, 25, 25, 0]))).toEqual([13, 1388]);
    expect(slicedPolygon(ring, [30, 0, 30, 25])).toEqual([ring]);
    const place = fc.integer({ min: 0, max: 60 });
    fc.assert(
      fc.property(fc.array(place, { minLength: 4, maxLength: 4 }), (line) => {
        const sum = slicedPolygon(ring, line).reduce((total, part) => total + shoelaceArea(part), 0);
        expect(Math.abs(sum - 1400)).toBeLessThan(1);
      }),
    );
  });

  it('stays complete if the line crosses itself inside', () => {
    expect(slicedPolygon(square, [20, 0, 20, 40, 40, 40, 40, 30, 15, 30, 0, 30])).toEqual([square]);
  });

  it('keeps its total area with any line', () => {
    const place = fc.integer({ min: 0, max: 60 });
    const star = [5, 5, 30, 20, 55, 5, 40, 30, 55, 55, 30, 40, 5, 55, 20, 30];
    fc.assert(
      fc.property(fc.array(place, { minLength: 4, maxLength: 8 }), (flat) => {
        const line = flat.slice(0, flat.length - (flat.length % 2));
        const parts = slicedPolygon(star, line);
        const sum = parts.reduce((total, part) => total + shoelaceArea(part), 0);
        expect(Math.abs(sum - shoelaceArea(star))).toBeLessThan(1);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a mask', () => {
  const width = 40;
  const bitmap = new Uint8Array(width * 30).map((_, at) => (at % width < 30 || at % width > 34 ? 1 : 0));
  const mask = maskFromBitmap(bitmap, width, 30, { left: 5, top: 5 })!;

  it('is cut along a line; untouched parts stay with the largest part, and no pixel is lost', () => {
    const parts = slicedMask(mask, [20, 0, 25, 60]);
    expect(parts).toHaveLength(2);
    const all = parts.map(pixels);
    expect(all.reduce((sum, part) => sum + part.size, 0)).toBe(pixels(mask).size);
    expect(new Set(all.flatMap((part) => [...part])).size).toBe(pixels(mask).size);
    expect(slicedMask(mask, [20, 0, 20, 15])).toEqual([mask]);
    expect(slicedMask(mask, [0, 0, 4, 60])).toEqual([mask]);
  });
});

describe('the tool that slices', () => {
  const polygon = makeShape('a', 'polygon', square, { zOrder: 3, group: 2 });

  it('cuts the selection in one step; its parts inherit all properties', () => {
    const driver = driveEditor([polygon]);
    driver.editor.selection.set(['a']);
    driver.tool('slice', {});
    driver.clicks([30, 0], [30, 60]);
    driver.editor.tools.current().finish();
    const parts = driver.shapes();
    expect(
      parts.map(({ points, zOrder, group, labelId }) => [Math.round(shoelaceArea(points)), zOrder, group, labelId]),
    ).toEqual([
      [800, 3, 2, polygon.labelId],
      [800, 3, 2, polygon.labelId],
    ]);
    driver.editor.undo();
    expect(driver.shapes()).toEqual([polygon]);
  });

  it('says why nothing can be cut, and keeps a line that does not pass through', () => {
    const driver = driveEditor([polygon, makeShape('b', 'rectangle', [60, 60, 90, 90])]);
    driver.editor.selection.set(['b']);
    driver.tool('slice', {});
    driver.click(30, 0);
    expect(driver.refusals).toEqual(['canvas.refused.nothingToSlice']);
    driver.editor.selection.set(['a']);
    driver.clicks([30, 0], [30, 40]);
    driver.editor.tools.current().finish();
    expect(driver.refusals.at(-1)).toBe('canvas.refused.notThrough');
    driver.click(30, 60);
    driver.editor.tools.current().finish();
    expect(driver.shapes()).toHaveLength(3);
  });
});
