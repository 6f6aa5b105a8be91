import { AppError, invalidField } from '../platform/errors.ts';

export interface FrameRange {
  /** Source-relative numbers of the first and the last selected frame. */
  readonly first: number;
  readonly last: number;
  readonly step: number;
  readonly indices: readonly number[];
}

export interface FrameSelection {
  readonly start_frame?: number;
  readonly stop_frame?: number;
  readonly frame_filter?: string;
}

/** N of `step=N`; 1 without a filter. Throws `invalid` for anything else. */
export function parseFrameStep(frameFilter: string): number {
  if (frameFilter.trim() === '') return 1;
  const found = /^\s*step\s*=\s*([1-9]\d{0,8})\s*$/.exec(frameFilter);
  if (found) return Number(found[1]);
  throw invalidField(
    'frame_filter',
    `The frame filter ${JSON.stringify(frameFilter)} is not valid; use step=N, for example step=5.`,
  );
}

/** Selects frames of a source with `count` frames: every Nth from `start_frame` to `stop_frame` (both included). */
export function selectFrames(count: number, selection: FrameSelection): FrameRange {
  const step = parseFrameStep(selection.frame_filter ?? '');
  const first = selection.start_frame ?? 0;
  const stop = Math.min(selection.stop_frame ?? count - 1, count - 1);
  if (!Number.isInteger(first) || first < 0 || first > count - 1) {
    throw invalidField('start_frame', `The first frame is ${first}, but the media have frames 0 to ${count - 1}.`);
  }
  if (!Number.isInteger(stop) || stop < first) {
    throw new AppError(
      'invalid',
      `The last frame (${stop}) is before the first (${first}), so the task would be empty.`,
    );
  }
  const indices = Array.from({ length: Math.floor((stop - first) / step) + 1 }, (_, index) => first + index * step);
  return { first, last: indices.at(-1) ?? first, step, indices };
}
