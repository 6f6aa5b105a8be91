import { added } from '../../../canvas/changes.ts';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import type { CanvasEngine } from '../../../canvas/canvas-engine.ts';
import { createListeners } from '../../../canvas/emitter.ts';
import { noLabel, type SceneRecord, type ShapeRecord } from '../../../canvas/types.ts';
import { defaultAttributes } from './label-rules.ts';

export const isUnnamed = (record: SceneRecord): boolean => record.labelId === noLabel;

/** Shapes that are drawn and have no label yet: shown, but neither saved nor in the history. */
export function createUnnamedShapes(engine: Pick<CanvasEngine, 'scene' | 'patchScene' | 'execute'>) {
  let shapes: readonly ShapeRecord[] = [];
  const listeners = createListeners();
  const set = (next: readonly ShapeRecord[]): void => {
    shapes = next;
    listeners.tell();
  };
  const show = (): void => {
    const here = shapes.filter(({ frame }) => frame === engine.scene.frame);
    // Locked: there is nothing to edit in the store yet.
    if (here.length > 0) engine.patchScene(here.map((shape) => ({ ...shape, locked: true })));
  };
  const take = (): readonly ShapeRecord[] => {
    const taken = shapes;
    set([]);
    engine.patchScene(
      [],
      taken.map(({ clientId }) => clientId),
    );
    return taken;
  };
  // Another frame's records take the place of all others; those that wait on it are shown after them.
  engine.scene.subscribe(({ reset }) => {
    if (reset) queueMicrotask(show);
  });
  return {
    list: () => shapes,
    add(added: readonly ShapeRecord[]) {
      set([...shapes, ...added]);
      show();
    },
    subscribe: listeners.subscribe,
    /** They become annotations with this label, one step of the history each. */
    name(label: Label) {
      for (const shape of take()) {
        const named = { ...shape, labelId: label.id, attributes: defaultAttributes(label) };
        engine.execute({ kind: 'create', changes: [added(named)] });
      }
    },
    drop: () => void take(),
  };
}

export type UnnamedShapes = ReturnType<typeof createUnnamedShapes>;
