import type { TrackedShape } from '../kit/task-data.ts';

/** One shape of a track as the file has it: keyframes and the frames between them. */
export interface TrackShapeRow {
  /** Task-relative, or null when the task has no such frame. */
  readonly frame: number | null;
  /** As the file states it. */
  readonly fileFrame: string;
  readonly keyframe: boolean;
  readonly shape: Omit<TrackedShape, 'frame' | 'keyframe'>;
}

export interface KeyframeCollector {
  /** Rows in the file's order. Returns why the row could not be used, or undefined. */
  add(row: TrackShapeRow): string | undefined;
  /** Keyframes in ascending order, and how many keyframes lie on frames that the task does not have. */
  finish(): { readonly shapes: TrackedShape[]; readonly missing: number; readonly firstMissing: string };
}

/**
 * Files hold every visible frame of a track, the model holds keyframes only. Beside the rows that are marked as
 * keyframes these are kept as such: the first row, a change of visibility (no interpolation makes one), and the
 * neighbours of a keyframe that falls on a frame outside the task, so that what remains moves as it did in the file.
 */
export function createKeyframeCollector(): KeyframeCollector {
  const shapes: TrackedShape[] = [];
  const frames = new Set<number>();
  let skipped: TrackedShape | undefined;
  let promoteNext = false;
  let missing = 0;
  let firstMissing = '';

  const keep = (shape: TrackedShape): void => {
    shapes.push(shape);
    frames.add(shape.frame);
    skipped = undefined;
    promoteNext = false;
  };
  const leaveOut = (row: TrackShapeRow): void => {
    if (!row.keyframe) return;
    if (missing === 0) firstMissing = row.fileFrame;
    missing += 1;
    if (skipped) keep(skipped);
    promoteNext = true;
  };

  return {
    add(row) {
      if (row.frame === null) {
        leaveOut(row);
        return undefined;
      }
      const last = shapes.at(-1);
      if (last && last.type !== row.shape.type)
        return `the track is made of ${last.type} shapes, this one is ${row.shape.type}`;
      if (frames.has(row.frame)) return row.keyframe ? `the track has two shapes on frame ${row.fileFrame}` : undefined;
      const shape: TrackedShape = { ...row.shape, frame: row.frame, keyframe: true };
      if (row.keyframe || promoteNext || last?.outside !== shape.outside) keep(shape);
      else skipped = shape;
      return undefined;
    },
    finish: () => ({ shapes: shapes.sort((a, b) => a.frame - b.frame), missing, firstMissing }),
  };
}
