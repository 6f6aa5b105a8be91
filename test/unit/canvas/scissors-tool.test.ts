import { describe, expect, it } from 'vitest';
import { isPointInPolygon } from '../../../preload/geometry/geometry.ts';
import type { ReadPicture, ToolOptions } from '../../../renderer/canvas/types.ts';
import { drawnPicture, type DrawnPicture } from './support/drawn-image.ts';
import { driveEditor, driveTool, type EditorDriver } from './support/editor-driver.ts';

const disc = {
  size: { width: 400, height: 300 },
  area: (x, y) => Math.hypot(x - 200, y - 150) < 90,
  color: [70, 80, 75],
  ground: [150, 140, 160],
  noise: 12,
} satisfies DrawnPicture;

const drawn = new Map<DrawnPicture, ReadPicture>();
const readerOf = (picture: DrawnPicture): ReadPicture => {
  const reader = drawn.get(picture) ?? drawnPicture(picture);
  drawn.set(picture, reader);
  return reader;
};
const armed = (
  picture: DrawnPicture = disc,
  options: ToolOptions = { labelId: 1, anchorDistance: 0 },
): EditorDriver => {
  const hand = driveEditor([], picture.size, readerOf(picture));
  hand.tool('scissors', options);
  return hand;
};
const finish = (hand: EditorDriver): boolean => hand.editor.tools.current().finish();
const drawing = (hand: EditorDriver): boolean => hand.editor.tools.current().drawing();
const marked = (hand: EditorDriver) => hand.editor.toolView().drafts[0]?.marked ?? [];

function overlap(points: readonly number[], { size, area }: DrawnPicture): number {
  let [both, either] = [0, 0];
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      const [a, b] = [area(x + 0.5, y + 0.5), isPointInPolygon(x + 0.5, y + 0.5, points)];
      both += a && b ? 1 : 0;
      either += a || b ? 1 : 0;
    }
  }
  return both / either;
}
/** The outline of a wavy disc, and inaccurate clicks beside it. */
const wavy = (waves: number, depth: number) => (angle: number) => 85 + depth * Math.cos(waves * angle);
const around = (count: number, radius: (angle: number) => number, off: number): [number, number][] =>
  Array.from({ length: count }, (_, index) => {
    const angle = (index * 2 * Math.PI) / count + 0.2;
    const length = radius(angle) + (index % 2 === 0 ? off : -off);
    return [200 + length * Math.cos(angle), 150 + length * Math.sin(angle)];
  });

describe('results of the scissors', () => {
  it('outline a noisy disc after four clicks that miss its edge by three pixels', () => {
    const hand = armed();
    hand.clicks(...around(4, () => 90, 3));
    expect(finish(hand)).toBe(true);
    const [shape] = hand.shapes();
    expect(shape).toMatchObject({ type: 'polygon', labelId: 1, source: 'manual' });
    expect(overlap(shape!.points, disc)).toBeGreaterThan(0.99);
    // The outline is simplified: a disc of that size has some 560 pixel steps.
    expect(shape!.points.length / 2).toBeLessThan(80);
  });

  it.each([3, 5])('outline a shape with %i waves after three clicks for each', (waves) => {
    const radius = wavy(waves, 20);
    const picture: DrawnPicture = {
      ...disc,
      area: (x, y) => Math.hypot(x - 200, y - 150) < radius(Math.atan2(y - 150, x - 200)),
    };
    const hand = armed(picture);
    hand.clicks(...around(3 * waves, radius, 3));
    finish(hand);
    expect(overlap(hand.shapes()[0]!.points, picture)).toBeGreaterThan(0.985);
  });

  it('outline an area that differs only in colour', () => {
    const picture: DrawnPicture = { ...disc, color: [200, 60, 60], ground: [60, 131, 60] };
    const hand = armed(picture);
    hand.clicks(...around(4, () => 90, 3));
    finish(hand);
    expect(overlap(hand.shapes()[0]!.points, picture)).toBeGreaterThan(0.99);
  });

  it('find an area in a large image that is zoomed out', () => {
    const picture: DrawnPicture = {
      ...disc,
      size: { width: 1600, height: 1200 },
      area: (x, y) => Math.hypot(x - 800, y - 600) < 360,
    };
    const hand = armed(picture);
    hand.editor.view.set({ scale: 0.25, offsetX: 0, offsetY: 0, rotation: 0 });
    hand.clicks(...around(4, () => 90, 3).map(([x, y]): [number, number] => [4 * x, 4 * y]));
    finish(hand);
    expect(overlap(hand.shapes()[0]!.points, picture)).toBeGreaterThan(0.99);
  });

  it('have fewer points with a larger tolerance', () => {
    const counts = [0.5, 1, 4].map((wireTolerance) => {
      const hand = armed(disc, { labelId: 1, anchorDistance: 0, wireTolerance });
      hand.clicks(...around(4, () => 90, 3));
      finish(hand);
      return hand.shapes()[0]!.points.length / 2;
    });
    expect(counts[0]).toBeGreaterThan(counts[1]!);
    expect(counts[1]).toBeGreaterThan(counts[2]!);
  });
});

