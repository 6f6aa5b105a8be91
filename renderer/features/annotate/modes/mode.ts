import type { Job } from '../../../../preload/contract/schema/resources.ts';
import { keep } from '../kept-switch.ts';

/** Ways to work on a job. */
export const modes = ['standard', 'review', 'attributes', 'tags', 'single'] as const;
export type Mode = (typeof modes)[number];

const isMode = (name: string | undefined): name is Mode => modes.some((mode) => mode === name);

/** What a job of this stage is opened for. */
const modeOfStage = (stage: Job['stage']): Mode => (stage === 'validation' ? 'review' : 'standard');

const keyOf = ({ id }: Pick<Job, 'id'>): string => `limner.mode.${id}`;

/** That of the address, or the one used last in this stage of the job, or the stage's own. */
export function openingMode(job: Pick<Job, 'id' | 'stage'>, asked: string | undefined): Mode {
  if (isMode(asked)) return asked;
  const [stage, mode] = globalThis.localStorage?.getItem(keyOf(job))?.split(' ') ?? [];
  return stage === job.stage && isMode(mode) ? mode : modeOfStage(job.stage);
}

/** For the next time that the job is opened in this stage. */
export const rememberMode = (job: Pick<Job, 'id' | 'stage'>, mode: Mode): void =>
  keep(keyOf(job), `${job.stage} ${mode}`);
