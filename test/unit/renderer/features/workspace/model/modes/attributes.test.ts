import { describe, expect, it } from 'vitest';
import { createAttributeController } from '../../../../../../../renderer/features/workspace/model/modes/attribute-controller.ts';
import type { AttributeNavigation } from '../../../../../../../renderer/features/workspace/model/modes/attribute-navigation.ts';
import {
  choicesOf,
  stepAttribute,
  stepObject,
  targetsOf,
} from '../../../../../../../renderer/features/workspace/model/modes/attribute-order.ts';
import type { SceneRecord } from '../../../../../../../renderer/canvas/types.ts';
import { makeLabel } from '../../../../../../support/labels.ts';
import { attribute, keptChoices, openMode, settled, shape, tag } from './support.ts';

const fruit = makeLabel(1, 'fruit', {
  attributes: [attribute(11, 'ripeness'), attribute(12, 'cut', { input_type: 'checkbox', values: [] })],
});
const plain = makeLabel(2, 'plain');
const vehicle = makeLabel(3, 'vehicle', {
  attributes: [attribute(31, 'make'), attribute(32, 'lights', { mutable: true })],
});
const labels = [fruit, plain, vehicle];
const ask = (records: readonly SceneRecord[], only: string | null = null, start?: number) =>
  targetsOf({ records, labels, only, trackStart: () => start }).map(
    ({ record, attributes }) => `${record.clientId}: ${attributes.map(({ name }) => name).join(' ')}`,
  );

describe('attributes to set on a frame', () => {
  it('are all of visible objects and tags, and none without attributes', () => {
    const records = [
      tag('t', 1),
      shape('a', 1),
      shape('b', 2),
      shape('hidden', 1, { hidden: true }),
      shape('outside', 1, { outside: true }),
      shape('filtered', 1, { filteredOut: true }),
      shape('proposal', 1, { suggestion: true }),
      shape('unnamed', -1),
    ];
    expect(ask(records)).toEqual(['t: ripeness cut', 'a: ripeness cut']);
    expect(ask(records, 'cut')).toEqual(['t: cut', 'a: cut']);
    expect(ask(records, 'lights')).toEqual([]);
  });

  it('are all of a track at its start, and later only mutable ones', () => {
    expect(ask([shape('v', 3, { trackId: 'v' })], null, 0)).toEqual(['v: make lights']);
    expect(ask([shape('v', 3, { trackId: 'v', frame: 4 })], null, 0)).toEqual(['v: lights']);
    expect(ask([shape('f', 1, { trackId: 'f', frame: 4 })], null, 0)).toEqual([]);
    expect(ask([shape('v', 3, { frame: 4 })])).toEqual(['v: make lights']);
  });

  it('are visited by attribute and by object, until the frame ends', () => {
    const targets = targetsOf({
      records: [shape('a', 1), shape('b', 1)],
      labels,
      only: null,
      trackStart: () => undefined,
    });
    const at = (object: string, id: number) => ({ object, attribute: id });
    expect(stepAttribute(targets, at('a', 11), 1)).toEqual(at('a', 12));
    expect(stepAttribute(targets, at('a', 12), 1)).toEqual(at('b', 11));
    expect(stepAttribute(targets, at('b', 12), 1)).toBeNull();
    expect(stepAttribute(targets, at('b', 11), -1)).toEqual(at('a', 12));
    expect(stepAttribute(targets, at('a', 11), -1)).toBeNull();
    expect(stepObject(targets, at('a', 12), 1)).toEqual(at('b', 11));
    expect(stepObject(targets, at('b', 12), -1)).toEqual(at('a', 11));
    expect(stepObject(targets, at('b', 12), 1)).toBeNull();
  });

  it('are selected by number if there are few values, otherwise typed', () => {
    expect(choicesOf({ input_type: 'radio', values: ['x', 'y', 'x'] })).toEqual(['x', 'y']);
    expect(choicesOf({ input_type: 'checkbox', values: [] })).toEqual(['true', 'false']);
    expect(choicesOf({ input_type: 'number', values: ['0', '1', '0.25'] })).toEqual(['0', '0.25', '0.5', '0.75', '1']);
    expect(choicesOf({ input_type: 'number', values: ['0', '100', '1'] })).toEqual([]);
    expect(choicesOf({ input_type: 'number', values: ['0', '100', '0'] })).toEqual([]);
    expect(choicesOf({ input_type: 'text', values: [''] })).toEqual([]);
  });
});

