import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskArea, maskToBitmap } from '../../../preload/geometry/mask-runs.ts';
import { createMaskPainting } from '../../../renderer/canvas/geometry/mask-painting.ts';
import { fillHoles, placeShape } from '../../../renderer/canvas/object-edits.ts';
import { makeShape } from '../../support/canvas-shape.ts';
import { driveEditor, driveTool, type EditorDriver } from './support/editor-driver.ts';

const options = { labelId: 1, brushDiameter: 10 };

describe('painting masks', () => {
  it('makes one mask of several strokes when it is finished', () => {
    const hand = driveTool('brush', options);
    hand.drag([50, 50], [90, 50]);
    hand.drag([70, 30], [70, 70]);
    expect(hand.shapes()).toEqual([]);
    expect(hand.editor.tools.current().finish()).toBe(true);
    const [mask] = hand.shapes();
    expect(mask?.type).toBe('mask');
    expect(mask?.points.slice(-4)).toEqual([45, 25, 94, 74]);
    const { bitmap, width } = maskToBitmap(mask?.points ?? []);
    expect(bitmap[25 * width + 25]).toBe(1);
    expect(bitmap[0]).toBe(0);
  });

  it('continues the new mask while it is selected, and starts another one without a selection', () => {
    const hand = driveTool('brush', options);
    const paint = (x: number): void => {
      hand.drag([x, 50], [x + 10, 50]);
      hand.editor.tools.current().finish();
    };
    paint(50);
    const [alone] = hand.shapes();
    expect(hand.editor.toolView().hint).toBe('canvas.hint.paintSelected');
    paint(60);
    expect(hand.shapes()).toHaveLength(1);
    expect(maskArea(hand.shapes()[0]?.points ?? [])).toBeGreaterThan(maskArea(alone?.points ?? []));
    hand.editor.selection.clear();
    expect(hand.editor.toolView().hint).toBe('canvas.hint.paint');
    paint(150);
    expect(hand.shapes()).toHaveLength(2);
    const [first, second] = hand.shapes();
    expect(hand.editor.selection.ids()).toEqual([second?.clientId]);
    paint(170);
    expect(hand.shapes()).toHaveLength(2);
    hand.editor.selection.set([first?.clientId ?? '']);
    paint(70);
    expect(hand.shapes()).toHaveLength(2);
    paint(300);
    hand.tool('select');
    hand.tool('brush', options);
    paint(320);
    expect(hand.shapes()).toHaveLength(2);
  });

  it('is refused on an image that would need too much memory, and nothing is started', () => {
    const hand = driveEditor([], { width: 20_000, height: 15_000 });
    hand.tool('brush', options);
    hand.drag([50, 50], [90, 50]);
    expect(hand.refusals).toEqual(['canvas.refused.tooLargeToPaint 120']);
    expect(hand.editor.tools.current().drawing()).toBe(false);
    expect(hand.shapes()).toEqual([]);
  });

  it('marks at least the pixel under a tip of one pixel', () => {
    const hand = driveTool('brush', { labelId: 1, brushDiameter: 1 });
    hand.click(20.4, 30.6);
    hand.editor.tools.current().finish();
    expect(hand.shapes()[0]?.points).toEqual([0, 1, 20, 30, 20, 30]);
  });

  it('undoes strokes one by one and redoes them', () => {
    const hand = driveTool('brush', options);
    hand.drag([50, 50], [90, 50]);
    hand.drag([200, 50], [290, 50]);
    expect(hand.editor.undo()).toBe('point');
    hand.editor.undo();
    hand.editor.redo();
    hand.editor.tools.current().finish();
    expect(hand.shapes()[0]?.points.slice(-4)).toEqual([45, 45, 94, 54]);
  });

  it('edits the selected mask', () => {
    const hand = driveTool('brush', options);
    hand.drag([50, 50], [90, 50]);
    hand.editor.tools.current().finish();
    hand.editor.selection.clear();
    hand.drag([50, 150], [90, 150]);
    hand.editor.tools.current().finish();
    expect(hand.shapes()).toHaveLength(2);
    const [first] = hand.shapes();
    hand.editor.selection.set([first?.clientId ?? '']);
    hand.drag([90, 50], [120, 50]);
    expect(hand.editor.toolView().hidden).toEqual([first?.clientId]);
    hand.editor.tools.current().finish();
    expect(hand.shapes()).toHaveLength(2);
    expect(hand.last().kind).toBe('mask');
    expect(hand.shape(first?.clientId ?? '').points.slice(-4)).toEqual([45, 45, 124, 54]);
  });

  it('erases from the selected mask, and deletes an empty mask', () => {
    const hand = driveTool('brush', options);
    hand.drag([50, 50], [90, 50]);
    hand.editor.tools.current().finish();
    const [mask] = hand.shapes();
    const area = maskArea(mask?.points ?? []);
    hand.tool('eraser', options);
    hand.click(50, 50);
    hand.editor.tools.current().finish();
    expect(maskArea(hand.shapes()[0]?.points ?? [])).toBeLessThan(area);
    hand.tool('eraser', { brushDiameter: 40 });
    hand.drag([40, 50], [100, 50]);
    hand.editor.tools.current().finish();
    expect(hand.shapes()).toEqual([]);
    hand.editor.undo();
    expect(hand.shapes()).toHaveLength(1);
  });

  it('erases with Ctrl while painting', () => {
    const hand = driveTool('brush', options);
    hand.drag([50, 50], [90, 50]);
    hand.drag([50, 50], [60, 50], { mod: true });
    hand.editor.tools.current().finish();
    expect(hand.shapes()[0]?.points.at(-4)).toBeGreaterThan(60);
  });

  it('says what to do if there is nothing to erase', () => {
    const hand = driveTool('eraser', options);
    hand.click(50, 50);
    expect(hand.refusals[0]).toBe('canvas.refused.nothingToErase');
  });

  it('continues the same mask when brush and eraser are changed', () => {
    const hand = driveTool('brush', options);
    hand.drag([50, 50], [90, 50]);
    hand.tool('eraser', { brushDiameter: 10 });
    hand.drag([50, 50], [60, 50]);
    expect(hand.editor.tools.current().finish()).toBe(true);
    expect(hand.commands).toHaveLength(1);
    expect(hand.shapes()[0]?.labelId).toBe(1);
    expect(hand.shapes()[0]?.points.at(-4)).toBeGreaterThan(60);
    hand.click(80, 50);
    hand.editor.tools.current().finish();
    expect(hand.shapes()).toHaveLength(1);
  });

  it('keeps the drawing when another tool is selected or the frame changes', () => {
    const hand = driveTool('brush', options);
    hand.drag([50, 50], [90, 50]);
    hand.tool('select', {});
    hand.editor.selection.clear();
    hand.tool('brush', options);
    hand.drag([50, 150], [90, 150]);
    hand.editor.setFrameShapes([], 1);
    expect(hand.commands.map(({ command }) => [command.label, command.frame])).toEqual([
      ['create 1 mask car', 0],
      ['create 1 mask car', 0],
    ]);
  });

  it('keeps the drawing when the mask cannot be created', () => {
    const hand = driveTool('brush', options);
    hand.drag([50, 50], [90, 50]);
    hand.editor.setLabels(new Map());
    expect(hand.editor.tools.current().finish()).toBe(false);
    expect(hand.refusals[0]).toBe('canvas.refused.noLabel');
    expect(hand.editor.tools.current().drawing()).toBe(true);
  });

  it('discards the drawing when it is cancelled', () => {
    const hand = driveTool('brush', options);
    hand.drag([50, 50], [90, 50]);
    hand.editor.tools.current().cancel();
    expect(hand.commands).toEqual([]);
    expect(hand.editor.toolView().painting).toBeNull();
  });
});

