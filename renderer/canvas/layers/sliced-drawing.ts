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

/**
 * Draws a long list piece by piece, each about as long as fits beside everything else in an animation frame. `paint`
 * has to raster before it returns, as far as it can be made to: its time decides how long the next piece is.
 */
export function createSlicedDrawing(
  shapes: readonly ShapeRecord[],
  paint: (piece: readonly ShapeRecord[]) => void,
  done: () => void,
) {
  let position = 0;
  let length = firstPiece;
  return {
    /** Draws the next piece. False: it was the last one. */
    step(): boolean {
      const start = performance.now();
      paint(shapes.slice(position, position + length));
      position += length;
      const tookMs = Math.max(0.5, performance.now() - start);
      length = Math.max(smallestPiece, Math.round(length * Math.min(2, Math.max(0.3, pieceMs / tookMs))));
      if (position < shapes.length) return true;
      done();
      return false;
    },
  };
}

export type SlicedDrawing = ReturnType<typeof createSlicedDrawing>;
