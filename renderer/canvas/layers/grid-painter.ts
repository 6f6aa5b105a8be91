import { withAlpha } from '../appearance.ts';
import { intersectBoxes, isEmptyBox } from '../geometry/box.ts';
import type { Appearance, Box, Size } from '../types.ts';

/** Lines nearer than this would be a grey veil, screen pixels. */
const smallestSpacingPx = 5;

/** Lines over the image at whole multiples of the spacing, image coordinates. `pixel`: image pixels per screen pixel. */
export function paintGrid(
  target: CanvasRenderingContext2D,
  grid: NonNullable<Appearance['grid']>,
  image: Size,
  region: Box,
  pixel: number,
): void {
  const area = intersectBoxes(region, { left: 0, top: 0, right: image.width, bottom: image.height });
  if (isEmptyBox(area) || grid.sizePx / pixel < smallestSpacingPx) return;
  target.save();
  target.beginPath();
  for (let x = Math.ceil(area.left / grid.sizePx) * grid.sizePx; x <= area.right; x += grid.sizePx) {
    target.moveTo(x, area.top);
    target.lineTo(x, area.bottom);
  }
  for (let y = Math.ceil(area.top / grid.sizePx) * grid.sizePx; y <= area.bottom; y += grid.sizePx) {
    target.moveTo(area.left, y);
    target.lineTo(area.right, y);
  }
  target.lineWidth = pixel;
  target.strokeStyle = withAlpha(grid.color, grid.opacity);
  target.stroke();
  target.restore();
}
