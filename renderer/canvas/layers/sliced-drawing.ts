import type { ShapeRecord } from '../types.ts';

/** A canvas carries out what it was told when it is shown or read from: copying one pixel of it reads it now. */
export function createRasterNow(): (source: CanvasRenderingContext2D) => void {
  const scratch = new OffscreenCanvas(1, 1).getContext('2d');
  return (source) => void scratch?.drawImage(source.canvas, 0, 0, 1, 1, 0, 0, 1, 1);
}

/** Aim for one piece, milliseconds: half a frame. */
const pieceMs = 8;
const firstPiece = 1000;
const smallestPiece = 100;

interface SlicedParts {
  /** Does a part of what has to be done before. False: there is more. */
  readonly prepare: (forMs: number) => boolean;
  /** In the order in which they are drawn; asked for once. */
  readonly shapes: () => readonly ShapeRecord[];
  /** Has to raster before it returns, as far as it can be made to: its time decides how long the next piece is. */
  readonly paint: (piece: readonly ShapeRecord[]) => void;
  readonly done: () => void;
}

/** Draws a long list piece by piece, each about as long as fits beside everything else in an animation frame. */
export function createSlicedDrawing({ prepare, shapes, paint, done }: SlicedParts) {
  let isPrepared = false;
  let list: readonly ShapeRecord[] | null = null;
  let position = 0;
  let length = firstPiece;
  return {
    /** Draws the next piece, or does a part of what comes before it. False: it was the last one. */
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
