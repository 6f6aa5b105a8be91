import type { Job } from '../../../../../preload/contract/schema/resources.ts';

type Change = Partial<Pick<Job, 'stage' | 'state'>>;

export interface StageStep {
  readonly name: 'handOver' | 'accept' | 'reject' | 'complete' | 'reopen';
  readonly change: Change;
}

const reopen: StageStep = { name: 'reopen', change: { state: 'in progress' } };

export function stepsOf({ stage, state }: Pick<Job, 'stage' | 'state'>): readonly StageStep[] {
  const back: StageStep = { name: 'reject', change: { stage: 'annotation', state: 'rejected' } };
  const again = state === 'completed' ? [reopen] : [];
  if (stage === 'annotation') {
    const complete: StageStep = { name: 'complete', change: { state: 'completed' } };
    return [
      { name: 'handOver', change: { stage: 'validation', state: 'new' } },
      ...(state === 'completed' ? [reopen] : [complete]),
    ];
  }
  if (stage === 'validation') {
    return [{ name: 'accept', change: { stage: 'acceptance', state: 'completed' } }, back, ...again];
  }
  return [...again, back];
}
