import { describe, expect, it } from 'vitest';
import { maskArea, maskToBitmap } from '../../../preload/contract/mask-runs.ts';
import { driveEditor } from './support/editor-driver.ts';

const options = { labelId: 1, brushDiameter: 10 };

describe('painting masks', () => {
  it('makes one mask of several strokes when it is finished', () => {
    const hand = driveEditor();
    hand.tool('brush', options);
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

  it('marks at least the pixel under a tip of one pixel', () => {
    const hand = driveEditor();
    hand.tool('brush', { labelId: 1, brushDiameter: 1 });
    hand.click(20.4, 30.6);
    hand.editor.tools.current().finish();
    expect(hand.shapes()[0]?.points).toEqual([0, 1, 20, 30, 20, 30]);
  });

  it('takes strokes back one by one and paints them again', () => {
    const hand = driveEditor();
    hand.tool('brush', options);
    hand.drag([50, 50], [90, 50]);
    hand.drag([200, 50], [290, 50]);
    expect(hand.editor.undo()).toMatchObject({ kind: 'point' });
    hand.editor.undo();
    hand.editor.redo();
    hand.editor.tools.current().finish();
    expect(hand.shapes()[0]?.points.slice(-4)).toEqual([45, 45, 94, 54]);
  });

  it('begins another mask with the next stroke, but edits one that was selected', () => {
    const hand = driveEditor();
    hand.tool('brush', options);
    hand.drag([50, 50], [90, 50]);
    hand.editor.tools.current().finish();
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

  it('erases from the selected mask, and deletes a mask of which nothing is left', () => {
    const hand = driveEditor();
    hand.tool('brush', options);
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
    const hand = driveEditor();
    hand.tool('brush', options);
    hand.drag([50, 50], [90, 50]);
    hand.drag([50, 50], [60, 50], { mod: true });
    hand.editor.tools.current().finish();
    expect(hand.shapes()[0]?.points.at(-4)).toBeGreaterThan(60);
  });

  it('says what to do where there is nothing to erase', () => {
    const hand = driveEditor();
    hand.tool('eraser', options);
    hand.click(50, 50);
    expect(hand.refusals[0]).toBe('canvas.refused.nothingToErase');
  });

  it('goes on with the same mask when brush and eraser are changed', () => {
    const hand = driveEditor();
    hand.tool('brush', options);
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

  it('keeps what was painted when another tool is taken or another frame comes', () => {
    const hand = driveEditor();
    hand.tool('brush', options);
    hand.drag([50, 50], [90, 50]);
    hand.tool('select', {});
    hand.tool('brush', options);
    hand.drag([50, 150], [90, 150]);
    hand.editor.setFrameShapes([], 1);
    expect(hand.commands.map(({ command }) => [command.label, command.frame])).toEqual([
      ['create 1 mask car', 0],
      ['create 1 mask car', 0],
    ]);
  });

  it('keeps painting when the mask cannot be made', () => {
    const hand = driveEditor();
    hand.tool('brush', options);
    hand.drag([50, 50], [90, 50]);
    hand.editor.setLabels(new Map());
    expect(hand.editor.tools.current().finish()).toBe(false);
    expect(hand.refusals[0]).toBe('canvas.refused.noLabel');
    expect(hand.editor.tools.current().drawing()).toBe(true);
  });

  it('keeps nothing when it is cancelled', () => {
    const hand = driveEditor();
    hand.tool('brush', options);
    hand.drag([50, 50], [90, 50]);
    hand.editor.tools.current().cancel();
    expect(hand.commands).toEqual([]);
    expect(hand.editor.toolView().painting).toBeNull();
  });
});
