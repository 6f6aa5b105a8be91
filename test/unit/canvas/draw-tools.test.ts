import { describe, expect, it } from 'vitest';
import { makeShape } from '../../support/canvas-shape.ts';
import { driveEditor, driveTool } from './support/editor-driver.ts';

describe('drawing boxes', () => {
  it('draws a rectangle by dragging and stays active for the next one', () => {
    const hand = driveTool('rectangle');
    hand.drag([10, 20], [110, 80]);
    hand.drag([200, 20], [150, 80]);
    expect(hand.shapes().map(({ type, points }) => [type, points])).toEqual([
      ['rectangle', [10, 20, 110, 80]],
      ['rectangle', [150, 20, 200, 80]],
    ]);
    expect(hand.editor.tools.current().id).toBe('rectangle');
    expect(hand.drawings).toEqual(['start rectangle', 'done rectangle', 'start rectangle', 'done rectangle']);
  });

  it('drags a handle of the last drawing, and draws everywhere else', () => {
    const hand = driveTool('rectangle');
    hand.drag([50, 100], [150, 200]);
    hand.drag([150, 200], [180, 220]);
    expect(hand.shapes().map(({ points }) => points)).toEqual([[50, 100, 180, 220]]);
    expect(hand.last().kind).toBe('resize');
    expect(hand.editor.tools.current().id).toBe('rectangle');
    hand.drag([100, 130], [120, 150]);
    expect(hand.shapes()).toHaveLength(2);
    hand.editor.undo();
    hand.editor.undo();
    expect(hand.shapes().map(({ points }) => points)).toEqual([[50, 100, 150, 200]]);
  });

  it('sets a point by a click on a handle: shapes share corners', () => {
    const hand = driveTool('polygon');
    hand.clicks([50, 50], [150, 50], [150, 150]);
    hand.editor.tools.current().finish();
    hand.clicks([150, 50], [250, 50], [150, 150]);
    hand.editor.tools.current().finish();
    expect(hand.shapes().map(({ points }) => points)).toEqual([
      [50, 50, 150, 50, 150, 150],
      [150, 50, 250, 50, 150, 150],
    ]);
    hand.drag([250, 50], [280, 80]);
    expect(hand.shapes()[1]?.points).toEqual([150, 50, 280, 80, 150, 150]);
  });

  it('keeps the shape when a drag is cancelled', () => {
    const hand = driveTool('ellipse');
    hand.drag([50, 100], [150, 200]);
    const { points } = hand.shapes()[0]!;
    hand.move(150, 200);
    hand.down(150, 200);
    hand.move(200, 250);
    hand.editor.tools.current().cancel();
    hand.up(200, 250);
    expect(hand.shapes().map((shape) => shape.points)).toEqual([points]);
  });

  it('makes a rectangle by two clicks', () => {
    const hand = driveTool('rectangle');
    hand.click(10, 20);
    expect(hand.editor.tools.current().drawing()).toBe(true);
    expect(hand.shapes()).toEqual([]);
    hand.move(60, 60);
    hand.click(110, 80);
    expect(hand.shapes().map(({ points }) => points)).toEqual([[10, 20, 110, 80]]);
  });

  it('makes a square with Shift and an ellipse from the same gesture', () => {
    const hand = driveTool('rectangle');
    hand.drag([10, 10], [60, 30], { shift: true });
    hand.tool('ellipse');
    hand.drag([100, 100], [200, 140]);
    const [square, ellipse] = hand.shapes();
    expect(square?.points).toEqual([10, 10, 60, 60]);
    expect(ellipse?.points).toEqual([150, 120, 200, 100]);
  });

  it('keeps drawings inside the image', () => {
    const hand = driveTool('rectangle');
    hand.drag([350, 250], [600, 700]);
    expect(hand.shapes()[0]?.points).toEqual([350, 250, 400, 300]);
  });

  it('discards a box in progress on Escape, on right click and on undo', () => {
    const hand = driveTool('rectangle');
    hand.click(10, 10);
    expect(hand.editor.tools.current().cancel()).toBe(true);
    hand.click(10, 10);
    hand.click(50, 50, { button: 2 });
    hand.click(10, 10);
    expect(hand.editor.undo()).toBe('point');
    expect(hand.shapes()).toEqual([]);
    expect(hand.commands).toEqual([]);
    expect(hand.editor.tools.current().drawing()).toBe(false);
  });

  it('refuses a box without a size and says so', () => {
    const hand = driveTool('rectangle');
    hand.click(10, 10);
    hand.click(10, 50);
    expect(hand.shapes()).toEqual([]);
    expect(hand.refusals[0]).toBe('canvas.refused.noSize');
  });

  it('refuses to draw without a label, and with one for another type', () => {
    const hand = driveTool('rectangle', {});
    hand.drag([10, 10], [50, 50]);
    hand.tool('rectangle', { labelId: 2 });
    hand.drag([10, 10], [50, 50]);
    expect(hand.shapes()).toEqual([]);
    expect(hand.refusals).toEqual(['canvas.refused.noLabel', 'canvas.refused.otherType lane polyline']);
  });

  it('applies the options to a new shape, and adds a track id if it starts a track', () => {
    const hand = driveEditor();
    hand.editor.setFrameShapes([], 7);
    hand.tool('rectangle', { labelId: 1, asTrack: true, attributes: [{ spec_id: 5, value: 'red' }] });
    hand.drag([10, 10], [50, 50]);
    const [shape] = hand.shapes();
    expect(shape).toMatchObject({
      frame: 7,
      keyframe: true,
      source: 'manual',
      attributes: [{ spec_id: 5, value: 'red' }],
    });
    expect(shape?.trackId).toBe(shape?.clientId);
    expect(hand.last().label).toBe('create 1 track car');
  });

  it('draws a cuboid of eight points, the back offset from the front', () => {
    const hand = driveTool('cuboid');
    hand.drag([100, 100], [200, 180]);
    expect(hand.shapes()[0]?.points).toEqual([
      100, 100, 100, 180, 200, 100, 200, 180, 125, 80, 125, 160, 225, 80, 225, 160,
    ]);
  });

  it('moves the edges and the faces of a cuboid by their centre handles', () => {
    const hand = driveTool('cuboid');
    hand.drag([100, 100], [200, 180]);
    hand.tool('select', {});
    hand.drag([225, 120], [245, 110]);
    expect(hand.shapes()[0]?.points.slice(8)).toEqual([125, 80, 125, 160, 245, 70, 245, 150]);
    hand.drag([150, 140], [140, 150]);
    expect(hand.shapes()[0]?.points.slice(0, 8)).toEqual([90, 110, 90, 190, 190, 110, 190, 190]);
    hand.editor.undo();
    hand.editor.undo();
    expect(hand.shapes()[0]?.points.slice(0, 2)).toEqual([100, 100]);
  });

  it('stretches a skeleton over the box', () => {
    const hand = driveEditor();
    const skeleton = [
      { labelId: 31, x: 0.5, y: 0 },
      { labelId: 32, x: 0.5, y: 1 },
    ];
    hand.tool('skeleton', { labelId: 3, skeleton });
    hand.drag([100, 100], [200, 180]);
    expect(hand.shapes()[0]?.elements?.map(({ labelId, points }) => [labelId, points])).toEqual([
      [31, [150, 100]],
      [32, [150, 180]],
    ]);
  });
});

