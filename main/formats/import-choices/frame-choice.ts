import { withoutExtension } from '../kit/dataset-items.ts';
import { createFrameMatcher } from '../kit/frame-matcher.ts';
import type { FrameMatch, TaskData } from '../kit/task-data.ts';
import { createImageTally } from './image-tally.ts';
import { withOverrides } from '../kit/with-overrides.ts';

/**
 * Matching of the images of a file to frames. `auto`: by name, and a name that is a number also as a frame number.
 * `name`: by name only. `number`: by the last number in the name. `order`: by position.
 */
export const frameMatchings = ['auto', 'name', 'number', 'order'] as const;
export type FrameMatching = (typeof frameMatchings)[number];

/** Finds the frame of an image; `index` is its position among the images of the file. */
export type FrameFinder = (item: FrameMatch, index: number) => number | null;

const ambiguous = -1;

function lastNumber(name: string): number | undefined {
  const stem = withoutExtension(name);
  const digits = /(\d{1,15})\D*$/.exec(stem.slice(stem.lastIndexOf('/') + 1))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Matches the last number of the frame names if it is unique for each frame; else the frame number. */
function createNumberFinder(task_data: TaskData): FrameFinder {
  const byName = new Map<number, number>();
  const all = new Set<number>();
  let named = true;
  for (const { frame, name } of task_data.frames) {
    all.add(frame);
    const number = lastNumber(name);
    if (number === undefined || byName.has(number)) named = false;
    else byName.set(number, frame);
  }
  return ({ name, frame }) => {
    const number = (name === undefined ? undefined : lastNumber(name)) ?? frame;
    if (number === undefined) return null;
    if (named) return byName.get(number) ?? null;
    return all.has(number) ? number : null;
  };
}

export function createFrameFinder(task_data: TaskData, matching: FrameMatching): FrameFinder {
  if (matching === 'number') return createNumberFinder(task_data);
  if (matching === 'order') {
    const frames = Array.from(task_data.frames, ({ frame }) => frame);
    return (_item, index) => frames[index] ?? null;
  }
  if (matching === 'auto') return (item) => task_data.match_frame(item);
  const byName = createFrameMatcher({ frames: () => task_data.frames, isVideo: false, namesOnly: true });
  return (item) => byName.match_frame(item);
}

/** Wraps the task so that frames are found by `matching`. */
export function withFrameMatching(task_data: TaskData, matching: FrameMatching): TaskData {
  if (matching === 'auto') return task_data;
  const find = createFrameFinder(task_data, matching);
  const tally = createImageTally();
  const taken = new Map<number, number>();
  return withOverrides(task_data, {
    match_frame(item) {
      const image = tally.image(item);
      if (!image) return null;
      if (image.frame !== null) return image.frame;
      const frame = find(item, image.index);
      // A number shared by several images of the file is ambiguous: only the first image gets the frame.
      const owner = frame === null ? ambiguous : (taken.get(frame) ?? image.index);
      if (frame === null || owner !== image.index) return null;
      taken.set(frame, image.index);
      image.frame = frame;
      return frame;
    },
  });
}
