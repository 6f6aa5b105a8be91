import type { z } from 'zod';
import type { dataRequestSchema, jobWriteSchema } from '../../../../preload/contract/schema/resources.ts';

export const validationModes = ['none', 'gt', 'gt_pool'] as const;
export type ValidationMode = (typeof validationModes)[number];
type Unit = 'count' | 'share';

/** Selection of the frames of a ground truth, with or without honeypots. */
export interface ValidationChoice {
  readonly mode: ValidationMode;
  readonly method: 'random_uniform' | 'random_per_job' | 'manual';
  readonly unit: Unit;
  /** Frames, or percent. With `random_per_job` of each job. */
  readonly amount: number;
  readonly perJobUnit: Unit;
  /** Honeypots of a job, or percent of its frames. */
  readonly perJob: number;
  /** Selected frames: file names, one per line, or numbers and ranges. */
  readonly frames: string;
  readonly seed: number | null;
}

export const noValidation: ValidationChoice = {
  mode: 'none',
  method: 'random_uniform',
  unit: 'share',
  amount: 10,
  perJobUnit: 'share',
  perJob: 5,
  frames: '',
  seed: null,
};

const named = <Name extends string>(name: Name, unit: Unit, amount: number) =>
  ({ [`${name}_${unit}`]: unit === 'share' ? amount / 100 : amount }) as {
    readonly [Key in `${Name}_${Unit}`]?: number;
  };

const seedOf = ({ seed, method }: ValidationChoice) =>
  seed === null || method === 'manual' ? {} : { random_seed: seed };

const namesOf = ({ frames }: ValidationChoice): string[] =>
  frames
    .split('\n')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Frame numbers in a text such as `0, 5, 10-12`; null if it has anything else. */
export function numbersOf({ frames }: ValidationChoice): number[] | null {
  const parts = frames.split(/[\s,;]+/).filter((part) => part !== '');
  const numbers = parts.map((part) => {
    const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? [];
    if (first === undefined || Number(last) < Number(first) || Number(last) - Number(first) > 100_000) return null;
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => Number(first) + at);
  });
  return numbers.includes(null) ? null : [...new Set(numbers.flatMap((own) => own ?? []))];
}

const selectionOf = (choice: ValidationChoice) => {
  const { method, unit, amount } = choice;
  if (method === 'manual') return {};
  return method === 'random_per_job' ? named('frames_per_job', unit, amount) : named('frame', unit, amount);
};

type Parameters = NonNullable<z.input<typeof dataRequestSchema>['validation_params']>;

/** Parameters of a new task; undefined without a ground truth. */
export function validationParameters(choice: ValidationChoice): Parameters | undefined {
  const { mode, method, perJobUnit, perJob } = choice;
  if (mode === 'none') return undefined;
  return {
    mode,
    frame_selection_method: method,
    ...selectionOf(choice),
    ...(mode === 'gt_pool' ? named('frames_per_job', perJobUnit, perJob) : {}),
    ...(method === 'manual' ? { frames: namesOf(choice) } : {}),
    ...seedOf(choice),
  };
}

/** A ground truth job for an existing task. */
export const truthJobOf = (choice: ValidationChoice, taskId: number): z.input<typeof jobWriteSchema> => ({
  type: 'ground_truth',
  task_id: taskId,
  frame_selection_method: choice.method,
  ...selectionOf(choice),
  ...(choice.method === 'manual' ? { frames: numbersOf(choice) ?? [] } : {}),
  ...seedOf(choice),
});

/** Frames of the pool of a task with `frames` images. */
export function poolSize(choice: ValidationChoice, frames: number): number {
  const { method, unit, amount } = choice;
  if (method === 'manual') return new Set(namesOf(choice)).size;
  return unit === 'count' ? amount : Math.max(1, Math.floor((frames * amount) / 100));
}

export type ValidationProblem = 'noFrames' | 'tooMany' | 'perJobTooMany';

/** Reason why the selection cannot be used. @param frames images of the task; null if not known yet */
export function validationProblem(choice: ValidationChoice, frames: number | null): ValidationProblem | null {
  const { mode, method, unit, amount, perJobUnit, perJob } = choice;
  if (mode === 'none') return null;
  if (method === 'manual' && namesOf(choice).length === 0) return 'noFrames';
  if (mode === 'gt_pool') {
    if (frames !== null && poolSize(choice, frames) >= frames) return 'tooMany';
    const isCounted = method === 'random_uniform' && unit === 'count';
    if (isCounted && perJobUnit === 'count' && perJob > amount) return 'perJobTooMany';
  }
  return null;
}
