import { open } from 'node:fs/promises';
import { levelCount, tileGrid } from '../../../preload/geometry/image-tiles.ts';

export interface StoredSize {
  readonly width: number;
  readonly height: number;
}

export interface TilePlace {
  readonly level: number;
  readonly column: number;
  readonly row: number;
}

export function* placesOf(stored: StoredSize): Generator<TilePlace> {
  for (let level = 0; level < levelCount(stored); level += 1) {
    const { columns, rows } = tileGrid(stored, level);
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) yield { level, column, row };
    }
  }
}

function numberOf(stored: StoredSize, { level, column, row }: TilePlace): number | undefined {
  if (level >= levelCount(stored)) return undefined;
  const { columns, rows } = tileGrid(stored, level);
  if (column >= columns || row >= rows) return undefined;
  let before = 0;
  for (let finer = 0; finer < level; finer += 1) before += tileCount(stored, finer);
  return before + row * columns + column;
}

function tileCount(stored: StoredSize, level: number): number {
  const { columns, rows } = tileGrid(stored, level);
  return columns * rows;
}

const offsetBytes = 8;

/** The bytes of one tile; undefined if the image has no such tile. Throws if the file is damaged. */
export async function readTile(path: string, stored: StoredSize, place: TilePlace): Promise<Buffer | undefined> {
  const number = numberOf(stored, place);
  if (number === undefined) return undefined;
  let count = 0;
  for (let level = 0; level < levelCount(stored); level += 1) count += tileCount(stored, level);
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const starts = size - (count + 1) * offsetBytes;
    const { buffer } = await file.read(
      Buffer.alloc(2 * offsetBytes),
      0,
      2 * offsetBytes,
      starts + number * offsetBytes,
    );
    const [start, end] = [buffer.readDoubleLE(0), buffer.readDoubleLE(offsetBytes)];
    if (!(start >= 0 && start < end && end <= starts)) throw new Error(`${path} is not a tile file.`);
    const { buffer: bytes, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    if (bytesRead !== end - start) throw new Error(`${path} is truncated.`);
    return bytes;
  } finally {
    await file.close();
  }
}
