import { z } from 'zod';
import { createStore } from 'zustand/vanilla';

/** How a person works in the modes; the same for every job. */
const choicesSchema = z.object({
  /** Attributes: after a value its successor is asked. */
  nextValue: z.boolean().catch(true),
  /** Attributes: behind the last object comes the next frame. */
  nextFrame: z.boolean().catch(true),
  /** Attributes: image pixels around the object that is shown. */
  margin: z.int().min(0).max(5000).catch(100),
  /** Tags: the next frame comes after a tag was put. */
  nextAfterTag: z.boolean().catch(false),
  /** Single shape: the next frame comes after so many objects. */
  nextAfterShapes: z.boolean().catch(true),
  shapeCount: z.int().min(1).max(1000).catch(1),
});
export type ModeChoices = z.infer<typeof choicesSchema>;

const storeKey = 'limner.modes';

/** Kept for the next job; what cannot be read is as at first. */
export function createModeChoices(kept: Pick<Storage, 'getItem' | 'setItem'>) {
  const read = (): unknown => {
    try {
      return JSON.parse(kept.getItem(storeKey) ?? '{}');
    } catch {
      return {};
    }
  };
  const first = choicesSchema.safeParse(read());
  const state = createStore<ModeChoices>(() => (first.success ? first.data : choicesSchema.parse({})));
  return {
    state,
    get: state.getState,
    set(change: Partial<ModeChoices>) {
      state.setState(change);
      try {
        kept.setItem(storeKey, JSON.stringify(state.getState()));
      } catch {
        // The store is full: the choice holds until this window closes.
      }
    },
  };
}

export type ModeChoiceStore = ReturnType<typeof createModeChoices>;