/** A job that shows its frames one after the other; `asked` collects the labels that were used to find frames. */
async function openController(frames: readonly (readonly SceneRecord[])[], choices: Record<string, unknown> = {}) {
  const screen = openMode('attributes', labels, frames);
  const requested: (readonly string[])[] = [];
  const toObjects = async (names: readonly string[], by: 1 | -1): Promise<AttributeNavigation> => {
    requested.push(names);
    for (let frame = screen.store.getState().frame + by; frame >= 0 && frame < frames.length; frame += by) {
      if ((frames[frame]?.length ?? 0) === 0) continue;
      await screen.goTo(frame);
      return 'there';
    }
    return 'none';
  };
  const kept = keptChoices(choices);
  const controller = createAttributeController({
    engine: screen.engine,
    store: screen.store,
    choices: kept,
    toObjects,
  });
  await screen.goTo(0);
  const place = () => {
    const { place, targets } = controller.state.getState();
    const all = targets.flatMap(({ attributes }) => attributes);
    return place === null
      ? 'nothing'
      : `${screen.store.getState().frame} ${place.object} ${all.find(({ id }) => id === place.attribute)?.name}`;
  };
  const valuesOf = (id: string) => screen.editor.scene.get(id)?.attributes.map(({ value }) => value);
  return { ...screen, controller, requested, place, valuesOf, kept };
}

describe('the attribute mode', () => {
  it('moves from value to value and from object to object, each shown with its margin', async () => {
    const { controller, place, valuesOf, looks, editor } = await openController([[shape('a', 1), shape('b', 1)]], {
      margin: 5,
    });
    expect(place()).toBe('0 a ripeness');
    expect(looks.at(-1)).toEqual({ left: 5, top: 5, right: 55, bottom: 45 });
    expect(editor.selection.ids()).toEqual(['a']);
    controller.setNumber(2);
    expect(place()).toBe('0 a cut');
    controller.setNumber(1);
    expect(place()).toBe('0 b ripeness');
    expect(editor.selection.ids()).toEqual(['b']);
    expect(valuesOf('a')).toEqual(['b', 'true']);
    expect(looks).toHaveLength(2);
    controller.setNumber(9);
    expect(place()).toBe('0 b ripeness');
  });

  it('moves automatically to the next frame with an attribute, and stays if that is switched off', async () => {
    const frames = [[shape('a', 1)], [], [shape('p', 2, { frame: 2 })], [tag('t', 1, 3), shape('z', 1, { frame: 3 })]];
    const { controller, place, requested, kept } = await openController(frames, { nextFrame: false });
    controller.stepObject(1);
    await settled();
    expect(place()).toBe('0 a ripeness');
    expect(requested).toEqual([]);
    kept.set({ nextFrame: true });
    controller.stepObject(1);
    expect(controller.isReady()).toBe(false);
    await expect.poll(controller.isReady).toBe(true);
    expect(place()).toBe('3 t ripeness');
    expect(requested[0]).toEqual(['fruit', 'vehicle']);
    controller.stepObject(1);
    expect(place()).toBe('3 z ripeness');
    controller.stepObject(1);
    await settled();
    expect(place()).toBe('3 z ripeness');
  });

  it('enters a frame from its end when it moves back', async () => {
    const { controller, place, goTo } = await openController([
      [shape('a', 1), shape('b', 1)],
      [shape('c', 1, { frame: 1 })],
    ]);
    await goTo(1);
    expect(place()).toBe('1 c ripeness');
    controller.step(-1);
    await settled();
    await settled();
    expect(place()).toBe('0 b cut');
  });

  it("asks again after an undo, and resets to the label's default", async () => {
    const { controller, place, valuesOf, editor } = await openController([[shape('a', 1), shape('b', 1)]]);
    controller.setNumber(3);
    controller.stepObject(1);
    expect(place()).toBe('0 b ripeness');
    editor.undo();
    expect(place()).toBe('0 a ripeness');
    expect(valuesOf('a')).toEqual([]);
    controller.setNumber(3);
    controller.step(-1);
    controller.reset();
    expect(place()).toBe('0 a ripeness');
    expect(valuesOf('a')).toEqual(['a']);
  });

  it('changes nothing of a locked object and says so', async () => {
    const { controller, place, valuesOf, hand } = await openController([[shape('a', 1, { locked: true })]]);
    controller.setNumber(2);
    expect(valuesOf('a')).toEqual([]);
    expect(place()).toBe('0 a ripeness');
    expect(hand.refusals).toEqual(['canvas.refused.lockedChange']);
  });

  it('follows the selected, filtered or deleted object', async () => {
    const { controller, place, editor } = await openController([
      [shape('a', 1), shape('b', 1), shape('c', 1), shape('p', 2)],
    ]);
    editor.selection.set(['b']);
    expect(place()).toBe('0 b ripeness');
    editor.selection.set(['p']);
    expect(place()).toBe('0 b ripeness');
    editor.scene.setFilter(({ clientId }) => clientId !== 'b');
    await settled();
    expect(place()).toBe('0 c ripeness');
    editor.commands.remove(['c']);
    await settled();
    expect(place()).toBe('0 a ripeness');
    controller.ask('cut');
    await settled();
    expect(place()).toBe('0 a cut');
    editor.commands.remove(['a']);
    await settled();
    expect(place()).toBe('nothing');
  });

  it('saves a value without moving on if that is switched off', async () => {
    const { controller, place, valuesOf } = await openController([[shape('a', 1)]], { nextValue: false });
    controller.set('c');
    expect(place()).toBe('0 a ripeness');
    expect(valuesOf('a')).toEqual(['c']);
  });
});
