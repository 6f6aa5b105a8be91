import { describe, expect, it } from 'vitest';
import { makeElement, makeShape } from '../../support/canvas-shape.ts';
import { driveEditor } from './support/editor-driver.ts';

const box = makeShape('box', 'rectangle', [50, 50, 150, 120]);
const inner = makeShape('inner', 'rectangle', [70, 70, 90, 90]);
const polygon = makeShape('polygon', 'polygon', [200, 50, 300, 50, 300, 150, 200, 150]);

describe('selecting', () => {
  it('hovers without selecting, selects by a click, clears by a click on the background', () => {
    const hand = driveEditor([box, polygon]);
    hand.move(100, 110);
    expect(hand.editor.hover()).toBe('box');
    expect(hand.editor.selection.ids()).toEqual([]);
    hand.click(100, 110);
    expect(hand.editor.selection.ids()).toEqual(['box']);
    hand.click(20, 250);
    expect(hand.editor.selection.ids()).toEqual([]);
  });

  it('adds and removes with Shift and with Ctrl', () => {
    const hand = driveEditor([box, polygon]);
    hand.click(100, 110);
    hand.click(250, 100, { shift: true });
    expect(hand.editor.selection.ids()).toEqual(['box', 'polygon']);
    hand.click(100, 110, { mod: true });
    expect(hand.editor.selection.ids()).toEqual(['polygon']);
  });

  it('reaches the shape inside another one, and the one in front when their z order differs', () => {
    const hand = driveEditor([inner, box]);
    hand.click(80, 80);
    expect(hand.editor.selection.ids()).toEqual(['inner']);
    hand.editor.commands.update(['box'], { zOrder: 1 });
    hand.click(20, 250);
    hand.click(80, 80);
    expect(hand.editor.selection.ids()).toEqual(['box']);
  });

  it('selects objects completely inside a box, and adds with Shift', () => {
    const hand = driveEditor([box, inner, polygon]);
    hand.drag([40, 40], [170, 130]);
    expect([...hand.editor.selection.ids()].sort()).toEqual(['box', 'inner']);
    hand.drag([190, 40], [310, 160], { shift: true });
    expect([...hand.editor.selection.ids()].sort()).toEqual(['box', 'inner', 'polygon']);
    hand.drag([40, 200], [60, 220]);
    expect(hand.editor.selection.ids()).toEqual([]);
    expect(hand.commands).toEqual([]);
  });

  it('ignores hidden and outside objects', () => {
    const hand = driveEditor([
      makeShape('hidden', 'rectangle', [50, 50, 150, 120], { hidden: true }),
      makeShape('outside', 'rectangle', [50, 50, 150, 120], { outside: true }),
    ]);
    hand.click(100, 100);
    expect(hand.editor.selection.ids()).toEqual([]);
  });

  it('selects on right click and requests a menu', () => {
    const hand = driveEditor([box, polygon]);
    const requested: unknown[] = [];
    hand.editor.events.on('contextMenu', ({ id, vertex }) => requested.push([id, vertex]));
    hand.click(100, 110, { button: 2 });
    hand.click(250, 100);
    hand.click(300, 150, { button: 2 });
    hand.click(20, 250, { button: 2 });
    expect(requested).toEqual([
      ['box', null],
      ['polygon', 2],
      [null, null],
    ]);
  });
});

describe('moving', () => {
  it('moves a shape that was not selected before in one gesture', () => {
    const hand = driveEditor([box]);
    hand.drag([100, 110], [130, 100]);
    expect(hand.shape('box').points).toEqual([80, 40, 180, 110]);
    expect(hand.commands.map(({ command }) => command.label)).toEqual(['move 1 rectangle car']);
    hand.editor.undo();
    expect(hand.shape('box').points).toEqual(box.points);
  });

  it('treats a small movement as a click', () => {
    const hand = driveEditor([box]);
    hand.drag([100, 110], [102, 111]);
    expect(hand.shape('box').points).toEqual(box.points);
    expect(hand.commands).toEqual([]);
  });

  it('moves all selected shapes as one command, but not locked or pinned ones', () => {
    const hand = driveEditor([
      box,
      polygon,
      makeShape('locked', 'rectangle', [10, 200, 40, 230], { locked: true }),
      makeShape('pinned', 'rectangle', [60, 200, 90, 230], { pinned: true }),
    ]);
    hand.editor.selection.set(['box', 'polygon', 'locked', 'pinned']);
    hand.drag([100, 110], [110, 120]);
    expect(hand.commands).toHaveLength(1);
    expect(hand.last().changes.map(({ clientId }) => clientId)).toEqual(['box', 'polygon']);
    expect(hand.shape('polygon').points.slice(0, 2)).toEqual([210, 60]);
  });

  it('stops at the edge of the image, and keeps to one axis with Shift', () => {
    const hand = driveEditor([box]);
    hand.drag([100, 110], [380, 110]);
    expect(hand.shape('box').points).toEqual([300, 50, 400, 120]);
    const other = driveEditor([box]);
    other.down(100, 110);
    other.move(140, 118, { shift: true });
    other.up(140, 118, { shift: true });
    expect(other.shape('box').points[1]).toBe(50);
  });

  it('restores everything when the gesture is cancelled or the pointer is lost', () => {
    const hand = driveEditor([box]);
    hand.down(100, 110);
    hand.move(150, 140);
    expect(hand.editor.toolView().drafts).toHaveLength(1);
    hand.editor.tools.current().cancel();
    hand.up(150, 140);
    hand.down(100, 110);
    hand.move(150, 140);
    hand.editor.pointer.lost();
    hand.up(150, 140);
    expect(hand.shape('box').points).toEqual(box.points);
    expect(hand.commands).toEqual([]);
  });

  it('undo during a drag cancels the drag and undoes no command', () => {
    const hand = driveEditor([box]);
    hand.drag([100, 110], [110, 110]);
    hand.down(100, 110);
    hand.move(150, 140);
    hand.editor.undo();
    hand.up(150, 140);
    expect(hand.shape('box').points).toEqual([60, 50, 160, 120]);
  });

  it('redraws only the layer of edited objects while dragging', () => {
    const hand = driveEditor([box]);
    hand.down(100, 110);
    hand.move(120, 110);
    const { version } = hand.editor.scene;
    hand.invalid.clear();
    hand.move(150, 140);
    expect([...hand.invalid].sort()).toEqual(['active', 'overlay']);
    expect(hand.editor.scene.version).toBe(version);
  });
});

