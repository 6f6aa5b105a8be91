import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { initialState } from '../../../../../../../renderer/features/workspace/model/types.ts';
import { createShapeOperations } from '../../../../../../../renderer/features/workspace/model/editing/shape-operations.ts';
import { makeShape } from '../../../../../../support/canvas-shape.ts';
import { makeLabel } from '../../../../../../support/labels.ts';
import { driveEditor } from '../../../../../canvas/support/editor-driver.ts';

const labels = [makeLabel(1, 'label 1'), makeLabel(2, 'label 2', { type: 'polygon' })];
const polygon = (id: string, left: number, more = {}) =>
  makeShape(id, 'polygon', [left, 10, left + 20, 10.2, left + 40, 10, left + 40, 50, left, 50], more);

const records = [
  polygon('a', 10, { serverId: 7, attributes: [{ spec_id: 1, value: 'first' }] }),
  polygon('b', 40, { zOrder: 3, attributes: [{ spec_id: 1, value: 'last' }] }),
  polygon('far', 200),
  polygon('other', 60, { labelId: 2 }),
  makeShape('track', 'rectangle', [10, 100, 50, 150], { trackId: 'track' }),
];

function prepare() {
  const hand = driveEditor(records);
  const { scene, selection, commands } = hand.editor;
  const operations = createShapeOperations({
    engine: {
      scene,
      selection,
      execute: commands.execute,
      patchScene: (upsert, remove = []) => scene.apply(upsert, remove),
    },
    store: createStore(() => initialState(0, labels, false, 'standard')),
    size: () => ({ width: 400, height: 300 }),
  });
  return { hand, selection, operations };
}

describe('shapes out of shapes', () => {
  it('converts in one step, and is undone in one', () => {
    const { hand, selection, operations } = prepare();
    selection.set(['a', 'far']);
    operations.convert('mask');
    expect(hand.commands).toHaveLength(1);
    expect(
      hand
        .shapes()
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual(['mask', 'mask', 'polygon', 'polygon', 'rectangle']);
    expect(selection.ids()).toHaveLength(2);
    const fresh = hand.shape(selection.ids()[0] ?? '');
    expect(fresh).toMatchObject({ attributes: [{ spec_id: 1, value: 'first' }], labelId: 1 });
    expect(fresh.serverId).toBeUndefined();
    hand.editor.undo();
    expect(hand.shape('a').points).toEqual(records[0]?.points);
  });

  it('skips tracks, locked shapes, and shapes whose label does not accept the new kind', () => {
    const { hand, selection, operations } = prepare();
    selection.set(['track']);
    operations.convert('polygon');
    selection.set(['other', 'a']);
    operations.convert('mask');
    expect(hand.commands).toEqual([]);
  });

  it('joins polygons of one label that touch, with the attributes of the last one', () => {
    const { hand, selection, operations } = prepare();
    selection.set(['a', 'far']);
    operations.join();
    selection.set(['a', 'other']);
    operations.join();
    expect(hand.commands).toEqual([]);
    selection.set(['a', 'b']);
    operations.join();
    const [id = ''] = selection.ids();
    expect(hand.shape(id)).toMatchObject({ zOrder: 3, attributes: [{ spec_id: 1, value: 'last' }] });
    expect(hand.shapes()).toHaveLength(4);
    hand.editor.undo();
    expect(hand.shapes()).toHaveLength(5);
  });

  it('previews fewer points before they are applied, and reverts that', () => {
    const { hand, selection, operations } = prepare();
    selection.set(['a', 'b']);
    const first = operations.simplifier();
    first.show(2);
    expect(hand.shape('a').points).toHaveLength(8);
    expect([first.of, first.left(2)]).toEqual([10, 8]);
    first.close();
    expect(hand.shape('a').points).toEqual(records[0]?.points);
    expect(hand.commands).toEqual([]);
    const second = operations.simplifier();
    second.show(2);
    second.keep(2);
    expect(hand.commands).toHaveLength(1);
    hand.editor.undo();
    expect(hand.shape('b').points).toEqual(records[1]?.points);
  });
});