describe('drawing paths', () => {
  it('finishes a polygon with a click on its first point', () => {
    const hand = driveTool('polygon');
    hand.clicks([20, 20], [120, 20], [120, 90]);
    hand.click(22, 23);
    expect(hand.shapes()[0]).toMatchObject({ type: 'polygon', points: [20, 20, 120, 20, 120, 90] });
  });

  it('finishes with a double click without setting its point twice', () => {
    const hand = driveTool('polyline');
    hand.click(20, 20);
    hand.click(80, 20);
    hand.doubleClick(80, 90);
    expect(hand.shapes()[0]?.points).toEqual([20, 20, 80, 20, 80, 90]);
  });

  it('finishes on Enter, and not before there are enough points', () => {
    const hand = driveTool('polygon');
    hand.click(20, 20);
    hand.click(80, 20);
    expect(hand.editor.tools.current().finish()).toBe(false);
    expect(hand.refusals[0]).toBe('canvas.refused.tooFew.polygon');
    expect(hand.editor.tools.current().drawing()).toBe(true);
    hand.click(80, 90);
    expect(hand.editor.tools.current().finish()).toBe(true);
    expect(hand.shapes()).toHaveLength(1);
  });

  it('removes points with right click and undo, and restores them with redo', () => {
    const hand = driveTool('polyline');
    hand.clicks([20, 20], [80, 20], [80, 90], [20, 90]);
    hand.click(200, 200, { button: 2 });
    hand.editor.undo();
    hand.editor.redo();
    hand.editor.tools.current().finish();
    expect(hand.shapes()[0]?.points).toEqual([20, 20, 80, 20, 80, 90]);
  });

  it('undoes commands once no points are left, and then redoes the command first', () => {
    const hand = driveTool('rectangle');
    hand.drag([10, 10], [50, 50]);
    hand.tool('polyline');
    hand.click(20, 20);
    expect(hand.editor.undo()).toBe('point');
    expect(hand.editor.undo()).toBe('command');
    expect(hand.shapes()).toEqual([]);
    expect(hand.editor.redo()).toBe('command');
    expect(hand.shapes()).toHaveLength(1);
    expect(hand.editor.tools.current().drawing()).toBe(false);
  });

  it('snaps to eight directions with Ctrl', () => {
    const hand = driveTool('polyline');
    hand.click(100, 100);
    hand.click(160, 104, { mod: true });
    hand.click(190, 136, { mod: true });
    hand.editor.tools.current().finish();
    const [, , x2, y2, x3 = 0, y3 = 0] = hand.shapes()[0]?.points ?? [];
    expect([x2, y2]).toEqual([160, 100]);
    expect(x3 - 160).toBeCloseTo(y3 - 100, 1);
  });

  it('draws freehand while the button is held', () => {
    const hand = driveTool('polyline');
    hand.down(50, 50);
    for (let x = 50; x <= 150; x += 2) hand.move(x, 50);
    hand.up(150, 50);
    hand.editor.tools.current().finish();
    const points = hand.shapes()[0]?.points ?? [];
    expect(points.length / 2).toBeGreaterThan(6);
    expect(points.slice(0, 2)).toEqual([50, 50]);
  });

  it('draws freehand while Shift is held, and nothing by pressing Shift alone', () => {
    const hand = driveTool('polygon');
    hand.click(50, 50);
    hand.move(100, 50);
    hand.editor.pointer.repeat(true);
    hand.editor.pointer.repeat(false);
    expect(hand.editor.tools.current().view().drafts[0]?.shape.points).toHaveLength(4);
    for (let x = 100; x <= 200; x += 4) hand.move(x, 50 + (x - 100) / 4, { shift: true });
    hand.click(120, 150);
    hand.editor.tools.current().finish();
    const points = hand.shapes()[0]?.points ?? [];
    expect(points.length / 2).toBeGreaterThan(8);
    expect(points.slice(-2)).toEqual([120, 150]);
  });

  it('pans with Alt during a drawing, and continues it', () => {
    const hand = driveTool('polygon');
    hand.click(100, 100);
    const before = hand.editor.view.get();
    hand.drag([200, 150], [230, 150], { alt: true });
    expect(hand.editor.view.get().offsetX).not.toBe(before.offsetX);
    expect(hand.editor.tools.current().drawing()).toBe(true);
    hand.click(150, 100);
    hand.click(150, 150);
    hand.editor.tools.current().finish();
    expect(hand.shapes()[0]?.points).toHaveLength(6);
  });

  it('pans with Space and with the middle button in every tool', () => {
    const hand = driveTool('rectangle');
    hand.editor.pointer.holdSpace(true);
    hand.drag([100, 100], [150, 120]);
    hand.editor.pointer.holdSpace(false);
    expect(hand.shapes()).toEqual([]);
    const { offsetX } = hand.editor.view.get();
    expect(offsetX).not.toBe(0);
    hand.down(100, 100, { button: 1 });
    hand.move(90, 100);
    hand.up(90, 100, { button: 1 });
    expect(hand.editor.view.get().offsetX).toBeLessThan(offsetX);
    expect(hand.drawings).toEqual([]);
  });

  it('discards the drawing when another tool is selected or the frame changes', () => {
    const hand = driveTool('polygon');
    hand.click(20, 20);
    hand.tool('select', {});
    hand.tool('polygon');
    hand.click(20, 20);
    hand.editor.setFrameShapes([makeShape('other', 'rectangle', [0, 0, 9, 9], { frame: 1 })], 1);
    expect(hand.drawings).toEqual(['start polygon', 'cancelled polygon', 'start polygon', 'cancelled polygon']);
    expect(hand.commands).toEqual([]);
  });
});

