import { describe, expect, it } from 'vitest';
import { makeShape } from '../../support/canvas-shape.ts';
import { driveEditor } from './support/editor-driver.ts';

const neighbour = makeShape('a', 'polygon', [100, 100, 160, 100, 180, 150, 160, 200, 100, 200]);

function draw(places: readonly (readonly [number, number])[], isOn = true, scale = 1): readonly number[] {
  const driver = driveEditor([neighbour]);
  driver.editor.setAppearance({ snapping: isOn });
  driver.editor.view.set({ scale, offsetX: 0, offsetY: 0, rotation: 0 });
  driver.tool('polygon');
  driver.clicks(...places);
  driver.editor.tools.current().finish();
  return driver.shapes().find(({ clientId }) => clientId !== 'a')?.points ?? [];
}

describe('snapping', () => {
  it('snaps a new point to a nearby point of another shape', () => {
    expect(
      draw([
        [20, 20],
        [94, 95],
        [20, 90],
      ]),
    ).toEqual([20, 20, 100, 100, 20, 90]);
    expect(
      draw(
        [
          [20, 20],
          [94, 95],
          [20, 90],
        ],
        false,
      ),
    ).toEqual([20, 20, 94, 95, 20, 90]);
    // When zoomed in, the same position is too far away.
    expect(
      draw(
        [
          [20, 20],
          [94, 95],
          [20, 90],
        ],
        true,
        2,
      ),
    ).toEqual([20, 20, 94, 95, 20, 90]);
  });

  it('follows the contour between two points of one shape, the shorter way', () => {
    expect(
      draw([
        [162, 102],
        [158, 198],
        [300, 150],
      ]),
    ).toEqual([160, 100, 180, 150, 160, 200, 300, 150]);
    expect(
      draw([
        [98, 101],
        [98, 203],
        [20, 150],
      ]),
    ).toEqual([100, 100, 100, 200, 20, 150]);
  });

  it('does not move a point while Ctrl snaps to a direction', () => {
    const driver = driveEditor([neighbour]);
    driver.editor.setAppearance({ snapping: true });
    driver.tool('polyline');
    driver.click(95, 50);
    driver.click(97, 96, { mod: true });
    driver.editor.tools.current().finish();
    expect(driver.shapes().at(-1)?.points).toEqual([95, 50, 95, 96]);
  });

  it('snaps a dragged point to a point of another shape, never to its own', () => {
    const own = makeShape('b', 'polygon', [20, 20, 60, 20, 64, 26, 40, 60]);
    const driver = driveEditor([neighbour, own]);
    driver.editor.setAppearance({ snapping: true });
    driver.editor.selection.set(['b']);
    driver.drag([40, 60], [97, 104]);
    expect(driver.shape('b').points).toEqual([20, 20, 60, 20, 64, 26, 100, 100]);
    driver.drag([60, 20], [63, 24]);
    expect(driver.shape('b').points.slice(2, 4)).toEqual([63, 24]);
  });
});
