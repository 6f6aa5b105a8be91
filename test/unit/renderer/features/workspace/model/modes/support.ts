import { createStore } from 'zustand/vanilla';
import type { Attribute, Label } from '../../../../../../../preload/contract/schema/labels.ts';
import type { Box, SceneRecord, ShapeRecord, TagRecord } from '../../../../../../../renderer/canvas/types.ts';
import {
  initialState,
  type AnnotateState,
  type Mode,
} from '../../../../../../../renderer/features/workspace/model/types.ts';
import { canvasLabels } from '../../../../../../../renderer/features/workspace/model/labels/label-rules.ts';
import { createModeChoices } from '../../../../../../../renderer/features/workspace/model/modes/mode-choices.ts';
import { makeShape, makeTag } from '../../../../../../support/canvas-shape.ts';
import { makeAttribute } from '../../../../../../support/labels.ts';
import { driveEditor } from '../../../../../canvas/support/editor-driver.ts';

export const attribute = (id: number, name: string, fields: Partial<Attribute> = {}): Attribute =>
  makeAttribute(id, name, { input_type: 'select', values: ['a', 'b', 'c'], ...fields });

export const shape = (clientId: string, labelId: number, fields: Partial<ShapeRecord> = {}): ShapeRecord =>
  makeShape(clientId, 'rectangle', [10, 10, 50, 40], { labelId, ...fields });

export const tag = (clientId: string, labelId: number, frame = 0): TagRecord => makeTag(clientId, labelId, { frame });

export function keptChoices(first: Record<string, unknown> = {}) {
  const kept = new Map([['limner.modes', JSON.stringify(first)]]);
  return createModeChoices({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  });
}

export const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export function openMode(mode: Mode, labels: readonly Label[], frames: readonly (readonly SceneRecord[])[]) {
  const hand = driveEditor();
  const { editor } = hand;
  editor.setLabels(canvasLabels(labels));
  const store = createStore<AnnotateState>(() => initialState(0, labels, false, mode));
  const looks: (Box | 'all')[] = [];
  const engine = {
    scene: editor.scene,
    tracks: editor.tracks,
    selection: editor.selection,
    on: editor.events.on,
    update: editor.commands.update,
    execute: editor.commands.execute,
    remove: editor.commands.remove,
    zoomTo: (box: Box) => void looks.push(box),
    fit: () => void looks.push('all'),
    setTool: editor.tools.set,
    getTool: () => ({
      id: editor.tools.current().id,
      options: editor.tools.options(),
      drawing: editor.tools.current().drawing(),
    }),
    isBusy: () => editor.tools.current().drawing(),
  };
  const kept = new Map(frames.map((records, frame) => [frame, records]));
  /** Like the navigator: objects of a frame are restored when it is shown again. */
  const goTo = async (frame: number): Promise<void> => {
    if (store.getState().shown) kept.set(editor.scene.frame, editor.scene.all());
    store.setState({ wantedFrame: frame });
    await Promise.resolve();
    editor.setFrameShapes(kept.get(frame) ?? [], frame);
    store.setState({ frame, shown: true });
    await settled();
  };
  return { hand, editor, engine, store, looks, goTo };
}
