/** Width and height of a tile; tiles at the right and bottom edge are smaller. */
export const tileSide = 512;
/** Longer side of the overview that is shown until a large image's tiles are loaded. */
export const overviewSide = 2048;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Level 0 has the image's full resolution, each further level half the width and height. The last level is one tile.
 */
export function levelSize({ width, height }: Size, level: number): Size {
  return { width: Math.ceil(width / 2 ** level), height: Math.ceil(height / 2 ** level) };
}

export function levelCount({ width, height }: Size): number {
  return 1 + Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / tileSide)));
}

export function tileGrid(size: Size, level: number): { readonly columns: number; readonly rows: number } {
  const { width, height } = levelSize(size, level);
  return { columns: Math.ceil(width / tileSide), rows: Math.ceil(height / tileSide) };
}