describe('polygons of a mask', () => {
  const area = (hand: EditorDriver): number => maskArea(hand.shapes()[0]?.points ?? []);

  it('add to the mask in progress and subtract from it, each as a stroke', () => {
    const hand = driveTool('maskPlus');
    hand.clicks([20, 20], [80, 20], [80, 80], [20, 80]);
    hand.editor.tools.current().finish();
    expect(hand.shapes()).toEqual([]);
    hand.tool('maskMinus');
    hand.clicks([35, 35], [65, 35], [65, 65], [35, 65], [35, 35]);
    hand.tool('brush', { labelId: 1, brushDiameter: 1 });
    hand.click(150, 150);
    hand.editor.undo();
    hand.editor.tools.current().finish();
    expect(area(hand)).toBe(3600 - 900);
    expect(hand.shapes()[0]?.points.slice(-4)).toEqual([20, 20, 79, 79]);
    expect(hand.commands).toHaveLength(1);
  });

  it('in progress are discarded, the mask is kept', () => {
    const hand = driveTool('maskPlus');
    hand.clicks([20, 20], [80, 20], [80, 80], [20, 80], [20, 20]);
    hand.clicks([100, 100], [120, 100]);
    hand.editor.tools.current().cancel();
    expect(hand.editor.toolView().drafts).toEqual([]);
    hand.clicks([100, 100], [120, 100]);
    hand.tool('select');
    expect(hand.shapes()).toHaveLength(1);
    expect(hand.shapes()[0]?.points.slice(-4)).toEqual([20, 20, 79, 79]);
  });

  it('need a mask to subtract from', () => {
    const hand = driveTool('maskMinus');
    hand.clicks([20, 20], [80, 20], [80, 80], [20, 20]);
    expect(hand.refusals).toEqual(['canvas.refused.nothingToErase']);
    expect(hand.editor.tools.current().drawing()).toBe(true);
  });

  it('cover the pixels whose centres are inside, like an even-odd fill', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 300 })), {
          minLength: 3,
          maxLength: 9,
        }),
        (corners) => {
          const points = corners.map(([x, y]) => [x / 10, y / 10]).flat();
          const painting = createMaskPainting({ width: 40, height: 30 });
          painting.polygon(points, 1);
          for (let y = 0; y < 30; y += 1) {
            for (let x = 0; x < 40; x += 1) {
              const isIn = crossings(points, x + 0.5, y + 0.5) % 2 === 1;
              expect(painting.bits[y * 40 + x], `${x}, ${y}`).toBe(isIn ? 1 : 0);
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

function crossings(points: readonly number[], x: number, y: number): number {
  let count = 0;
  for (let index = 0; index < points.length; index += 2) {
    const [ax = 0, ay = 0] = points.slice(index);
    const [bx = 0, by = 0] = [points[(index + 2) % points.length], points[(index + 3) % points.length]];
    if (ay <= y !== by <= y && ax + ((y - ay) / (by - ay)) * (bx - ax) > x) count += 1;
  }
  return count;
}

describe('holes and objects below', () => {
  const ring = (hand: EditorDriver): void => {
    hand.tool('maskPlus');
    hand.clicks([20, 20], [80, 20], [80, 80], [20, 80], [20, 20]);
    hand.tool('maskMinus');
    hand.clicks([35, 35], [65, 35], [65, 65], [35, 65], [35, 35]);
  };

  it('fills the holes of the mask in progress, and of a selected one as a step of the history', () => {
    const hand = driveEditor();
    ring(hand);
    fillHoles(hand.editor);
    hand.editor.tools.current().finish();
    expect(maskArea(hand.shapes()[0]?.points ?? [])).toBe(3600);
    const other = driveEditor();
    ring(other);
    other.editor.tools.current().finish();
    other.tool('select');
    fillHoles(other.editor);
    expect(maskArea(other.shapes()[0]?.points ?? [])).toBe(3600);
    fillHoles(other.editor);
    expect(other.commands).toHaveLength(2);
    other.editor.undo();
    expect(maskArea(other.shapes()[0]?.points ?? [])).toBe(2700);
  });

  it('subtracts the drawing from other masks if configured, in the same step', () => {
    const below = makeShape('below', 'mask', [0, 800, 0, 0, 39, 19]);
    const covered = makeShape('covered', 'mask', [0, 4, 32, 2, 33, 3]);
    const locked = makeShape('locked', 'mask', [0, 4, 32, 2, 33, 3], { locked: true });
    const apart = makeShape('apart', 'mask', [0, 4, 100, 2, 101, 3]);
    const hand = driveEditor([below, covered, locked, apart]);
    hand.tool('maskPlus', { labelId: 1, takeBelow: true });
    hand.clicks([20, 0], [80, 0], [80, 30], [20, 30], [20, 0]);
    hand.editor.tools.current().finish();
    expect(hand.shape('below').points).toEqual([0, 400, 0, 0, 19, 19]);
    expect(hand.shapes().map(({ clientId }) => clientId)).toEqual(['below', 'locked', 'apart', 'new-2']);
    expect(hand.shape('locked')).toEqual(locked);
    expect(hand.shape('apart')).toBe(apart);
    expect(hand.commands).toHaveLength(1);
    hand.editor.undo();
    expect(
      hand
        .shapes()
        .map(({ clientId }) => clientId)
        .sort(),
    ).toEqual(['apart', 'below', 'covered', 'locked']);
    expect(hand.shape('below').points).toEqual(below.points);
  });
});

it('uses one brush and one label for all painting tools', () => {
  const hand = driveTool('brush', { labelId: 1, brushDiameter: 9, brushForm: 'square' });
  hand.editor.tools.set('eraser');
  expect(hand.editor.tools.options()).toMatchObject({ labelId: 1, brushDiameter: 9, brushForm: 'square' });
});

it('a mask can be started without a pointer', () => {
  const hand = driveTool('brush');
  placeShape(hand.editor);
  hand.editor.tools.current().finish();
  expect(hand.shapes()[0]?.points.slice(-4)).toEqual([150, 112, 249, 186]);
});
