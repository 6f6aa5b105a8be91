import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { createListeners, stopAll } from '../../../../canvas/emitter.ts';
import type { Draft, ToolId } from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import { notify } from '../../../../ui/notify.ts';
import type { AnnotateStore } from '../types.ts';

interface DraftControllerParts {
  readonly engine: Pick<CanvasEngine, 'draft' | 'resumeDrawing' | 'getTool' | 'finishDrawing' | 'on'>;
  readonly store: Pick<AnnotateStore, 'getState'>;
  readonly arm: (tool: ToolId, labelId: number | null) => void;
}

/** Drafts on frames, at most one per frame. They survive a reload. */
export function createDraftController({ engine, store, arm }: DraftControllerParts) {
  const waiting = new Map<number, Draft>();
  const listeners = createListeners();
  const changed = listeners.tell;
  const ended = new AbortController();
  // A point or stroke was added or removed.
  for (const kind of ['pointerup', 'keyup'] as const) {
    window.addEventListener(kind, () => engine.getTool().drawing && changed(), { signal: ended.signal });
  }
  const stops = [engine.on('drawStart', changed), engine.on('drawEnd', changed)];

  return {
    /** Before another frame is shown: finishes a complete shape and stores an incomplete one. */
    leave(frame: number) {
      if (!engine.getTool().drawing) return;
      const shape = engine.draft();
      if (shape === null || shape.isComplete) {
        engine.finishDrawing();
        return;
      }
      waiting.set(frame, shape);
      notify.hint('half-drawn', text('annotate.halfDrawn', { frame }));
      changed();
    },
    /** Continues the frame's draft unless another shape is being drawn. */
    arrive(frame: number) {
      const shape = waiting.get(frame);
      if (shape === undefined || engine.getTool().drawing) return;
      waiting.delete(frame);
      arm(shape.tool, shape.labelId);
      engine.resumeDrawing(shape);
      changed();
    },
    /** All drafts, including the active one. */
    list(): KeptShapes {
      const now = engine.draft();
      const { frame } = store.getState();
      const others = [...waiting].filter(([at]) => now === null || at !== frame);
      return now === null ? others : [...others, [frame, now]];
    },
    restore(shapes: KeptShapes) {
      for (const [frame, shape] of shapes) waiting.set(frame, shape);
    },
    subscribe: listeners.subscribe,
    close() {
      ended.abort();
      stopAll(stops);
    },
  };
}

type KeptShapes = readonly (readonly [frame: number, shape: Draft])[];
export type DraftController = ReturnType<typeof createDraftController>;