describe('handles', () => {
  it('resizes by a corner and by a side', () => {
    const hand = driveEditor([box]);
    hand.click(100, 110);
    hand.drag([150, 120], [170, 140]);
    expect(hand.shape('box').points).toEqual([50, 50, 170, 140]);
    expect(hand.last().kind).toBe('resize');
    hand.drag([50, 95], [30, 180]);
    expect(hand.shape('box').points).toEqual([30, 50, 170, 140]);
  });

  it('keeps the proportions with Shift', () => {
    const hand = driveEditor([makeShape('box', 'rectangle', [50, 50, 150, 100])]);
    hand.click(100, 90);
    hand.drag([150, 100], [250, 110], { shift: true });
    expect(hand.shape('box').points).toEqual([50, 50, 250, 150]);
  });

  it('flips when a handle is dragged past the other side', () => {
    const hand = driveEditor([box]);
    hand.click(100, 110);
    hand.drag([150, 120], [20, 20]);
    expect(hand.shape('box').points).toEqual([20, 20, 50, 50]);
  });

  it('rotates by the knob, with Shift in steps of 15°', () => {
    const hand = driveEditor([makeShape('box', 'rectangle', [150, 120, 250, 180])]);
    hand.click(200, 170);
    hand.drag([200, 94], [300, 150]);
    expect(hand.shape('box').rotation).toBe(90);
    expect(hand.shape('box').points).toEqual([150, 120, 250, 180]);
    hand.editor.undo();
    hand.editor.selection.set(['box']);
    hand.drag([200, 94], [228, 100], { shift: true });
    expect(hand.shape('box').rotation).toBe(30);
    expect(hand.last().kind).toBe('rotate');
  });

  it('drags, adds and removes vertices of a polygon', () => {
    const hand = driveEditor([polygon]);
    hand.click(250, 100);
    hand.drag([300, 150], [320, 170]);
    expect(hand.shape('polygon').points.slice(4, 6)).toEqual([320, 170]);
    hand.drag([230, 50], [230, 20]);
    expect(hand.shape('polygon').points.slice(2, 4)).toEqual([230, 20]);
    expect(hand.shape('polygon').points).toHaveLength(10);
    hand.click(230, 20, { alt: true });
    expect(hand.shape('polygon').points).toHaveLength(8);
    expect(hand.last().label).toBe('vertex 1 polygon car');
  });

  it('adds a vertex where the outline is double-clicked', () => {
    const hand = driveEditor([makeShape('line', 'polyline', [50, 50, 150, 50])]);
    hand.click(75, 50);
    hand.doubleClick(75, 51);
    expect(hand.shape('line').points).toEqual([50, 50, 75, 50, 150, 50]);
  });

  it('does not remove a required vertex', () => {
    const hand = driveEditor([makeShape('triangle', 'polygon', [50, 50, 150, 50, 100, 150])]);
    hand.click(100, 80);
    hand.click(150, 50, { alt: true });
    expect(hand.shape('triangle').points).toHaveLength(6);
    expect(hand.refusals[0]).toBe('canvas.refused.lastVertices');
  });

  it('has no handles on a locked shape, nor on several', () => {
    const hand = driveEditor([{ ...box, locked: true }, polygon]);
    hand.click(100, 110);
    hand.drag([150, 120], [170, 140]);
    expect(hand.shape('box').points).toEqual(box.points);
    hand.editor.commands.update(['box'], { locked: false });
    hand.editor.selection.set(['box', 'polygon']);
    hand.drag([150, 120], [160, 130]);
    expect(hand.shape('polygon').points.slice(0, 2)).toEqual([210, 60]);
  });

  it('moves single points, and all of them by the centre handle', () => {
    const hand = driveEditor([makeShape('points', 'points', [50, 50, 150, 50, 100, 150])]);
    hand.click(50, 50);
    hand.drag([150, 50], [160, 60]);
    expect(hand.shape('points').points).toEqual([50, 50, 160, 60, 100, 150]);
    hand.drag([105, 100], [115, 100]);
    expect(hand.shape('points').points).toEqual([60, 50, 170, 60, 110, 150]);
  });

  it('moves one element of a skeleton', () => {
    const elements = [makeElement('a', 31, [100, 100]), makeElement('b', 32, [140, 180])];
    const hand = driveEditor([makeShape('person', 'skeleton', [], { labelId: 3, elements })]);
    hand.click(100, 100);
    hand.drag([140, 180], [150, 200]);
    expect(hand.shape('person').elements?.map(({ points }) => points)).toEqual([
      [100, 100],
      [150, 200],
    ]);
  });

  it('works the same when the view is zoomed and turned', () => {
    const hand = driveEditor([box]);
    hand.editor.view.rotate('clockwise');
    hand.editor.view.zoomBy(2.5);
    hand.click(100, 105);
    hand.drag([150, 120], [170, 140]);
    expect(hand.shape('box').points).toEqual([50, 50, 170, 140]);
  });
});
