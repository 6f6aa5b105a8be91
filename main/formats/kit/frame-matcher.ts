import { withoutExtension } from './dataset-items.ts';
import { createMatchNotes } from './match-notes.ts';
import { ambiguous, createPathFinder } from './path-finder.ts';
import type { FrameMatch } from './task-data.ts';

export interface FrameMatcherOptions {
  /** Frames of the task without deleted ones. Called at most a few times, to build a table. */
  readonly frames: () => Iterable<{ readonly frame: number; readonly name: string; readonly subset?: string }>;
  /** Subsets of the frames, if known; otherwise they are collected from the frames. */
  readonly subsets?: readonly string[];
  /** True for a video, whose frames have numbers instead of files: a number in a name is a frame number. */
  readonly isVideo: boolean;
  /** Number of the first frame in the source; names such as `frame_000120` state numbers of the source. */
  readonly startFrame?: number;
  readonly frameStep?: number;
  /** Disables matching by number. */
  readonly namesOnly?: boolean;
}

const fileExtension = /\.[A-Za-z][A-Za-z0-9]{1,4}$/;

/** Frame number, `ambiguous`, or undefined for none. */
type Match = (item: FrameMatch) => number | undefined;

/**
 * Finds the frame for an image of a file by the rules of {@link createPathFinder}: first in the item's subset, if
 * frames have several, then in all frames. `match_notes` reports names that matched several frames.
 */
export function createFrameMatcher(options: FrameMatcherOptions) {
  const all = createPlainMatcher(options);
  const notes = createMatchNotes();
  let bySubset: Map<string, Match> | undefined;

  const buildSubsets = (): Map<string, Match> => {
    const subsets = new Set(options.subsets ?? Array.from(options.frames(), ({ subset = '' }) => subset));
    if (subsets.size < 2) return new Map();
    function* framesOf(wanted: string) {
      for (const frame of options.frames()) if ((frame.subset ?? '') === wanted) yield frame;
    }
    return new Map([...subsets].map((subset) => [subset, createPlainMatcher(options, () => framesOf(subset))]));
  };

  const find: Match = (item) => {
    if (item.subset === undefined) return all(item);
    bySubset ??= buildSubsets();
    return bySubset.get(item.subset)?.(item) ?? all(item);
  };

  return {
    match_frame(item: FrameMatch): number | null {
      const found = find(item);
      notes.take(item, found);
      return found === undefined || found === ambiguous ? null : found;
    },
    match_notes: notes.sentences,
  };
}

/**
 * A bare number is a frame number only in a video, or if the name has no extension: `000139.jpg` in an image task is a
 * file name. Frame 0 is valid.
 */
function createPlainMatcher(options: FrameMatcherOptions, frames = options.frames): Match {
  const { isVideo, startFrame = 0, frameStep = 1 } = options;
  const findPath = createPathFinder({
    *paths() {
      for (const { name, frame } of frames()) yield [name, frame];
    },
  });
  let numbers: Set<number> | undefined;

  const existing = (frame: number): number | undefined => {
    numbers ??= new Set(Array.from(frames(), ({ frame: number }) => number));
    return numbers.has(frame) ? frame : undefined;
  };

  const byNumber = (name: string): number | undefined => {
    const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
    const named = /^frame_(\d+)$/.exec(isVideo ? withoutExtension(base) : '');
    if (named) return existing((Number(named[1]) - startFrame) / frameStep);
    if (!isVideo && fileExtension.test(name)) return undefined;
    const digits = fileExtension.test(base) ? withoutExtension(base) : base;
    return /^\d{1,15}$/.test(digits) ? existing(Number(digits)) : undefined;
  };

  return ({ name, frame, near }) => {
    if (name !== undefined && name !== '') {
      const found = findPath({ name, near });
      if (found !== undefined) return found;
    }
    if (options.namesOnly === true) return undefined;
    if (frame !== undefined) return existing(frame);
    return name === undefined ? undefined : byNumber(name);
  };
}
