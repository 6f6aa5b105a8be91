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
