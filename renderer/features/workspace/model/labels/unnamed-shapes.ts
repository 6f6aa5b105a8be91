import { added } from '../../../../canvas/changes.ts';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { createListeners } from '../../../../canvas/emitter.ts';
import { noLabel, type SceneRecord, type ShapeRecord } from '../../../../canvas/types.ts';
import { defaultAttributes } from './label-rules.ts';

export const isUnnamed = (record: SceneRecord): boolean => record.labelId === noLabel;

export function createUnnamedShapes(engine: Pick<CanvasEngine, 'scene' | 'patchScene' | 'execute'>) {
  let shapes: readonly ShapeRecord[] = [];
  const listeners = createListeners();
  const set = (next: readonly ShapeRecord[]): void => {
    shapes = next;
    listeners.tell();
  };
  const show = (): void => {
    const here = shapes.filter(({ frame }) => frame === engine.scene.frame);
    // Locked, because the store does not have them yet.
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
  // A reset replaces all records, so the frame's unnamed shapes are added again.
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
