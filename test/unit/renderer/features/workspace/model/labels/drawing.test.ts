import { describe, expect, it } from 'vitest';
import type { CanvasEngine } from '../../../../../../../renderer/canvas/canvas-engine.ts';
import { createDrawing } from '../../../../../../../renderer/features/workspace/model/labels/drawing.ts';
import { createUnnamedShapes } from '../../../../../../../renderer/features/workspace/model/labels/unnamed-shapes.ts';
import { makeLabel } from '../../../../../../support/labels.ts';
import { openMode, shape } from '../modes/support.ts';

const labels = [
  makeLabel(11, 'person'),
  makeLabel(12, 'car'),
  makeLabel(13, 'lane', { type: 'polyline' }),
  makeLabel(14, 'pose', { type: 'skeleton', sublabels: [] }),
  makeLabel(15, 'tripod'),
  makeLabel(16, 'night', { type: 'tag' }),
];

async function openDrawing() {
  const { hand, editor, engine, store, goTo } = openMode('standard', labels, [[shape('one', 11)]]);
  const canvas = { ...engine, patchScene: () => undefined } as unknown as CanvasEngine;
  const drawing = createDrawing({
    engine: canvas,
    unnamed: createUnnamedShapes(canvas),
    store,
    labelService: {
      create: () => Promise.reject(new Error('No service.')),
      addAttribute: () => Promise.reject(new Error('No service.')),
      recolor: () => Promise.reject(new Error('No service.')),
      list: () => Promise.resolve(labels),
    },
    setLabels: () => undefined,
  });
  editor.events.on('toolChange', (tool, toolOptions) => store.setState({ tool, toolOptions }));
  await goTo(0);
  const now = () => {
    const { id, options } = engine.getTool();
    return [id, labels.find((label) => label.id === options.labelId)?.name, store.getState().activeLabelId];
  };
  return { drawing, hand, editor, engine, store, now };
}

describe('a number key', () => {
  it('selects the label of the next object, with any selection', async () => {
    const { drawing, editor, now } = await openDrawing();
    editor.selection.set(['one']);
    drawing.labelKey(1);
    expect(editor.scene.get('one')?.labelId).toBe(11);
    drawing.use('rectangle');
    expect(now()).toEqual(['rectangle', 'car', 12]);
  });

  it('starts a mask of its label, though the brush would paint on the selected one of another', async () => {
    const { drawing, hand, editor, engine } = await openDrawing();
    const paint = (y: number): void => {
      hand.drag([100, y], [140, y]);
      editor.tools.current().finish();
    };
    const masks = () => engine.scene.all().flatMap((one) => (one.kind === 'shape' && one.type === 'mask' ? one : []));
    drawing.labelKey(0);
    drawing.use('brush');
    paint(100);
    drawing.labelKey(0);
    paint(110);
    expect(masks().map(({ labelId }) => labelId)).toEqual([11]);
    drawing.labelKey(1);
    paint(120);
    expect(masks().map(({ labelId }) => labelId)).toEqual([11, 12]);
  });

  it('selects the tool that fits its label', async () => {
    const { drawing, now } = await openDrawing();
    drawing.use('rectangle');
    drawing.labelKey(2);
    expect(now()).toEqual(['polyline', 'lane', 13]);
  });

  it('returns to the last tool that fits, and the label stays selected for the next one', async () => {
    const { drawing, now } = await openDrawing();
    drawing.use('ellipse');
    drawing.use('skeleton');
    drawing.labelKey(4);
    expect(now()).toEqual(['ellipse', 'tripod', 15]);
    drawing.use('brush');
    expect(now()).toEqual(['brush', 'tripod', 15]);
  });

  it('changes nothing if no tool draws its label', async () => {
    const { drawing, now } = await openDrawing();
    drawing.labelKey(1);
    drawing.use('rectangle');
    drawing.labelKey(5);
    expect(now()).toEqual(['rectangle', 'car', 12]);
  });
});

describe('a tool', () => {
  it('draws the last selected label that fits it, never the first of the list', async () => {
    const { drawing, now } = await openDrawing();
    drawing.labelKey(1);
    drawing.use('rectangle');
    drawing.use('skeleton');
    expect(now()).toEqual(['skeleton', 'pose', 14]);
    drawing.use('rectangle');
    expect(now()).toEqual(['rectangle', 'car', 12]);
  });

  it('draws without a label, and asks for its name, if several fit and none of them was selected', async () => {
    const { drawing, now } = await openDrawing();
    drawing.labelKey(3);
    drawing.use('rectangle');
    expect(now()).toEqual(['rectangle', undefined, 14]);
  });

  it('draws the first label that fits before any is selected', async () => {
    const { drawing, now } = await openDrawing();
    drawing.use('rectangle');
    expect(now()).toEqual(['rectangle', 'person', 11]);
  });
});
