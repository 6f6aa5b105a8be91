import { colorChannels } from '../appearance.ts';
import type { Box, Size } from '../types.ts';

export interface Chip {
  readonly text: string;
  readonly color: string;
  /** Where the shape is, screen pixels. */
  readonly box: Box;
  readonly locked?: boolean;
}

type Target = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

export const chipFont = '600 12px system-ui, "Segoe UI", Roboto, sans-serif';
const heightPx = 18;
const paddingPx = 5;

/**
 * Small name plates above the top left of their shapes, kept inside the host. The transform has to be that of screen
 * pixels. Text is black or white, whichever reads better on the shape's colour.
 */
export function paintChips(target: Target, chips: readonly Chip[], host: Size): void {
  target.font = chipFont;
  target.textBaseline = 'middle';
  target.textAlign = 'left';
  for (const chip of chips) {
    const text = chip.locked === true ? `${chip.text} 🔒` : chip.text;
    if (text === '') continue;
    const width = target.measureText(text).width + 2 * paddingPx;
    const left = Math.round(Math.min(Math.max(chip.box.left, 0), Math.max(0, host.width - width)));
    const above = chip.box.top - heightPx - 2;
    const top = Math.round(Math.min(Math.max(above, 0), Math.max(0, host.height - heightPx)));
    target.fillStyle = chip.color;
    target.beginPath();
    target.roundRect(left, top, width, heightPx, 4);
    target.fill();
    target.fillStyle = isLight(chip.color) ? '#10151c' : '#ffffff';
    target.fillText(text, left + paddingPx, top + heightPx / 2 + 0.5);
  }
}

/** Relative luminance above which black text has the better contrast. */
function isLight(color: string): boolean {
  const [red, green, blue] = colorChannels(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0) > 0.179;
}
