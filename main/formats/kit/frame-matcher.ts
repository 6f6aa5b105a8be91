import { withoutExtension } from './dataset-items.ts';
import { createMatchNotes } from './match-notes.ts';
import { ambiguous, createPathFinder } from './path-finder.ts';
import type { FrameMatch } from './task-data.ts';

export interface FrameMatcherOptions {
  /** Called when a table is built, at most a few times: frames of the task, deleted ones left out. */
  readonly frames: () => Iterable<{ readonly frame: number; readonly name: string; readonly subset?: string }>;
  /** The subsets that the frames are of, where they are known: else a walk over the frames finds them. */
  readonly subsets?: readonly string[];
  /** True for a video: its frames have numbers, not files, so a number in a name means a frame. */
  readonly isVideo: boolean;
  /** Source-relative number of the first frame, and the step: names such as `frame_000120` state source numbers. */
  readonly startFrame?: number;
  readonly frameStep?: number;
  /** Numbers decide nothing: only names do. */
  readonly namesOnly?: boolean;
}

const fileExtension = /\.[A-Za-z][A-Za-z0-9]{1,4}$/;

/** A frame's number, `ambiguous`, or undefined for none. */
type Match = (item: FrameMatch) => number | undefined;

/**
 * Finds the frame that a file's image means, by the rules of {@link createPathFinder}: within the item's subset first,
 * when frames have different ones, and then among all frames. `match_notes` tells the names that fitted several.
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
    return new Map(
      [...subsets].map((subset) => [subset, createPlainMatcher({ ...options, frames: () => framesOf(subset) })]),
    );
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
 * A bare number decides only in a video, or when the name has no file extension: `000139.jpg` in an image task means a
 * file, not frame 139. Frame 0 is a frame like any other.
 */
function createPlainMatcher(options: FrameMatcherOptions): Match {
  const { isVideo, startFrame = 0, frameStep = 1 } = options;
  const findPath = createPathFinder({
    *paths() {
      for (const { name, frame } of options.frames()) yield [name, frame];
    },
  });
  let numbers: Set<number> | undefined;

  const existing = (frame: number): number | undefined => {
    numbers ??= new Set(Array.from(options.frames(), ({ frame: number }) => number));
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
