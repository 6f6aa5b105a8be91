/** Both sides of a tile; those at the right and the lower edge are smaller. */
export const tileSide = 512;
/** The longer side of what is seen of a large picture before its tiles are there. */
export const overviewSide = 2048;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Level 0 has the picture's own pixels, each further one a quarter of those, and the last is a single tile. */
export function levelSize({ width, height }: Size, level: number): Size {
  return { width: Math.ceil(width / 2 ** level), height: Math.ceil(height / 2 ** level) };
}

export function levelCount({ width, height }: Size): number {
  return 1 + Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / tileSide)));
}

/** How many tiles a level has each way. */
export function tileGrid(size: Size, level: number): { readonly columns: number; readonly rows: number } {
  const { width, height } = levelSize(size, level);
  return { columns: Math.ceil(width / tileSide), rows: Math.ceil(height / tileSide) };
}
