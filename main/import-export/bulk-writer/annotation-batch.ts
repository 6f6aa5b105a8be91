import { indexRanges, type RangeIndex } from '../../../preload/geometry/frame-spans.ts';

/**
 * Shapes sent from the parser thread to the writer thread, as columns in typed arrays whose buffers are transferred,
 * not copied. The encoded points of row i are `points[offsets[i] .. offsets[i + 1]]`.
 */
export interface ShapeBatch {
  readonly kind: 'shapes';
  readonly count: number;
  /** Seven columns of `capacity` each: frame, label, type, source, flags, z order, group. */
  readonly integers: Int32Array;
  /** Three columns of `capacity` each: rotation, score, stated area (NaN: none). */
  readonly reals: Float64Array;
  readonly offsets: Uint32Array;
  readonly points: Uint8Array;
  /** Row of an element's skeleton in the same batch; −1 for none. */
  readonly parents: Int32Array;
  readonly attributes: readonly (string | null)[];
  readonly capacity: number;
}

export interface TagBatchRow {
  readonly frame: number;
  readonly labelId: number;
  readonly source: number;
  readonly group: number;
  readonly attributes: string | null;
}

export interface TrackBatchRow extends TagBatchRow {
  /** Index of the import's target set. */
  readonly target: number;
  readonly shapes: readonly {
    readonly frame: number;
    readonly type: number;
    readonly flags: number;
    readonly zOrder: number;
    readonly rotation: number;
    readonly points: Uint8Array;
    readonly attributes: string | null;
  }[];
  readonly elements: readonly TrackBatchRow[];
  /** Equal in all rows of a split track: the original and its segments. */
  readonly origin?: number;
  /**
   * Number of segments that follow the original of a split track. The original is stored with the first segment and is
   * not visible in any job.
   */
  readonly pieceCount?: number;
}

export type AnnotationBatch =
  | ShapeBatch
  | { readonly kind: 'tags'; readonly rows: readonly TagBatchRow[] }
  | { readonly kind: 'tracks'; readonly rows: readonly TrackBatchRow[] }
  | { readonly kind: 'end' };

export const integerColumn = { frame: 0, label: 1, type: 2, source: 3, flags: 4, zOrder: 5, group: 6 } as const;
export const integerColumns = 7;
export const realColumn = { rotation: 0, score: 1, area: 2 } as const;
export const realColumns = 3;

/** Frames from the first to the last, inclusive. */
export interface FrameSpan {
  readonly firstFrame: number;
  readonly lastFrame: number;
}

/** A pending set, and the frames of its job. */
export interface TargetSet extends FrameSpan {
  readonly setId: number;
  /**
   * Subtracted from frame numbers before storing. An import of several tasks, or of overlapping jobs, gives each a
   * separate range of frames; the store numbers the frames of each task from 0.
   */
  readonly frameOffset?: number;
}

/** Finds the spans of a frame without trying each. */
export const indexTargets = (spans: readonly FrameSpan[]): RangeIndex =>
  indexRanges(spans.map(({ firstFrame, lastFrame }) => ({ first: firstFrame, last: lastFrame })));

export const holdsFrame = ({ firstFrame, lastFrame }: FrameSpan, frame: number): boolean =>
  frame >= firstFrame && frame <= lastFrame;
