import { describe, expect, it } from 'vitest';
import { makeShape } from '../../support/canvas-shape.ts';
import { driveEditor, type EditorDriver } from './support/editor-driver.ts';

const square = makeShape('square', 'polygon', [50, 50, 150, 50, 150, 150, 50, 150]);
const line = makeShape('line', 'polyline', [50, 200, 100, 200, 150, 200, 200, 200]);

const selected = (id: string): EditorDriver => {
  const hand = driveEditor([square, line]);
  hand.tool('select', {});
  hand.editor.selection.set([id]);
  return hand;
};
const drawing = (hand: EditorDriver): boolean => hand.editor.tools.current().drawing();

describe('a part of a polygon', () => {
  it('is redrawn from one vertex to another', () => {
    const hand = selected('square');
    hand.click(150, 50, { shift: true });
    expect(drawing(hand)).toBe(true);
    hand.clicks([200, 70], [200, 130], [150, 150]);
    expect(drawing(hand)).toBe(false);
    expect(hand.shape('square').points).toEqual([150, 50, 200, 70, 200, 130, 150, 150, 50, 150, 50, 50]);
    expect(hand.last().kind).toBe('vertex');
    hand.editor.undo();
    expect(hand.shape('square').points).toEqual(square.points);
  });

  it('is the other one with Alt', () => {
    const hand = selected('square');
    hand.click(150, 50, { shift: true });
    hand.click(200, 100);
    hand.click(150, 150, { alt: true });
    expect(hand.shape('square').points).toEqual([150, 50, 150, 150, 200, 100]);
  });

  it('needs a vertex to end at, and is cancelled by Escape', () => {
    const hand = selected('square');
    hand.click(150, 50, { shift: true });
    hand.click(200, 100);
    expect(hand.editor.tools.current().finish()).toBe(false);
    expect(hand.refusals).toEqual(['canvas.refused.redrawOpen']);
    expect(hand.editor.tools.current().cancel()).toBe(true);
    expect(drawing(hand)).toBe(false);
    expect(hand.shape('square').points).toEqual(square.points);
    expect(hand.commands).toEqual([]);
  });

  it('undoes its points one by one, the last one ends it', () => {
    const hand = selected('square');
    hand.click(150, 50, { shift: true });
    hand.click(200, 100);
    hand.editor.undo();
    hand.editor.undo();
    expect(drawing(hand)).toBe(false);
    hand.drag([100, 100], [110, 100]);
    expect(hand.last().kind).toBe('move');
  });

  it('is cancelled, and the user notified, when the shape changes during it', () => {
    const hand = selected('square');
    hand.click(150, 50, { shift: true });
    hand.click(200, 100);
    hand.editor.commands.remove(['square']);
    hand.move(210, 110);
    expect(hand.refusals).toEqual(['canvas.refused.redrawGone']);
    expect(drawing(hand)).toBe(false);
  });

  it('does not start by dragging a vertex with Shift, nor on a locked shape', () => {
    const hand = selected('square');
    hand.drag([150, 150], [170, 152], { shift: true });
    expect(drawing(hand)).toBe(false);
    expect(hand.shape('square').points).not.toEqual(square.points);
    const other = driveEditor([{ ...square, locked: true }]);
    other.editor.selection.set(['square']);
    other.click(150, 50, { shift: true });
    expect(drawing(other)).toBe(false);
  });

  it('that would leave two points is refused', () => {
    const hand = driveEditor([makeShape('triangle', 'polygon', [50, 50, 150, 50, 100, 150])]);
    hand.editor.selection.set(['triangle']);
    hand.click(50, 50, { shift: true });
    hand.click(150, 50, { alt: true });
    expect(hand.refusals).toEqual(['canvas.refused.lastVertices']);
    expect(hand.shape('triangle').points).toHaveLength(6);
    expect(drawing(hand)).toBe(true);
    hand.click(150, 50);
    expect(drawing(hand)).toBe(false);
  });
});

describe('a part of a polyline', () => {
  it('is redrawn between two vertices, forwards and backwards', () => {
    const hand = selected('line');
    hand.click(100, 200, { shift: true });
    hand.clicks([125, 250], [150, 200]);
    expect(hand.shape('line').points).toEqual([50, 200, 100, 200, 125, 250, 150, 200, 200, 200]);
    hand.click(200, 200, { shift: true });
    hand.clicks([180, 270], [110, 270], [100, 200]);
    expect(hand.shape('line').points).toEqual([50, 200, 100, 200, 110, 270, 180, 270, 200, 200]);
  });

  it('is its end if it is finished elsewhere: the line continues', () => {
    const hand = selected('line');
    hand.click(200, 200, { shift: true });
    hand.clicks([250, 220], [300, 200]);
    hand.editor.tools.current().finish();
    expect(hand.shape('line').points).toEqual([...line.points, 250, 220, 300, 200]);
    hand.click(50, 200, { shift: true });
    hand.click(20, 240);
    hand.editor.tools.current().finish();
    expect(hand.shape('line').points.slice(0, 4)).toEqual([20, 240, 50, 200]);
  });

  it('is drawn freehand while Shift is held', () => {
    const hand = selected('line');
    hand.click(100, 200, { shift: true });
    for (let x = 100; x <= 150; x += 5) hand.move(x, 230, { shift: true });
    hand.click(150, 200);
    expect(hand.shape('line').points.length).toBeGreaterThan(12);
    expect(hand.shape('line').points.slice(-4)).toEqual([150, 200, 200, 200]);
  });
});
