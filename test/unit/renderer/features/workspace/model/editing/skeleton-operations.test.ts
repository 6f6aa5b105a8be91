import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { ElementRecord } from '../../../../../../../renderer/canvas/types.ts';
import { initialState } from '../../../../../../../renderer/features/workspace/model/types.ts';
import {
  createSkeletonOperations,
  partnersByName,
} from '../../../../../../../renderer/features/workspace/model/editing/skeleton-operations.ts';
import { makeShape } from '../../../../../../support/canvas-shape.ts';
import { makeLabel } from '../../../../../../support/labels.ts';
import { driveEditor } from '../../../../../canvas/support/editor-driver.ts';

const names = ['nose', 'left_eye', 'right_eye', 'leg'];
const sublabels = names.map((name, index) => ({ ...makeLabel(31 + index, name), parent_id: 3 }));
const drawing = [
  [50, 90],
  [80, 10],
  [20, 10],
  [50, 50],
].map(
  ([x, y], index) => `<circle r="1" cx="${x}" cy="${y}" data-element-id="${index + 1}" data-label-id="${31 + index}"/>`,
);
const label = makeLabel(3, 'face', { type: 'skeleton', sublabels, svg: drawing.join('') });

const place = (index: number, points: number[], state: Partial<ElementRecord> = {}): ElementRecord => ({
  clientId: `a/${index}`,
  type: 'points',
  labelId: 31 + index,
  points,
  rotation: 0,
  occluded: false,
  outside: false,
  zOrder: 0,
  attributes: [],
  ...state,
});
const elements = [
  place(0, [150, 200]),
  place(1, [100, 100], { occluded: true }),
  place(2, [200, 100], { outside: true }),
  place(3, [140, 160]),
];

function open(locked = false) {
  const hand = driveEditor([makeShape('a', 'skeleton', [], { labelId: 3, elements, locked })]);
  const { scene, selection, commands } = hand.editor;
  const operations = createSkeletonOperations({
    engine: { scene, selection, execute: commands.execute },
    store: createStore(() => initialState(0, [label], false, 'standard')),
  });
  selection.set(['a']);
  const points = () => hand.shape('a').elements?.map((one) => [one.points, one.occluded, one.outside]);
  return { hand, operations, points };
}

describe('sides of a skeleton', () => {
  it.each([
    [
      ['left_eye', 'right_eye', 'nose'],
      [1, 0, 2],
    ],
    [
      ['lAnkle', 'rAnkle', 'leg', 'rug'],
      [1, 0, 2, 3],
    ],
    [
      ['eye-l', 'eye-r'],
      [1, 0],
    ],
    [
      ['Linkes Knie', 'Rechtes Knie', 'linke Hand', 'rechte Hand'],
      [1, 0, 3, 2],
    ],
    [
      ['LEFT WRIST', 'left hip'],
      [0, 1],
    ],
  ])('are found by the names %j', (given, places) => {
    expect(partnersByName(given)).toEqual(places);
  });

  it('swap their positions and states in one step of the undo', () => {
    const { hand, operations, points } = open();
    expect(operations.canSwap()).toBe(true);
    operations.swapSides();
    expect(points()).toEqual([
      [[150, 200], false, false],
      [[200, 100], false, true],
      [[100, 100], true, false],
      [[140, 160], false, false],
    ]);
    hand.editor.undo();
    expect(hand.shape('a').elements).toEqual(elements);
  });
});

describe('a skeleton that is reset', () => {
  it("has all points visible at the label's drawing, in the box around them", () => {
    const { operations, points } = open();
    operations.reset();
    expect(points()).toEqual([
      [[150, 200], false, false],
      [[200, 100], false, false],
      [[100, 100], false, false],
      [[150, 150], false, false],
    ]);
  });

  it('stays as it is while it is locked', () => {
    const { hand, operations } = open(true);
    expect([operations.canReset(), operations.canSwap()]).toEqual([false, false]);
    operations.reset();
    expect(hand.shape('a').elements).toEqual(elements);
  });
});
