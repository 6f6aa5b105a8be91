import type { JobWrite } from '../../../preload/contract/schema/resources.ts';
import { invalidField } from '../../platform/errors.ts';
import { createSeededChoice, type SeededChoice } from './seeded-choice.ts';

export type FrameSelection = Pick<
  JobWrite,
  | 'frame_selection_method'
  | 'frame_count'
  | 'frame_share'
  | 'frames_per_job_count'
  | 'frames_per_job_share'
  | 'random_seed'
  | 'frames'
>;

export interface FramePool {
  readonly size: number;
  readonly deleted: ReadonlySet<number>;
  readonly jobs: readonly { readonly start: number; readonly stop: number }[];
}

/**
 * Returns the frames of a ground-truth job in order. The same seed gives the same frames.
 * @throws AppError 400 if the selection is impossible
 */
export function selectValidationFrames(selection: FrameSelection, pool: FramePool): number[] {
  const random = createSeededChoice(selection.random_seed ?? Math.floor(Math.random() * 2 ** 31));
  const frames = chosen(selection, pool, random);
  if (frames.length === 0)
    throw invalidField('non_field_errors', 'The ground truth would have no frames. Select at least one.');
  return frames.sort((a, b) => a - b);
}

function chosen(selection: FrameSelection, pool: FramePool, random: SeededChoice): number[] {
  switch (selection.frame_selection_method) {
    case 'manual':
      return manual(selection.frames, pool);
    case 'random_uniform': {
      const all = range(0, pool.size - 1).filter((frame) => !pool.deleted.has(frame));
      return random(all, wanted(selection.frame_count, selection.frame_share, all.length, 'frame'));
    }
    case 'random_per_job':
      return perJob(selection, pool, random);
  }
}

function manual(frames: readonly number[] | undefined, { size }: FramePool): number[] {
  if (!frames || frames.length === 0) throw invalidField('frames', 'This field is required.');
  const outside = frames.find((frame) => frame >= size);
  if (outside !== undefined) throw invalidField('frames', `Frame ${outside} does not exist in the task.`);
  if (new Set(frames).size !== frames.length) throw invalidField('frames', 'Frames must be unique.');
  return [...frames];
}

/**
 * Chosen frames that a job shares with the one before count for both. New ones are chosen behind the shared frames, so
 * that the job before keeps the number that was asked for.
 */
function perJob(selection: FrameSelection, { deleted, jobs }: FramePool, random: SeededChoice): number[] {
  const taken = new Set<number>();
  const { frames_per_job_count: count, frames_per_job_share: share } = selection;
  const longest = Math.max(...jobs.map(({ start, stop }) => stop - start + 1));
  const each = wanted(count, share, longest, 'frames_per_job');
  let shared = -1;
  for (const { start, stop } of jobs) {
    const frames = range(start, stop).filter((frame) => !deleted.has(frame));
    const free = frames.filter((frame) => !taken.has(frame));
    const own = free.filter((frame) => frame > shared);
    const number = Math.min(each, frames.length) - (frames.length - free.length);
    if (number > 0) for (const frame of random(own.length < number ? free : own, number)) taken.add(frame);
    shared = stop;
  }
  return [...taken];
}

function wanted(count: number | undefined, share: number | undefined, available: number, field: string): number {
  if ((count === undefined) === (share === undefined)) {
    throw invalidField(`${field}_count`, `Give either ${field}_count or ${field}_share.`);
  }
  const number = count ?? Math.max(1, Math.floor((share ?? 0) * available));
  if (number > available && field === 'frame') {
    throw invalidField('frame_count', `Only ${available} frames are available.`);
  }
  return number;
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
