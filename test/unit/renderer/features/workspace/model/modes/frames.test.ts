import { describe, expect, it } from 'vitest';
import { createLabelEdits } from '../../../../../../../renderer/features/workspace/model/labels/label-edits.ts';
import {
  countOf,
  createSingleController,
  toolsOf,
} from '../../../../../../../renderer/features/workspace/model/modes/single-controller.ts';
import {
  createTagController,
  tagLabels,
} from '../../../../../../../renderer/features/workspace/model/modes/tag-controller.ts';
import type { CanvasEngine } from '../../../../../../../renderer/canvas/canvas-engine.ts';
import type { SceneRecord } from '../../../../../../../renderer/canvas/types.ts';
import { makeLabel } from '../../../../../../support/labels.ts';
import { keptChoices, openMode, settled, tag } from './support.ts';
import { createNextFrame } from '../../../../../../../renderer/features/workspace/model/modes/mode-controllers.ts';

const labels = [
  makeLabel(1, 'car', { type: 'rectangle' }),
  makeLabel(2, 'night', { type: 'tag' }),
  makeLabel(3, 'rain'),
  makeLabel(4, 'lane', { type: 'polyline' }),
];
const job = { start_frame: 0, stop_frame: 3 };

async function openTags(frames: readonly (readonly SceneRecord[])[], choices: Record<string, unknown> = {}) {
  const screen = openMode('tags', labels, frames);
  const { engine, store, goTo } = screen;
  const { tagFrame } = createLabelEdits(engine as unknown as CanvasEngine, store);
  const nextFrame = createNextFrame({ job, store, navigator: { goTo }, left: () => new Set([1]) });
  const kept = keptChoices(choices);
  const controller = createTagController({ engine, store, choices: kept, tagFrame, nextFrame });
  await goTo(0);
  const tags = () => engine.scene.all().map(({ labelId }) => labelId);
  return { ...screen, controller, tags, kept };
}

describe('tags of frames', () => {
  it('are the labels that a frame can have', () => {
    expect(tagLabels(labels).map(({ name }) => name)).toEqual(['night', 'rain']);
  });

  it('are added and removed by the same number, each once', async () => {
    const { controller, tags, editor } = await openTags([[]]);
    controller.toggleNumber(3);
    controller.toggleNumber(2);
    expect(tags()).toEqual([3, 2]);
    controller.toggleNumber(3);
    expect(tags()).toEqual([2]);
    controller.toggleNumber(6);
    expect(tags()).toEqual([2]);
    controller.removeLast();
    expect(tags()).toEqual([]);
    editor.undo();
    expect(tags()).toEqual([2]);
  });

  it('that a filter hides are removed, not added twice', async () => {
    const { controller, tags, editor } = await openTags([[tag('t', 2)]]);
    editor.scene.setFilter(() => false);
    controller.toggleNumber(2);
    expect(tags()).toEqual([]);
  });

  it('move to the next frame if configured, past deleted ones, not when they are removed', async () => {
    const { controller, store } = await openTags([[], [], [], []], { nextAfterTag: true });
    controller.toggleNumber(2);
    // The next frame is loading: nothing is added to the previous one.
    controller.toggleNumber(3);
    await settled();
    expect(store.getState().frame).toBe(2);
    controller.toggleNumber(2);
    await settled();
    expect(store.getState().frame).toBe(3);
    controller.toggleNumber(2);
    await settled();
    expect(store.getState().frame).toBe(3);
    controller.toggleNumber(2);
    await settled();
    expect(store.getState().frame).toBe(3);
  });
});

async function openSingle(given: typeof labels, choices: Record<string, unknown> = {}) {
  const screen = openMode('single', given, [[], [], [], []]);
  const { engine, store, goTo } = screen;
  const nextFrame = createNextFrame({ job, store, navigator: { goTo }, left: () => new Set() });
  const controller = createSingleController({ engine, store, choices: keptChoices(choices), nextFrame });
  await goTo(0);
  let drawn = 0;
  const draw = async (): Promise<void> => {
    // Each beside the previous one, because a drag at its corner would move its handle.
    drawn += 1;
    screen.hand.drag([20 * drawn, 20], [20 * drawn + 60, 70]);
    await settled();
  };
  return { ...screen, controller, draw };
}

describe('single shapes', () => {
  it('are drawn with any tool that the label accepts', () => {
    expect(toolsOf({ type: 'rectangle' })).toContain('rectangle');
    expect(toolsOf({ type: 'mask' })).toEqual(['brush']);
    expect(toolsOf({ type: 'tag' })).toEqual([]);
    expect(toolsOf({ type: 'any' })).toContain('polygon');
    expect(toolsOf({ type: 'any' })).not.toContain('skeleton');
  });

  it('need no choice if only one label can be drawn, and the tool stays active frame after frame', async () => {
    const { controller, engine, store, draw, goTo } = await openSingle(labels.slice(0, 2));
    expect(controller.state.getState()).toMatchObject({ labelId: 1, tool: 'rectangle' });
    expect(engine.getTool().id).toBe('rectangle');
    await draw();
    expect(store.getState().frame).toBe(1);
    engine.setTool('select');
    await goTo(2);
    expect(engine.getTool().id).toBe('rectangle');
  });

  it('ask for the label if there are several', async () => {
    const { controller, engine } = await openSingle(labels);
    expect(controller.state.getState().labelId).toBeNull();
    expect(engine.getTool().id).toBe('select');
    controller.chooseNumber(4);
    expect(controller.state.getState()).toMatchObject({ labelId: 4, tool: 'polyline' });
    expect(engine.getTool()).toMatchObject({ id: 'polyline', options: { labelId: 4, asTrack: false } });
  });

  it('move on after the configured number of objects of the label, and end with a note on the last frame', async () => {
    const { controller, engine, store, draw, goTo } = await openSingle(labels.slice(0, 1), { shapeCount: 2 });
    await draw();
    expect(store.getState().frame).toBe(0);
    await draw();
    expect(store.getState().frame).toBe(1);
    await goTo(3);
    await draw();
    expect(controller.state.getState().finished).toBe(false);
    await draw();
    expect(controller.state.getState().finished).toBe(true);
    expect(countOf(engine.scene.all(), 1)).toBe(2);
    await goTo(2);
    expect(controller.state.getState().finished).toBe(false);
  });

  it('count each painted mask, although a brush paints on the selected one', async () => {
    const { editor, engine, draw } = await openSingle([makeLabel(5, 'water', { type: 'mask' })], { shapeCount: 3 });
    const paint = async (): Promise<void> => {
      await draw();
      editor.tools.current().finish();
      await settled();
    };
    await paint();
    await paint();
    expect(countOf(engine.scene.all(), 5)).toBe(2);
  });

  it('stay on the frame if that is switched off, and draw tracks again in other modes', async () => {
    const { store, draw, controller } = await openSingle(labels.slice(0, 1), { nextAfterShapes: false });
    await draw();
    expect(store.getState().frame).toBe(0);
    store.setState({ mode: 'standard' });
    store.setState({ asTrack: true });
    store.setState({ mode: 'single' });
    expect(store.getState().asTrack).toBe(false);
    store.setState({ mode: 'standard' });
    expect(store.getState().asTrack).toBe(true);
    expect(controller.isOn()).toBe(false);
  });
});
