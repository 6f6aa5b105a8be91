import { levelCount, levelSize, tileGrid, tileSide } from '../../../preload/geometry/image-tiles.ts';
import { chained, inverted, mapPoint, type Matrix } from '../geometry/affine.ts';
import { boxCentre, boxContainsBox, boxOfCorners, intersectBoxes, isEmptyBox } from '../geometry/box.ts';
import { orientationMatrix } from '../geometry/orientation.ts';
import { screenBoxToImage, viewMatrix } from '../geometry/view-transform.ts';
import type { Box, Size, TileLayout, TilePlace, TiledPicture, View } from '../types.ts';
import { createCanvasElement } from './canvas-element.ts';

/** Range of drawn tiles: columns and rows from…to, `to` exclusive. */
interface Drawn {
  readonly level: number;
  readonly tiles: Box;
}

/**
 * Tiles of the visible part over the overview, in the displayed resolution. They are laid out as in the file without
 * gaps; CSS rotates, moves and scales them. The overview shows through missing tiles.
 */
export function createTileLayer(host: HTMLElement) {
  const { element, context, resize, remove } = createCanvasElement(host, 'tiles');
  let picture: TiledPicture | null = null;
  let size: Size = { width: 1, height: 1 };
  let hostSize: Size = { width: 1, height: 1 };
  let drawn: Drawn | null = null;
  let lastView: View | null = null;
  let lastLevel = 0;
  let unlisten = (): void => {};

  const drawTile = ({ tiles }: Drawn, { column, row }: TilePlace, tile: ImageBitmap): void =>
    context.drawImage(tile, (column - tiles.left) * tileSide, (row - tiles.top) * tileSide);
  const clear = (): void => {
    drawn = null;
    element.style.display = 'none';
    resize({ width: 1, height: 1 }, 1);
  };
  const draw = (next: Drawn, layout: TileLayout): void => {
    drawn = next;
    const { level, tiles } = next;
    const all = levelSize(layout.stored, level);
    const width = Math.min(tiles.right * tileSide, all.width) - tiles.left * tileSide;
    const height = Math.min(tiles.bottom * tileSide, all.height) - tiles.top * tileSide;
    if (!resize({ width, height }, 1)) context.clearRect(0, 0, width, height);
    element.style.display = '';
    const middle = boxCentre(tiles);
    const places = placesIn(next).toSorted((a, b) => distance(a, middle) - distance(b, middle));
    for (const place of places) {
      const tile = picture?.tile(place);
      if (tile !== undefined) drawTile(next, place, tile);
    }
    picture?.want(places);
  };
  const follow = (view: View): void => {
    lastView = view;
    const layout = picture?.layout() ?? null;
    if (drawn === null || layout === null) return;
    const step = 2 ** drawn.level;
    const { left, top } = drawn.tiles;
    const placed: Matrix = [step, 0, 0, step, left * tileSide * step, top * tileSide * step];
    element.style.transform = `matrix(${chained(viewMatrix(view), chained(toPicture(layout), placed)).join(', ')})`;
  };
  const settle = (view: View, level: number): void => {
    lastView = view;
    lastLevel = level;
    const layout = picture?.layout() ?? null;
    if (picture === null || layout === null) return;
    // The overview is as sharp as the level.
    if (2 ** level >= size.width / picture.overview.width) {
      clear();
      picture.want([]);
      return;
    }
    const seen = screenBoxToImage(view, { left: 0, top: 0, right: hostSize.width, bottom: hostSize.height });
    const next = tilesAt(seen, layout, Math.min(level, levelCount(layout.stored) - 1));
    if (next === null) return;
    if (drawn?.level === next.level && boxContainsBox(drawn.tiles, next.tiles)) return;
    draw(next, layout);
    follow(view);
  };

  return {
    element,
    set(given: TiledPicture | null, givenSize: Size) {
      if (given === picture) return;
      unlisten();
      picture?.want(null);
      picture = given;
      size = givenSize;
      clear();
      if (given === null) return;
      unlisten = given.onCome((place) => {
        if (place === null) {
          if (lastView !== null) settle(lastView, lastLevel);
          return;
        }
        const tile = given.tile(place);
        if (tile !== undefined && drawn !== null && holds(drawn, place)) drawTile(drawn, place, tile);
      });
      given.want([]);
    },
    resize(given: Size) {
      hostSize = given;
    },
    follow,
    settle,
    isWaiting: () => picture?.isWaiting() ?? false,
    async paint(target: OffscreenCanvasRenderingContext2D, scale: number): Promise<void> {
      if (picture !== null && scale > picture.overview.width / size.width) await paintAll(picture, target, scale);
    },
    remove() {
      unlisten();
      picture?.want(null);
      remove();
    },
  };
}

const toPicture = ({ orientation, stored }: TileLayout): Matrix => orientationMatrix(orientation, stored);

/** Tiles of a part of the upright image; null if there are none. */
function tilesAt(seen: Box, layout: TileLayout, level: number): Drawn | null {
  const { width, height } = layout.stored;
  const toStored = inverted(toPicture(layout));
  const inFile = boxOfCorners(mapPoint(toStored, seen.left, seen.top), mapPoint(toStored, seen.right, seen.bottom));
  const part = intersectBoxes(inFile, { left: 0, top: 0, right: width, bottom: height });
  if (isEmptyBox(part)) return null;
  const side = tileSide * 2 ** level;
  const [left, top] = [Math.floor(part.left / side), Math.floor(part.top / side)];
  const right = Math.max(left + 1, Math.ceil(part.right / side));
  const bottom = Math.max(top + 1, Math.ceil(part.bottom / side));
  return { level, tiles: { left, top, right, bottom } };
}

async function paintAll(
  picture: TiledPicture,
  target: OffscreenCanvasRenderingContext2D,
  scale: number,
): Promise<void> {
  const layout = await picture.readLayout();
  const level = Math.min(levelCount(layout.stored) - 1, Math.max(0, Math.floor(Math.log2(1 / scale))));
  const { columns, rows } = tileGrid(layout.stored, level);
  for (const place of placesIn({ level, tiles: { left: 0, top: 0, right: columns, bottom: rows } })) {
    const tile = await picture.read(place);
    target.save();
    target.transform(...chained(toPicture(layout), [2 ** level, 0, 0, 2 ** level, 0, 0]));
    target.drawImage(tile, place.column * tileSide, place.row * tileSide);
    target.restore();
    tile.close();
  }
}

function placesIn({ level, tiles }: Drawn): TilePlace[] {
  const places: TilePlace[] = [];
  for (let row = tiles.top; row < tiles.bottom; row += 1) {
    for (let column = tiles.left; column < tiles.right; column += 1) places.push({ level, column, row });
  }
  return places;
}

const holds = ({ level, tiles }: Drawn, place: TilePlace): boolean =>
  place.level === level &&
  place.column >= tiles.left &&
  place.column < tiles.right &&
  place.row >= tiles.top &&
  place.row < tiles.bottom;

const distance = ({ column, row }: TilePlace, { x, y }: { readonly x: number; readonly y: number }): number =>
  Math.hypot(column + 0.5 - x, row + 0.5 - y);
