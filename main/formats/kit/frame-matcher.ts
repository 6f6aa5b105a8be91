import { withoutExtension } from './dataset-items.ts';
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

/** Marks a key that several frames share: it decides nothing. */
const ambiguous = -1;

const fileExtension = /\.[A-Za-z][A-Za-z0-9]{1,4}$/;

function normalized(name: string): string {
  const path = name.includes('\\') ? name.replaceAll('\\', '/') : name;
  const relative = path.startsWith('.') || path.startsWith('/') ? path.replace(/^(\.?\/)+/, '') : path;
  // oxlint-disable-next-line no-control-regex -- the range is that of ASCII, which has one form only
  return /^[\u0000-\u007F]*$/.test(relative) ? relative : relative.normalize('NFC');
}

/** The path that an address means, without its query and with its characters; other names as they are. */
function pathOfAddress(name: string): string {
  const path = /^[a-z][a-z0-9+.-]*:\/\//i.test(name)
    ? name.replace(/^[^:]+:\/\/[^/]*\/?/, '').replace(/[?#].*$/, '')
    : name;
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function isTailOf(tail: string, path: string): boolean {
  return path.length > tail.length && path.endsWith(tail) && path[path.length - tail.length - 1] === '/';
}

function claim(table: Map<string, number>, key: string, frame: number): void {
  const present = table.get(key);
  if (present === undefined) table.set(key, frame);
  else if (present !== frame) table.set(key, ambiguous);
}

/**
 * Matches within the item's subset first, when frames have different ones, and then among all frames. See
 * {@link createPlainMatcher} for the rules.
 */
export function createFrameMatcher(options: FrameMatcherOptions): (item: FrameMatch) => number | null {
  const all = createPlainMatcher(options);
  let bySubset: Map<string, (item: FrameMatch) => number | null> | undefined;

  const buildSubsets = (): Map<string, (item: FrameMatch) => number | null> => {
    const subsets = new Set(options.subsets ?? Array.from(options.frames(), ({ subset = '' }) => subset));
    if (subsets.size < 2) return new Map();
    function* framesOf(wanted: string) {
      for (const frame of options.frames()) if ((frame.subset ?? '') === wanted) yield frame;
    }
    return new Map(
      [...subsets].map((subset) => [subset, createPlainMatcher({ ...options, frames: () => framesOf(subset) })]),
    );
  };

  return (item) => {
    if (item.subset === undefined) return all(item);
    bySubset ??= buildSubsets();
    return bySubset.get(item.subset)?.(item) ?? all(item);
  };
}

/**
 * Finds the frame that a file's image means. The first hit wins: the path as it stands, the path as an id without
 * extension, the path with its extension taken off, the end of the path (the file or the task has extra leading
 * folders), and last a number. Where several frames fit equally the answer is null: no match is better than a wrong
 * one. A bare number decides only in a video, or when the name has no file extension: `000139.jpg` in an image task
 * means a file, not frame 139. What fits no name is tried once more as an address, and in any case. Frame 0 is a frame like any other.
 */
function createPlainMatcher(options: FrameMatcherOptions): (item: FrameMatch) => number | null {
  const { isVideo, startFrame = 0, frameStep = 1 } = options;
  // Most files name frames by their whole path: the other tables are built when that fails for the first time.
  let paths: Map<string, number> | undefined;
  let stems: Map<string, number> | undefined;
  let tails: Map<string, string[]> | undefined;
  let numbers: Set<number> | undefined;

  const tableBy = (key: (name: string) => string): Map<string, number> => {
    const table = new Map<string, number>();
    for (const { frame, name } of options.frames()) claim(table, key(normalized(name)), frame);
    return table;
  };

  /** Stems by their last segment: candidates for a match by the end of the path. */
  function buildTails(known: ReadonlyMap<string, number>): Map<string, string[]> {
    const byBase = new Map<string, string[]>();
    for (const stem of known.keys()) {
      const base = baseName(stem);
      const list = byBase.get(base);
      if (list) list.push(stem);
      else byBase.set(base, [stem]);
    }
    return byBase;
  }

  const byTail = (path: string, known: ReadonlyMap<string, number>): number | undefined => {
    tails ??= buildTails(known);
    const fitting = tails.get(baseName(path))?.filter((stem) => isTailOf(path, stem) || isTailOf(stem, path));
    if (!fitting || fitting.length === 0) return undefined;
    // Of stems that are ends of the path, the longest says most; of stems that end with it, only a single one decides.
    const inside = fitting.filter((stem) => isTailOf(stem, path)).toSorted((a, b) => b.length - a.length);
    const chosen = inside[0] ?? (fitting.length === 1 ? fitting[0] : undefined);
    return chosen === undefined ? ambiguous : known.get(chosen);
  };

  const hasFrame = (frame: number): boolean => {
    numbers ??= new Set(Array.from(options.frames(), ({ frame: number }) => number));
    return numbers.has(frame);
  };

  const byNumber = (name: string): number | null => {
    const base = baseName(name);
    const named = /^frame_(\d+)$/.exec(isVideo ? withoutExtension(base) : '');
    if (named) {
      const frame = (Number(named[1]) - startFrame) / frameStep;
      return hasFrame(frame) ? frame : null;
    }
    if (!isVideo && fileExtension.test(name)) return null;
    const digits = fileExtension.test(base) ? withoutExtension(base) : base;
    if (!/^\d{1,15}$/.test(digits)) return null;
    return hasFrame(Number(digits)) ? Number(digits) : null;
  };

  const byName = (name: string): number | null | undefined => {
    paths ??= tableBy((path) => path);
    const path = normalized(name);
    const whole = paths.get(path);
    if (whole !== undefined) return whole === ambiguous ? null : whole;
    stems ??= tableBy(withoutExtension);
    const stem = fileExtension.test(path) ? withoutExtension(path) : undefined;
    const found = stems.get(path) ?? (stem === undefined ? undefined : stems.get(stem)) ?? byTail(stem ?? path, stems);
    return found === ambiguous ? null : found;
  };

  let folded: Map<string, number> | undefined;
  /** As another program may have written it: as an address, or in another case. */
  const byOtherSpelling = (name: string): number | null | undefined => {
    const path = pathOfAddress(name);
    const found = path === name ? undefined : byName(path);
    if (found !== undefined) return found;
    folded ??= tableBy((own) => withoutExtension(own).toLowerCase());
    const same = folded.get(withoutExtension(normalized(path)).toLowerCase());
    return same === ambiguous ? null : same;
  };

  return ({ name, frame }) => {
    if (name !== undefined && name !== '') {
      const found = byName(name) ?? byOtherSpelling(name);
      if (found !== undefined) return found;
    }
    if (options.namesOnly === true) return null;
    if (frame !== undefined) return hasFrame(frame) ? frame : null;
    return name === undefined ? null : byNumber(normalized(name));
  };
}
