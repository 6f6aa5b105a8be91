import type { ShapeRecord } from '../types.ts';

/**
 * A canvas executes commands lazily, when it is shown or read; copying one pixel forces it. The copy is read in turn,
 * because until then it refers to the source, and the next command would duplicate the source's bitmap.
 */
export function createRasterNow(): (source: CanvasRenderingContext2D) => void {
  const scratch = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  return (source) => {
    scratch?.drawImage(source.canvas, 0, 0, 1, 1, 0, 0, 1, 1);
    scratch?.getImageData(0, 0, 1, 1);
  };
}

/** Target duration of one piece, milliseconds: one frame, after which input and repaints have their turn. */
const pieceMs = 16;
const firstPiece = 500;
const smallestPiece = 100;

interface SlicedParts {
  /** Does a part of the preparation. False if there is more. */
  readonly prepare: (forMs: number) => boolean;
  /** In drawing order; called once. */
  readonly shapes: () => readonly ShapeRecord[];
  /** Should raster before it returns, because its duration determines the size of the next piece. */
  readonly paint: (piece: readonly ShapeRecord[]) => void;
  readonly done: () => void;
}

/** Draws a long list in pieces that are as short as an animation frame. */
export function createSlicedDrawing({ prepare, shapes, paint, done }: SlicedParts) {
  let isPrepared = false;
  let list: readonly ShapeRecord[] | null = null;
  let position = 0;
  let length = firstPiece;
  return {
    /** Draws the next piece or a part of the preparation. False after the last one. */
    step(): boolean {
      if (!isPrepared) {
        isPrepared = prepare(pieceMs);
        return true;
      }
      if (list === null) {
        list = shapes();
        return true;
      }
      const start = performance.now();
      paint(list.slice(position, position + length));
      position += length;
      const tookMs = Math.max(0.5, performance.now() - start);
      length = Math.max(smallestPiece, Math.round(length * Math.min(2, Math.max(0.3, pieceMs / tookMs))));
      if (position < list.length) return true;
      done();
      return false;
    },
  };
}

export type SlicedDrawing = ReturnType<typeof createSlicedDrawing>;
