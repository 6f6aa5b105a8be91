import { keyframesOf } from '../../../../canvas/tracks/track-edits.ts';
import type { TrackRecord } from '../../../../canvas/types.ts';
import {
  isOutAt,
  rowHeightPx,
  rulerHeightPx,
  rulerStep,
  runsOf,
  spansOf,
  xOf,
  type FrameRange,
  type TimeView,
} from './timeline-view.ts';

/** Stateless drawing of the timeline, one call per repaint. */

const headHeightPx = rulerHeightPx + 20;
const barHeightPx = 10;
const diamondPx = 4;

export interface Palette {
  readonly surface: string;
  readonly line: string;
  readonly strong: string;
  readonly text: string;
  readonly dimmed: string;
  readonly selected: string;
  readonly hover: string;
  readonly accent: string;
}

const palettes = new Map<string | null, Palette>();

/** Colours of the current theme, read once each because reading forces a layout. */
export function paletteOf(element: Element): Palette {
  const theme = element.ownerDocument.documentElement.getAttribute('data-mantine-color-scheme');
  const palette = palettes.get(theme) ?? readPalette(element);
  palettes.set(theme, palette);
  return palette;
}

function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  return {
    surface: color('--limner-surface'),
    line: color('--limner-line'),
    strong: color('--limner-line-strong'),
    text: color('--mantine-color-text'),
    dimmed: color('--mantine-color-dimmed'),
    selected: color('--limner-selected'),
    hover: color('--limner-hover'),
    accent: color('--mantine-primary-color-filled'),
  };
}

export interface Scene {
  readonly view: TimeView;
  readonly range: FrameRange;
  readonly frame: number;
  readonly width: number;
  readonly palette: Palette;
  readonly deleted: ReadonlySet<number>;
}

const font = (size: number, weight = 400): string => `${weight} ${size}px 'Inter Variable', sans-serif`;

function paintDeleted(context: CanvasRenderingContext2D, scene: Scene, top: number, height: number): void {
  const { view, deleted, palette, width } = scene;
  const runs = runsOf(deleted).flatMap(({ from, to }) => {
    const [left, right] = [xOf(view, from - 0.5), xOf(view, to + 0.5)];
    return right < 0 || left > width ? [] : [{ left, wide: Math.max(2, right - left) }];
  });
  if (runs.length === 0) return;
  context.save();
  context.beginPath();
  for (const { left, wide } of runs) context.rect(left, top, wide, height);
  context.fillStyle = palette.strong;
  context.globalAlpha = 0.35;
  context.fill();
  context.clip();
  context.globalAlpha = 1;
  context.strokeStyle = palette.strong;
  context.lineWidth = 1.5;
  context.beginPath();
  for (const { left, wide } of runs) {
    const [start, end] = [Math.max(left, 0), Math.min(left + wide, width)];
    // A fixed grid for all runs keeps lines steady while the view moves frame by frame.
    for (let x = Math.floor((start - height) / 6) * 6; x < end; x += 6) {
      context.moveTo(x, top + height);
      context.lineTo(x + height, top);
    }
  }
  context.stroke();
  context.restore();
}

/** Ruler with the frame's number, and the number of tracks per frame below. */
export function paintHead(
  context: CanvasRenderingContext2D,
  scene: Scene,
  density: Uint32Array,
  marks: readonly { readonly x: number }[],
): void {
  const { view, range, frame, width, palette } = scene;
  context.clearRect(0, 0, width, headHeightPx);
  const now = xOf(view, frame);
  const step = rulerStep(view.scale);
  context.font = font(11);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = palette.dimmed;
  const end = Math.min(range.last, view.from + width / view.scale);
  for (let mark = Math.ceil(view.from / step) * step; mark <= end; mark += step) {
    const x = xOf(view, mark);
    if (Math.abs(x - now) < 30 || marks.some((one) => Math.abs(one.x - x) < 20)) continue;
    const half = context.measureText(String(mark)).width / 2 + 2;
    context.fillText(String(mark), Math.min(Math.max(x, half), width - half), rulerHeightPx / 2);
  }
  const most = density.reduce((a, b) => Math.max(a, b), 1);
  const yOf = (count: number): number => headHeightPx - 2 - (count / most) * 14;
  context.beginPath();
  context.moveTo(0, headHeightPx);
  for (let x = 0; x <= width; x += 1) {
    const at = Math.floor(view.from + x / view.scale) - range.first;
    // Of several frames in one pixel, the highest count is drawn.
    const next = Math.max(at + 1, Math.floor(view.from + (x + 1) / view.scale) - range.first);
    context.lineTo(x, yOf(density.subarray(Math.max(0, at), next).reduce((a, b) => Math.max(a, b), 0)));
  }
  context.lineTo(width, headHeightPx);
  context.fillStyle = palette.accent;
  context.globalAlpha = 0.3;
  context.fill();
  context.globalAlpha = 0.8;
  context.strokeStyle = palette.accent;
  context.lineWidth = 1.5;
  context.stroke();
  context.globalAlpha = 1;
  paintDeleted(context, scene, rulerHeightPx, headHeightPx - rulerHeightPx);
  const text = String(frame);
  context.font = font(11, 600);
  const wide = context.measureText(text).width + 12;
  const isInView = now >= 0 && now <= width;
  const middle = isInView ? Math.min(Math.max(now, wide / 2), width - wide / 2) : now;
  context.fillStyle = palette.accent;
  context.beginPath();
  context.roundRect(middle - wide / 2, 2, wide, 18, 4);
  context.fill();
  context.fillRect(now - 0.75, 20, 1.5, headHeightPx - 20);
  context.fillStyle = '#ffffff';
  context.fillText(text, middle, 11.5);
}

