import { beforeEach, describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { ShapeRecord } from '../../../../../../../renderer/canvas/types.ts';
import { initialState, type AnnotateState } from '../../../../../../../renderer/features/workspace/model/types.ts';
import { createFilterController } from '../../../../../../../renderer/features/workspace/model/find/filter-controller.ts';
import { makeShape } from '../../../../../../support/canvas-shape.ts';
import { makeLabel } from '../../../../../../support/labels.ts';
import { driveEditor } from '../../../../../canvas/support/editor-driver.ts';

const labels = [makeLabel(1, 'car'), makeLabel(2, 'person')];

const shape = (clientId: string, labelId: number, width: number, more: Partial<ShapeRecord> = {}) =>
  makeShape(clientId, 'rectangle', [10, 10, 10 + width, 30], { labelId, ...more });

function createStorage() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
}

let storage = createStorage();
beforeEach(() => {
  storage = createStorage();
});

function open() {
  const { editor } = driveEditor();
  const store = createStore<AnnotateState>(() => initialState(0, labels, false, 'standard'));
  const engine = { setFilter: editor.scene.setFilter };
  const controller = createFilterController({ engine, store, kept: storage });
  const inSight = (): string[] =>
    editor.scene.all().flatMap(({ clientId, filteredOut }) => (filteredOut === true ? [] : [clientId]));
  return { editor, store, controller, inSight };
}
const cars = { '==': [{ var: 'label' }, 'car'] };

describe('the filter of an opened job', () => {
  it('hides objects that do not match, from the pointer and from the selection too', () => {
    const { editor, controller, inSight } = open();
    editor.setFrameShapes([shape('a', 1, 50), shape('b', 2, 50)], 0);
    editor.selection.set(['a', 'b']);
    expect(controller.use(cars)).toBeNull();
    expect(inSight()).toEqual(['a']);
    expect(editor.selection.ids()).toEqual(['a']);
    editor.selection.set(['b']);
    expect(editor.selection.ids()).toEqual([]);
    editor.selection.all();
    expect(editor.selection.ids()).toEqual(['a']);
    expect(editor.hits.inBox({ left: 0, top: 0, right: 500, bottom: 500 })).toEqual(['a']);
    controller.clear();
    expect(inSight()).toEqual(['a', 'b']);
  });

  it('applies on the next frame, and keeps new and changed objects visible', () => {
    const { editor, controller, inSight } = open();
    controller.use({ '>': [{ var: 'width' }, 40] });
    editor.setFrameShapes([shape('a', 1, 50), shape('b', 2, 20)], 0);
    expect(inSight()).toEqual(['a']);
    editor.commands.execute({ kind: 'create', changes: [{ clientId: 'c', before: null, after: shape('c', 1, 5) }] });
    editor.commands.update(['a'], { points: [10, 10, 20, 30] });
    expect(inSight().toSorted()).toEqual(['a', 'c']);
    editor.setFrameShapes([...editor.scene.all()], 0);
    expect(inSight()).toEqual([]);
  });

  it('does not hide suggestions of models and shapes without a name', () => {
    const { editor, controller, inSight } = open();
    editor.setFrameShapes([shape('proposed', 2, 50, { suggestion: true }), shape('unnamed', -1, 50)], 0);
    controller.use(cars);
    expect(inSight()).toEqual(['proposed', 'unnamed']);
  });

  it('refuses a filter that does not fit the labels with a sentence, and keeps the previous one', () => {
    const { controller } = open();
    controller.use(cars);
    expect(controller.use({ '==': [{ var: 'attr.car.color' }, 'red'] })).toMatch(/Unknown field "attr\.car\.color"/);
    expect(controller.state.getState().logic).toEqual({ and: [cars] });
  });

  it('saves filters by name and remembers the last ones, for other jobs too', () => {
    const { controller } = open();
    controller.use(cars);
    controller.save('Only cars');
    controller.remember();
    controller.use({ '<': [{ var: 'score' }, 0.5] });
    controller.remember();
    const { controller: other } = open();
    expect(other.state.getState().kept.recent).toEqual([{ and: [{ '<': [{ var: 'score' }, 0.5] }] }, { and: [cars] }]);
    const [saved] = other.state.getState().kept.saved;
    expect(saved?.name).toBe('Only cars');
    other.use(saved?.logic);
    expect(other.state.getState().name).toBe('Only cars');
    other.drop('Only cars');
    expect(other.state.getState()).toMatchObject({ name: null, kept: { saved: [] } });
  });

  it('applies again when labels are renamed', () => {
    const { editor, store, controller, inSight } = open();
    editor.setFrameShapes([shape('a', 1, 50), shape('b', 2, 50)], 0);
    controller.use(cars);
    store.setState({ labels: [makeLabel(1, 'vehicle'), makeLabel(2, 'car')] });
    expect(inSight()).toEqual(['b']);
  });
});
