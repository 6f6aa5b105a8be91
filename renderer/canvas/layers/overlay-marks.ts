import { boxCorners, boxHeight, boxWidth } from '../geometry/box.ts';
import { imageBoxToScreen, imageToScreen } from '../geometry/view-transform.ts';
import type { ToolView } from '../tools/tool.ts';
import type { TrackPath } from '../tracks/track-path.ts';
import type { Box, Point, Prompts, View } from '../types.ts';

type Target = CanvasRenderingContext2D;

const darkEdge = 'rgba(0, 0, 0, 0.6)';
const pathDiamondPx = 4.5;

export function paintDashedRing(target: Target, corners: readonly Point[]): void {
  target.lineWidth = 1;
  for (const [dash, color] of [
    [[], darkEdge],
    [[5, 4], '#ffffff'],
  ] as const) {
    target.beginPath();
    for (const { x, y } of corners) target.lineTo(Math.round(x) + 0.5, Math.round(y) + 0.5);
    target.closePath();
    target.setLineDash(dash);
    target.strokeStyle = color;
    target.stroke();
  }
  target.setLineDash([]);
}

/** Marks in screen pixels with a dark edge for visibility on every image. */
export function paintDashedBox(target: Target, box: Box): void {
  paintDashedRing(target, boxCorners(box));
}

export function paintMarquee(target: Target, box: Box): void {
  target.fillStyle = 'rgba(255, 255, 255, 0.12)';
  target.fillRect(box.left, box.top, boxWidth(box), boxHeight(box));
  paintDashedBox(target, box);
}

function strokeRing(target: Target, at: Point, radius: number, width: number, color: string): void {
  target.beginPath();
  target.arc(at.x, at.y, Math.max(radius, 0.5), 0, Math.PI * 2);
  target.lineWidth = width;
  target.strokeStyle = color;
  target.stroke();
}

function paintDisc(target: Target, at: Point, radius: number, fill: string, edge: string): void {
  strokeRing(target, at, radius, 3, darkEdge);
  target.fillStyle = fill;
  target.fill();
  strokeRing(target, at, radius, 1.5, edge);
}

/** Marks the position where a drag or double click adds a vertex. */
export function paintNewVertex(target: Target, at: Point): void {
  paintDisc(target, at, 5.5, '#ffffff', '#2563eb');
  target.beginPath();
  target.moveTo(at.x - 3, at.y);
  target.lineTo(at.x + 3, at.y);
  target.moveTo(at.x, at.y - 3);
  target.lineTo(at.x, at.y + 3);
  target.stroke();
}

export function paintBrush(target: Target, brush: NonNullable<ToolView['brush']>, view: View, color: string): void {
  const at = imageToScreen(view, brush.at);
  const radius = (brush.diameter / 2) * view.scale;
  if (brush.form === 'circle') {
    strokeRing(target, at, radius, 3, darkEdge);
    strokeRing(target, at, radius, 1.5, color);
    return;
  }
  for (const [width, style] of [[3, darkEdge] as const, [1.5, color] as const]) {
    target.lineWidth = width;
    target.strokeStyle = style;
    target.strokeRect(at.x - radius, at.y - radius, 2 * radius, 2 * radius);
  }
}

export function paintPrompts(target: Target, { positive, negative, box }: Prompts, view: View): void {
  if (box !== null) paintDashedBox(target, imageBoxToScreen(view, box));
  for (const point of positive) paintDisc(target, imageToScreen(view, point), 6, '#22c55e', '#ffffff');
  for (const point of negative) paintDisc(target, imageToScreen(view, point), 6, '#ef4444', '#ffffff');
}

function tracePieces(target: Target, pieces: TrackPath['behind'], view: View): void {
  target.beginPath();
  for (const piece of pieces) {
    piece.forEach((point, index) => {
      const { x, y } = imageToScreen(view, point);
      if (index === 0) target.moveTo(x, y);
      else target.lineTo(x, y);
    });
  }
}

/** Solid for past frames, dashed for future ones; a diamond per keyframe. */
export function paintTrackPath(
  target: Target,
  { behind, ahead, keyframes }: TrackPath,
  view: View,
  color: string,
): void {
  target.lineJoin = 'round';
  for (const [pieces, dash] of [
    [behind, []],
    [ahead, [5, 4]],
  ] as const) {
    tracePieces(target, pieces, view);
    target.setLineDash([...dash]);
    target.lineWidth = 3;
    target.strokeStyle = 'rgba(0, 0, 0, 0.4)';
    target.stroke();
    target.lineWidth = 1.5;
    target.strokeStyle = color;
    target.stroke();
  }
  target.setLineDash([]);
  target.beginPath();
  for (const keyframe of keyframes) {
    const { x, y } = imageToScreen(view, keyframe);
    target.moveTo(x, y - pathDiamondPx);
    target.lineTo(x + pathDiamondPx, y);
    target.lineTo(x, y + pathDiamondPx);
    target.lineTo(x - pathDiamondPx, y);
    target.closePath();
  }
  target.lineWidth = 3;
  target.strokeStyle = darkEdge;
  target.stroke();
  target.fillStyle = color;
  target.fill();
  target.lineWidth = 1;
  target.strokeStyle = '#ffffff';
  target.stroke();
}
