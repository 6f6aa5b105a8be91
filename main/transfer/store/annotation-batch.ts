/**
 * Shapes on their way from the thread that parses a file to the thread that writes the store: columns in typed arrays
 * whose buffers are handed over, not copied. Row i's points are `points[offsets[i] .. offsets[i + 1]]`, encoded.
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
  /** Row of the skeleton that an element belongs to, in the same batch; −1 for none. */
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
  /** Which of the import's target sets it goes to. */
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
  /** The same in all rows of one track that was cut: in those of its pieces, and before them in its own. */
  readonly origin?: number;
  /** Of a track that was cut: how many pieces follow. It lies with the first of them, and no job shows it. */
  readonly pieceCount?: number;
}

export type AnnotationBatch =
  | ShapeBatch
  | { readonly kind: 'tags'; readonly rows: readonly TagBatchRow[] }
  | { readonly kind: 'tracks'; readonly rows: readonly TrackBatchRow[] }
  | { readonly kind: 'end' };

/** Column numbers of {@link ShapeBatch.integers}. */
export const integerColumn = { frame: 0, label: 1, type: 2, source: 3, flags: 4, zOrder: 5, group: 6 } as const;
export const integerColumns = 7;
/** Column numbers of {@link ShapeBatch.reals}. */
export const realColumn = { rotation: 0, score: 1, area: 2 } as const;
export const realColumns = 3;

/** Frames, from the first to the last, both included. */
export interface FrameSpan {
  readonly firstFrame: number;
  readonly lastFrame: number;
}

/** A pending set, and the frames of its job. */
export interface TargetSet extends FrameSpan {
  readonly setId: number;
  /**
   * Less than a frame's number by this much is what is stored. An import of several tasks, or of jobs that overlap,
   * gives each of them frames of its own, one after another; the store counts the frames of each task from 0.
   */
  readonly frameOffset?: number;
}

export const holdsFrame = ({ firstFrame, lastFrame }: FrameSpan, frame: number): boolean =>
  frame >= firstFrame && frame <= lastFrame;
