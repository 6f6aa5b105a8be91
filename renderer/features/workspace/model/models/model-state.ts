import type { LambdaFunction } from '../../../../../preload/contract/schema/functions.ts';
import { messageOf } from '../../../../api/api-error.ts';
import type { Filling, LabelChoice } from '../../../../shared/models/model-labels.ts';

export type DetectorTarget = 'frame' | 'job' | 'task';

export interface DetectorOptions {
  /** 0 uses the function's default. */
  readonly threshold: number;
  readonly choice: LabelChoice;
  /** Only for models that take phrases. */
  readonly phrases: readonly string[];
  /** Only for models that fill in attributes; null for the first that the task has. */
  readonly fill: Filling | null;
  readonly masksToPolygons: boolean;
  /** Deletes existing annotations first; only for runs over many frames. */
  readonly cleanup: boolean;
}

export interface Note {
  readonly kind: 'info' | 'failure';
  readonly text: string;
}

export type RunState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'starting' }
  | { readonly phase: 'running'; readonly id: string; readonly progress: number; readonly text: string }
  | {
      readonly phase: 'ended';
      readonly outcome: 'finished' | 'cancelled' | 'failed';
      readonly text: string;
      readonly canResume: boolean;
    };

interface TrackingState {
  readonly done: number;
  readonly count: number;
}

export interface ModelState {
  readonly chosen: LambdaFunction | null;
  readonly target: DetectorTarget;
  /** Phrases that were looked for last in this project. */
  readonly keptPhrases: readonly string[];
  readonly detectors: Readonly<Record<string, DetectorOptions>>;
  /** Hides proposals with a lower score, 0 to 1. */
  readonly minimumScore: number;
  /** Names of programs that suggest objects. */
  readonly programs: Readonly<Record<string, string>>;
  readonly detecting: number | null;
  readonly note: Note | null;
  readonly run: RunState;
  readonly takeAs: 'polygon' | 'mask';
  readonly interacting: boolean;
  readonly trackFrames: number;
  readonly tracking: TrackingState | null;
}

export const initialModelState: ModelState = {
  chosen: null,
  target: 'frame',
  keptPhrases: [],
  detectors: {},
  minimumScore: 0,
  programs: {},
  detecting: null,
  note: null,
  run: { phase: 'idle' },
  takeAs: 'polygon',
  interacting: false,
  trackFrames: 10,
  tracking: null,
};

export const defaultDetectorOptions: DetectorOptions = {
  threshold: 0,
  choice: {},
  phrases: [],
  fill: null,
  masksToPolygons: false,
  cleanup: false,
};

/** Error text to end a sentence with; its final punctuation is normalized. */
export function reasonOf(error: unknown): string {
  const message = messageOf(error).trim();
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
