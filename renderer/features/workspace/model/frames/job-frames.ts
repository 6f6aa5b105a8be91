import type { Job } from '../../../../../preload/contract/schema/resources.ts';

/** The job's frames, ascending. A ground-truth job skips some. */
export function jobFrames(
  { start_frame: first, stop_frame: last }: Pick<Job, 'start_frame' | 'stop_frame'>,
  metaOf: (frame: number) => unknown,
): readonly number[] {
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return all.filter((frame) => metaOf(frame) !== undefined);
}