describe('the scissors', () => {
  it('draw straight lines without an image', () => {
    const hand = driveTool('scissors', { labelId: 1, anchorDistance: 0 });
    hand.clicks([10, 10], [60, 10], [60, 60]);
    finish(hand);
    expect(hand.shapes()[0]?.points).toEqual([10, 10, 60, 10, 60, 60]);
  });

  it('keep clicks as points of the outline, on the strongest edge beside them', () => {
    const hand = armed();
    hand.clicks(...around(4, () => 90, 3));
    const points = marked(hand);
    expect(points).toHaveLength(4);
    for (const { x, y } of points) expect(Math.abs(Math.hypot(x - 200, y - 150) - 90)).toBeLessThan(1.6);
    finish(hand);
    const flat = hand.shapes()[0]!.points;
    const corners = flat.flatMap((x, index) => (index % 2 === 0 ? [`${x} ${flat[index + 1]}`] : []));
    expect(corners).toEqual(expect.arrayContaining(points.map(({ x, y }) => `${x} ${y}`)));
  });

  it('draw straight lines, and exactly to the pointer, with Ctrl', () => {
    const hand = armed();
    hand.click(109, 150);
    hand.click(150, 40, { mod: true });
    hand.click(203.5, 62.5, { mod: true });
    expect(marked(hand).slice(1)).toEqual([
      { x: 150, y: 40 },
      { x: 203.5, y: 62.5 },
    ]);
    expect(hand.editor.toolView().drafts[0]?.shape.points.slice(2, 6)).toEqual([150, 40, 203.5, 62.5]);
  });

  it('set points automatically when the pointer has moved far enough', () => {
    const hand = armed(disc, { labelId: 1, anchorDistance: 60 });
    hand.click(290, 150);
    for (let degrees = 0; degrees <= 345; degrees += 3) {
      const angle = (degrees * Math.PI) / 180;
      hand.move(200 + 94 * Math.cos(angle), 150 + 94 * Math.sin(angle));
    }
    expect(marked(hand).length).toBeGreaterThan(6);
    for (const { x, y } of marked(hand)) expect(Math.abs(Math.hypot(x - 200, y - 150) - 90)).toBeLessThan(3);
    finish(hand);
    expect(overlap(hand.shapes()[0]!.points, disc)).toBeGreaterThan(0.985);
  });

  it('close by a click on the first point and by a double click', () => {
    const places = around(4, () => 90, 0);
    const hand = armed();
    hand.clicks(...places, places[0]!);
    expect(drawing(hand)).toBe(false);
    hand.clicks(...places.slice(0, 3));
    hand.doubleClick(...places[3]!);
    expect(drawing(hand)).toBe(false);
    expect(hand.shapes()).toHaveLength(2);
    for (const { points } of hand.shapes()) expect(overlap(points, disc)).toBeGreaterThan(0.99);
  });

  it('do not return the same way: two points and the way back give the complete disc', () => {
    const hand = armed();
    hand.clicks([290, 150], [110, 152]);
    finish(hand);
    expect(overlap(hand.shapes()[0]!.points, disc)).toBeGreaterThan(0.985);
  });

  it('remove points by right click, Shift and click, and undo; redo restores them', () => {
    const hand = armed();
    hand.clicks(...around(4, () => 90, 0));
    hand.click(0, 0, { button: 2 });
    hand.click(0, 0, { shift: true });
    expect(marked(hand)).toHaveLength(2);
    hand.editor.undo();
    expect(marked(hand)).toHaveLength(1);
    hand.editor.redo();
    expect(marked(hand)).toHaveLength(2);
    hand.editor.undo();
    hand.editor.undo();
    expect(drawing(hand)).toBe(false);
    expect(hand.drawings).toEqual(['start scissors', 'cancelled scissors']);
  });

  it('are cancelled by Escape, and refuse an outline of one point with a hint', () => {
    const hand = armed();
    hand.click(290, 150);
    expect(finish(hand)).toBe(false);
    expect(hand.refusals).toEqual(['canvas.refused.tooFew.scissors']);
    expect(hand.editor.tools.current().cancel()).toBe(true);
    expect(drawing(hand)).toBe(false);
    expect(hand.shapes()).toEqual([]);
  });

  it('start a track if tracks are drawn', () => {
    const hand = armed(disc, { labelId: 1, asTrack: true });
    hand.clicks(...around(4, () => 90, 0));
    finish(hand);
    expect(hand.editor.tracks.all()).toHaveLength(1);
    expect(hand.editor.tracks.all()[0]?.keyframes[0]).toMatchObject({ type: 'polygon', frame: 0 });
  });

  it('serialize the drawing, and continue it', () => {
    const places = around(4, () => 90, 0);
    const hand = armed();
    hand.clicks(...places.slice(0, 2));
    const half = hand.editor.tools.current().draft?.();
    expect(half?.isComplete).toBe(false);
    hand.editor.tools.current().cancel();
    hand.editor.tools.current().resume?.(half!);
    expect(drawing(hand)).toBe(true);
    hand.clicks(...places.slice(2));
    finish(hand);
    expect(overlap(hand.shapes()[0]!.points, disc)).toBeGreaterThan(0.99);
  });

  it("follow the keyboard's cursor", () => {
    const hand = armed();
    const { pointer } = hand.editor;
    for (const [x, y] of around(4, () => 90, 0)) {
      const at = pointer.at() ?? { x: 200, y: 150 };
      pointer.moveByKeys(Math.round(x - at.x), Math.round(y - at.y));
      pointer.pressByKeys();
    }
    finish(hand);
    expect(overlap(hand.shapes()[0]!.points, disc)).toBeGreaterThan(0.99);
  });
});
