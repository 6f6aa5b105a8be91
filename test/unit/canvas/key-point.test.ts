import { describe, expect, it } from 'vitest';
import { makeShape } from '../../support/canvas-shape.ts';
import { driveEditor } from './support/editor-driver.ts';

const square = [100, 100, 200, 100, 200, 200, 100, 200];

function select(shape: ReturnType<typeof makeShape>) {
  const driver = driveEditor([shape]);
  driver.editor.selection.set([shape.clientId]);
  const { keyPoint } = driver.editor.tools.current();
  if (keyPoint === undefined) throw new Error('Points are led with the select tool.');
  return { ...driver, keyPoint };
}

describe('a point selected by keys', () => {
  it('is one of the path, forwards and backwards around it, and is moved alone', () => {
    const { keyPoint, shape } = select(makeShape('a', 'polyline', square));
    keyPoint.step(1);
    keyPoint.step(1);
    expect(keyPoint.current()).toMatchObject({ kind: 'vertex', index: 1 });
    keyPoint.move(10, -5);
    expect(shape('a').points).toEqual([100, 100, 210, 95, 200, 200, 100, 200]);
    keyPoint.step(-1);
    expect(keyPoint.current()).toMatchObject({ index: 0 });
  });

  it('moves in one step of the undo, and another point begins another', () => {
    const { editor, keyPoint, shape } = select(makeShape('a', 'polygon', square));
    keyPoint.step(1);
    for (let push = 0; push < 5; push += 1) keyPoint.move(-1, 0);
    keyPoint.step(1);
    keyPoint.move(1, 0);
    expect(shape('a').points.slice(0, 4)).toEqual([95, 100, 201, 100]);
    editor.undo();
    expect(shape('a').points.slice(0, 4)).toEqual([95, 100, 200, 100]);
    editor.undo();
    expect(shape('a').points).toEqual(square);
  });

  it('is added after another one and deleted, as long as enough are left', () => {
    const { keyPoint, shape, refusals } = select(makeShape('a', 'polygon', square));
    for (let step = 0; step < 4; step += 1) keyPoint.step(1);
    expect(keyPoint.current()).toMatchObject({ kind: 'vertex', index: 3 });
    keyPoint.add();
    expect(shape('a').points.slice(6)).toEqual([100, 200, 100, 150]);
    expect(keyPoint.current()).toMatchObject({ index: 4 });
    keyPoint.remove();
    keyPoint.remove();
    expect(shape('a').points).toEqual(square.slice(0, 6));
    keyPoint.remove();
    expect(shape('a').points).toEqual(square.slice(0, 6));
    expect(refusals).toEqual(['canvas.refused.lastVertices']);
  });

  it('is a corner of a box, which stays a box inside the image', () => {
    const { keyPoint, shape, refusals } = select(makeShape('a', 'rectangle', [10, 10, 60, 60]));
    keyPoint.step(1);
    keyPoint.move(-30, 0);
    const [left = -1, top = -1, right, bottom] = shape('a').points;
    expect([left >= 0, top, right, bottom]).toEqual([true, 10, 60, 60]);
    keyPoint.remove();
    keyPoint.add();
    expect(refusals).toEqual(['canvas.refused.noPoint', 'canvas.refused.noEdge']);
  });

  it('is deselected by Escape, the pointer or another selection', () => {
    const { editor, keyPoint, click } = select(makeShape('a', 'polygon', square));
    keyPoint.step(1);
    expect(keyPoint.clear()).toBe(true);
    expect(keyPoint.clear()).toBe(false);
    keyPoint.step(1);
    click(150, 150);
    expect(keyPoint.current()).toBeNull();
    keyPoint.step(1);
    editor.selection.clear();
    editor.selection.set(['a']);
    editor.scene.apply([makeShape('a', 'polygon', square, { locked: true })], []);
    expect(keyPoint.current()).toBeNull();
  });
});
