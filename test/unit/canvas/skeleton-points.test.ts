import { describe, expect, it } from 'vitest';
import { bindActions } from '../../../renderer/canvas/action-table.ts';
import { canvasActions } from '../../../renderer/canvas/actions.ts';
import type { CanvasEngine } from '../../../renderer/canvas/canvas-engine.ts';
import { bulkChanges } from '../../../renderer/features/workspace/model/editing/bulk-changes.ts';
import type { ElementRecord, ShapeRecord } from '../../../renderer/canvas/types.ts';
import { makeShape } from '../../support/canvas-shape.ts';
import { driveEditor } from './support/editor-driver.ts';

const point = (index: number, points: number[], state: Partial<ElementRecord> = {}): ElementRecord => ({
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

function figure(given: readonly Partial<ElementRecord>[] = [{}, {}, {}], extra: Partial<ShapeRecord> = {}) {
  const places = [
    [100, 100],
    [200, 100],
    [150, 200],
  ];
  const elements = given.map((state, index) => point(index, places[index] ?? [0, 0], state));
  const driver = driveEditor([makeShape('a', 'skeleton', [], { labelId: 3, elements, ...extra })]);
  driver.editor.selection.set(['a']);
  const { keyPoint } = driver.editor.tools.current();
  if (keyPoint === undefined) throw new Error('Points are led with the select tool.');
  const { editor } = driver;
  const engine = {
    ...editor,
    update: editor.commands.update,
    remove: editor.commands.remove,
    keyPoint: () => keyPoint,
    keyCursor: { press: () => undefined, move: () => undefined, isOn: () => false },
    getTool: () => ({ id: editor.tools.current().id, options: {}, drawing: false }),
  } as unknown as CanvasEngine;
  const actions = bindActions(canvasActions, engine);
  const press = (id: string): void => {
    const action = actions.find((one) => one.id === id);
    if (action?.when() === true) action.run();
  };
  const states = () => driver.shape('a').elements?.map(({ occluded, outside }) => [occluded, outside]);
  return { ...driver, keyPoint, press, states };
}

const visible = [false, false];
const occluded = [true, false];
const outside = [false, true];

describe('a point of a skeleton', () => {
  it('is selected by a click, and its keys set it occluded, outside and visible', () => {
    const { click, keyPoint, press, states } = figure();
    click(200, 100);
    expect(keyPoint.current()).toMatchObject({ kind: 'vertex', index: 1 });
    press('object.occluded');
    expect(states()).toEqual([visible, occluded, visible]);
    press('object.outside');
    expect(states()).toEqual([visible, outside, visible]);
    press('object.visible');
    expect(states()).toEqual([visible, visible, visible]);
  });

  it('resets its state at the second press of the same key', () => {
    const { keyPoint, press, states } = figure();
    keyPoint.step(1);
    press('object.outside');
    press('object.outside');
    expect(states()).toEqual([visible, visible, visible]);
  });

  it('that is outside keeps a handle, and becomes visible by dragging it', () => {
    const { drag, shape, states } = figure([{}, { outside: true }, {}]);
    drag([200, 100], [210, 120]);
    expect(states()).toEqual([visible, visible, visible]);
    expect(shape('a').elements?.[1]?.points).toEqual([210, 120]);
  });

  it('cannot be deleted: the key deletes its skeleton', () => {
    const { click, press, shapes } = figure();
    click(200, 100);
    press('edit.delete');
    expect(shapes()).toEqual([]);
  });
});

describe('the state of a complete skeleton', () => {
  it('is set on all of its points by its key', () => {
    const { press, shape, states } = figure([{}, { outside: true }, { occluded: true }]);
    press('object.occluded');
    expect(states()).toEqual([occluded, outside, occluded]);
    expect(shape('a').occluded).toBe(true);
    press('object.occluded');
    expect(states()).toEqual([visible, outside, visible]);
    press('object.visible');
    expect(states()).toEqual([visible, visible, visible]);
  });

  it('is occluded once all of its visible points are', () => {
    const { keyPoint, press, shape } = figure([{}, { occluded: true }, { outside: true }]);
    expect(shape('a').occluded).toBe(false);
    keyPoint.step(1);
    press('object.occluded');
    expect(shape('a').occluded).toBe(true);
  });

  it('is set on all of its points by the bulk edit', () => {
    const { shape } = figure();
    const labels = [] as never[];
    const context = { labels, size: { width: 400, height: 300 }, newId: () => 'b' };
    const [change] = bulkChanges(shape('a'), { kind: 'occluded', on: true }, context);
    const after = change?.after as ShapeRecord;
    expect(after.elements?.map((element) => element.occluded)).toEqual([true, true, true]);
  });

  it('of a track is a keyframe of the point on this frame', () => {
    const { keyPoint, press, states, last } = figure(undefined, { trackId: 'a', keyframe: true });
    keyPoint.step(1);
    press('object.occluded');
    expect(states()).toEqual([occluded, visible, visible]);
    expect(last().changes[0]?.after).toMatchObject({ kind: 'track' });
  });
});
