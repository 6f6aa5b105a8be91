import type { Label } from '../../../../preload/contract/schema/labels.ts';
import type { CanvasEngine } from '../../../canvas/canvas-engine.ts';
import { noLabel, type SceneRecord, type ShapeRecord } from '../../../canvas/types.ts';
import { defaultAttributes } from './label-rules.ts';

export const isUnnamed = (record: SceneRecord): boolean => record.labelId === noLabel;

/** Shapes that are drawn and have no label yet: shown, but neither saved nor in the history. */
export function createUnnamedShapes(engine: Pick<CanvasEngine, 'scene' | 'patchScene' | 'execute'>) {
  let shapes: readonly ShapeRecord[] = [];
  const listeners = new Set<() => void>();
  const set = (next: readonly ShapeRecord[]): void => {
    shapes = next;
    for (const listener of listeners) listener();
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
    /** Called when some have come or gone. Returns the unsubscribe function. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** They become annotations with this label, one step of the history each. */
    name(label: Label) {
      for (const shape of take()) {
        const after = { ...shape, labelId: label.id, attributes: defaultAttributes(label) };
        engine.execute({ kind: 'create', changes: [{ clientId: shape.clientId, before: null, after }] });
      }
    },
    drop: () => void take(),
  };
}

export type UnnamedShapes = ReturnType<typeof createUnnamedShapes>;