describe('prompts for a model', () => {
  it('collects points and a box, removes them one by one, and submits them', () => {
    const hand = driveEditor();
    const seen: { positive: number; negative: number; hasBox: boolean; finished: boolean }[] = [];
    hand.editor.events.on('prompts', (prompts, finished) =>
      seen.push({
        positive: prompts.positive.length,
        negative: prompts.negative.length,
        hasBox: prompts.box !== null,
        finished,
      }),
    );
    hand.tool('prompt', {});
    hand.click(100, 100);
    hand.click(200, 100, { button: 2 });
    hand.drag([50, 50], [150, 150]);
    hand.editor.undo();
    hand.editor.tools.current().finish();
    expect(seen).toEqual([
      { positive: 1, negative: 0, hasBox: false, finished: false },
      { positive: 1, negative: 1, hasBox: false, finished: false },
      { positive: 1, negative: 1, hasBox: true, finished: false },
      { positive: 1, negative: 1, hasBox: false, finished: false },
      { positive: 1, negative: 1, hasBox: false, finished: true },
    ]);
  });

  it('removes a prompt when it is clicked again', () => {
    const hand = driveEditor();
    let count = -1;
    hand.editor.events.on('prompts', ({ positive }) => (count = positive.length));
    hand.tool('prompt', {});
    hand.click(100, 100);
    hand.click(103, 98);
    expect(count).toBe(0);
  });
});
