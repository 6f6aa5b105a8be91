import type { LambdaFunction } from '../../../../preload/contract/schema/functions.ts';
import { messageOf } from '../../../api/api-error.ts';
import type { LabelChoice } from '../../../parts/models/label-mapping.ts';

/** Where a detector runs. */
export type DetectorTarget = 'frame' | 'job' | 'task';

export interface DetectorOptions {
  /** 0: as the function sets it. */
  readonly threshold: number;
  readonly choice: LabelChoice;
  readonly masksToPolygons: boolean;
  /** Runs over many frames only: what is there goes first. */
  readonly cleanup: boolean;
}

export interface Note {
  readonly kind: 'info' | 'failure';
  readonly text: string;
}

/** The run over a job or a task. */
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

/** What the models panel shows. */
export interface ModelState {
  readonly chosen: LambdaFunction | null;
  readonly target: DetectorTarget;
  readonly detectors: Readonly<Record<string, DetectorOptions>>;
  /** Proposals below it are not shown, 0 to 1. */
  readonly minimumScore: number;
  /** The frame that a detector looks at. */
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
  detectors: {},
  minimumScore: 0,
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
  masksToPolygons: false,
  cleanup: false,
};

/** Why something failed, as the end of a sentence: functions and services end theirs as they like. */
export function reasonOf(error: unknown): string {
  const message = messageOf(error).trim();
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
