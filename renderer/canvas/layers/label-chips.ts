import { colorChannels } from '../appearance.ts';
import { growBox } from '../geometry/box.ts';
import { imageBoxToScreen } from '../geometry/view-transform.ts';
import { dotRadiusPx } from '../shapes/points.ts';
import { boundsOf } from '../shapes/shape-behaviours.ts';
import type { Box, ShapeRecord, Size, View } from '../types.ts';

export interface Chip {
  readonly text: string;
  readonly color: string;
  /** Bounds of the shape, screen pixels. */
  readonly box: Box;
  readonly locked?: boolean;
  /** The chip ends at the box's left instead of starting there. */
  readonly before?: boolean;
  /** The shape's handles are shown, which the chip must not cover. */
  readonly handled?: boolean;
}

type Target = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const chipFont = '600 12px "Inter Variable", system-ui, "Segoe UI", Roboto, sans-serif';
const heightPx = 18;
const paddingPx = 5;

/**
 * Name chips above the top left of their shapes, kept inside the host if one is given. The transform must be that of
 * screen pixels. Text is black or white, by contrast with the shape's colour.
 */
export function paintChips(target: Target, chips: readonly Chip[], host: Size | null): void {
  target.font = chipFont;
  target.textBaseline = 'middle';
  target.textAlign = 'left';
  for (const chip of chips) {
    const { text } = chip;
    if (text === '') continue;
    const textWidth = target.measureText(text).width;
    const width = textWidth + 2 * paddingPx + (chip.locked === true ? lockWidthPx : 0);
    const start = chip.before === true ? chip.box.left - width : chip.box.left;
    const left = Math.round(keepWithin(start, host === null ? null : host.width - width));
    const above = plateTop(chip, width);
    const top = Math.round(keepWithin(above, host === null ? null : host.height - heightPx));
    target.fillStyle = chip.color;
    target.beginPath();
    target.roundRect(left, top, width, heightPx, 4);
    target.fill();
    target.fillStyle = isLight(chip.color) ? '#10151c' : '#ffffff';
    target.fillText(text, left + paddingPx, top + heightPx / 2 + 0.5);
    if (chip.locked === true) paintLock(target, left + paddingPx + textWidth + 5, top + 4);
  }
}

/** The rotation knob is above the centre of the box, so a chip that would reach it moves below. */
function plateTop({ box, handled = false }: Chip, width: number): number {
  if (!handled) return box.top - heightPx - 2;
  return width + 12 < (box.right - box.left) / 2 ? box.top - heightPx - 8 : box.bottom + 8;
}

/** Includes the dots, which exceed the bounds of points. */
export function chipBox(shape: ShapeRecord, view: View): Box {
  const box = imageBoxToScreen(view, boundsOf(shape));
  return shape.type === 'points' || shape.type === 'skeleton' ? growBox(box, dotRadiusPx + 2) : box;
}

const lockWidthPx = 14;

/** A padlock in the text's colour, 9 pixels wide. */
function paintLock(target: Target, left: number, top: number): void {
  target.fillRect(left, top + 4, 9, 6);
  target.strokeStyle = target.fillStyle;
  target.lineWidth = 1.5;
  target.beginPath();
  target.arc(left + 4.5, top + 4, 2.75, Math.PI, 0);
  target.stroke();
}

const keepWithin = (value: number, limit: number | null): number =>
  limit === null ? value : Math.min(Math.max(value, 0), Math.max(0, limit));

/** Relative luminance above which black text has the better contrast. */
function isLight(color: string): boolean {
  const [red, green, blue] = colorChannels(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0) > 0.179;
}
