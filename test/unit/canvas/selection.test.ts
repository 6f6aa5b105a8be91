import { describe, expect, it } from 'vitest';
import { makeShape } from '../../support/canvas-shape.ts';
import { driveEditor } from './support/editor-driver.ts';

const box = (id: string, left: number, more = {}) => makeShape(id, 'rectangle', [left, 10, left + 40, 50], more);
const records = [
  box('a', 0, { group: 1 }),
  box('b', 50, { labelId: 2, group: 1 }),
  box('c', 100),
  box('d', 150, { locked: true, group: 1 }),
  box('e', 200, { hidden: true }),
];

describe('the selection', () => {
  it('is inverted, and selects all of a label, among visible and unlocked objects', () => {
    const { selection } = driveEditor(records).editor;
    selection.set(['b']);
    selection.invert();
    expect(selection.ids()).toEqual(['a', 'c']);
    selection.set(['c']);
    selection.sameLabel();
    expect(selection.ids()).toEqual(['a', 'c']);
  });

  it('selects complete groups if configured: one click selects, drags and deselects all of them', () => {
    const hand = driveEditor(records);
    const { selection } = hand.editor;
    hand.click(20, 30);
    expect(selection.ids()).toEqual(['a']);
    selection.setWholeGroups(true);
    expect(selection.ids()).toEqual(['b', 'a']);
    selection.set(['c']);
    hand.drag([20, 30], [20, 60]);
    expect(
      hand
        .last()
        .changes.map(({ clientId }) => clientId)
        .toSorted(),
    ).toEqual(['a', 'b']);
    hand.editor.undo();
    expect(hand.shape('b').points).toEqual([50, 10, 90, 50]);
    selection.set(['a', 'c']);
    selection.toggle('b');
    expect(selection.ids()).toEqual(['c']);
  });
});