export interface Row {
  readonly track: TrackRecord;
  readonly color: string;
  readonly isSelected: boolean;
  readonly isHovered: boolean;
  /** The selected keyframe, if it belongs to this track. */
  readonly chosen: number | null;
}

function traceDiamond(path: Path2D, x: number, y: number): void {
  path.moveTo(x, y - diamondPx - 0.5);
  path.lineTo(x + diamondPx + 0.5, y);
  path.lineTo(x, y + diamondPx + 0.5);
  path.lineTo(x - diamondPx - 0.5, y);
  path.closePath();
}

function paintRing(context: CanvasRenderingContext2D, x: number, y: number, color: string): void {
  context.strokeStyle = color;
  context.beginPath();
  context.arc(x, y, diamondPx + 4.5, 0, Math.PI * 2);
  context.stroke();
}

function paintLife(context: CanvasRenderingContext2D, row: Row, scene: Scene, middle: number): void {
  const { view, range, palette, deleted } = scene;
  const edge = (frame: number): number => xOf(view, frame - 0.5);
  for (const { from, to, state } of spansOf(row.track, range.last, deleted)) {
    const [left, right] = [edge(from), edge(to + 1)];
    if (right < 0 || left > scene.width) continue;
    if (state === 'outside') {
      context.strokeStyle = palette.strong;
      context.lineWidth = 1.5;
      context.setLineDash([3, 3]);
      context.beginPath();
      context.moveTo(left, middle);
      context.lineTo(right, middle);
      context.stroke();
      context.setLineDash([]);
      continue;
    }
    context.fillStyle = row.color;
    context.globalAlpha = state === 'occluded' ? 0.28 : 0.5;
    context.beginPath();
    context.roundRect(left, middle - barHeightPx / 2, Math.max(1, right - left), barHeightPx, 3);
    context.fill();
    context.globalAlpha = 1;
    if (state === 'occluded') paintHatching(context, row.color, left, right, middle);
  }
}

function paintHatching(
  context: CanvasRenderingContext2D,
  color: string,
  left: number,
  right: number,
  middle: number,
): void {
  context.save();
  context.beginPath();
  context.rect(left, middle - barHeightPx / 2, right - left, barHeightPx);
  context.clip();
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.beginPath();
  const start = Math.max(left - barHeightPx, -barHeightPx);
  for (let x = start; x < Math.min(right, context.canvas.width); x += 6) {
    context.moveTo(x, middle + barHeightPx / 2);
    context.lineTo(x + barHeightPx / 2, middle - barHeightPx / 2);
  }
  context.stroke();
  context.restore();
}

/** Draws a row with one path per style. */
function paintKeyframes(context: CanvasRenderingContext2D, row: Row, scene: Scene, middle: number): void {
  const { view, range, frame: now, palette, width, deleted } = scene;
  const looks = { full: new Path2D(), hollow: new Path2D(), now: new Path2D() };
  let before = -Infinity;
  context.lineWidth = 1.5;
  context.fillStyle = row.color;
  for (const frame of keyframesOf(row.track)) {
    const x = xOf(view, frame);
    if (x < -diamondPx || x > width + diamondPx) continue;
    // Too close to be distinguishable.
    if (x - before < 3 && frame !== now && row.chosen !== frame) {
      context.fillRect(before, middle - diamondPx, x - before + 1, diamondPx * 2);
      before = x;
      continue;
    }
    before = x;
    const isHollow = frame !== now && isOutAt(row.track, frame, range.last, deleted);
    traceDiamond(frame === now ? looks.now : isHollow ? looks.hollow : looks.full, x, middle);
  }
  context.fill(looks.full);
  context.strokeStyle = palette.surface;
  context.stroke(looks.full);
  context.strokeStyle = row.color;
  context.stroke(looks.hollow);
  context.fillStyle = '#ffffff';
  context.fill(looks.now);
  context.strokeStyle = palette.accent;
  context.stroke(looks.now);
  if (row.chosen !== null) paintRing(context, xOf(view, row.chosen), middle, palette.accent);
}

/** Draws the visible rows; `top` is the offset of the first. */
export function paintRows(
  context: CanvasRenderingContext2D,
  rows: readonly Row[],
  top: number,
  height: number,
  scene: Scene,
): void {
  const { width, palette, view, frame } = scene;
  context.clearRect(0, 0, width, height);
  rows.forEach((row, index) => {
    const y = top + index * rowHeightPx;
    if (row.isSelected || row.isHovered) {
      context.fillStyle = row.isSelected ? palette.selected : palette.hover;
      context.fillRect(0, y, width, rowHeightPx);
    }
    context.fillStyle = palette.line;
    context.fillRect(0, y + rowHeightPx - 1, width, 1);
    paintLife(context, row, scene, y + rowHeightPx / 2);
    paintKeyframes(context, row, scene, y + rowHeightPx / 2);
  });
  paintDeleted(context, scene, 0, height);
  context.fillStyle = palette.accent;
  context.fillRect(xOf(view, frame) - 0.75, 0, 1.5, height);
}
