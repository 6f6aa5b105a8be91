import { z } from 'zod';
import { createStore } from 'zustand/vanilla';
import type { Job } from '../../../../../preload/contract/schema/resources.ts';
import { keep } from '../saved-switches.ts';
import { modes, type Mode } from '../types.ts';

const isMode = (name: string | undefined): name is Mode => modes.some((mode) => mode === name);

const modeOfStage = (stage: Job['stage']): Mode => (stage === 'validation' ? 'review' : 'standard');

const keyOf = ({ id }: Pick<Job, 'id'>): string => `limner.mode.${id}`;

/** Mode from the address, else the last one in this stage of the job, else the stage's default. */
export function openingMode(job: Pick<Job, 'id' | 'stage'>, operationQuery: string | undefined): Mode {
  if (isMode(operationQuery)) return operationQuery;
  const [stage, mode] = globalThis.localStorage?.getItem(keyOf(job))?.split(' ') ?? [];
  return stage === job.stage && isMode(mode) ? mode : modeOfStage(job.stage);
}

export const rememberMode = (job: Pick<Job, 'id' | 'stage'>, mode: Mode): void =>
  keep(keyOf(job), `${job.stage} ${mode}`);

const choicesSchema = z.object({
  /** Attribute mode: move to the next attribute after a value. */
  nextValue: z.boolean().catch(true),
  /** Attribute mode: move to the next frame after the last object. */
  nextFrame: z.boolean().catch(true),
  /** Attribute mode: margin around the object, image pixels. */
  margin: z.int().min(0).max(5000).catch(100),
  /** Tag mode: move to the next frame after a tag. */
  nextAfterTag: z.boolean().catch(false),
  /** Single-shape mode: move to the next frame after a number of objects. */
  nextAfterShapes: z.boolean().catch(true),
  shapeCount: z.int().min(1).max(1000).catch(1),
});
export type ModeChoices = z.infer<typeof choicesSchema>;

const storeKey = 'limner.modes';

/** Saved for the next job; invalid values get their default. */
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
        // The storage is full: the choice applies until this window closes.
      }
    },
  };
}

export type ModeChoiceStore = ReturnType<typeof createModeChoices>;
