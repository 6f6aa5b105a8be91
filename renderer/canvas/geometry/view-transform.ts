import type { Box, Point, Size, View, ViewRotation } from '../types.ts';
import { mapPoint, type Matrix } from './affine.ts';
import { boxCentre, boxHeight, boxOfCorners, boxWidth, growBox } from './box.ts';

/** Shows an image of 65,000 pixels, the maximum of a JPEG, completely. */
const minScale = 0.01;
const maxScale = 40;

export const clampScale = (scale: number): number => Math.min(maxScale, Math.max(minScale, scale));

const turns: Record<ViewRotation, readonly [number, number]> = { 0: [1, 0], 90: [0, 1], 180: [-1, 0], 270: [0, -1] };

/** Image pixels to screen pixels. */
export function viewMatrix(view: View): Matrix {
  const [cosine, sine] = turns[view.rotation];
  const { scale } = view;
  return [cosine * scale, sine * scale, -sine * scale, cosine * scale, view.offsetX, view.offsetY];
}

export function imageToScreen(view: View, point: Point): Point {
  return mapPoint(viewMatrix(view), point.x, point.y);
}

export function screenToImage(view: View, point: Point): Point {
  const [cosine, sine] = turns[view.rotation];
  const x = (point.x - view.offsetX) / view.scale;
  const y = (point.y - view.offsetY) / view.scale;
  return { x: cosine * x + sine * y, y: cosine * y - sine * x };
}

export function imageBoxToScreen(view: View, box: Box): Box {
  return boxOfCorners(
    imageToScreen(view, { x: box.left, y: box.top }),
    imageToScreen(view, { x: box.right, y: box.bottom }),
  );
}

export function screenBoxToImage(view: View, box: Box): Box {
  return boxOfCorners(
    screenToImage(view, { x: box.left, y: box.top }),
    screenToImage(view, { x: box.right, y: box.bottom }),
  );
}

/** The view with `image` under `screen`. */
function anchored(view: View, image: Point, screen: Point): View {
  const now = imageToScreen(view, image);
  return { ...view, offsetX: view.offsetX + screen.x - now.x, offsetY: view.offsetY + screen.y - now.y };
}

/** Zooms with a fixed image point under `at`. */
export function zoomedView(view: View, scale: number, at: Point): View {
  return anchored({ ...view, scale: clampScale(scale) }, screenToImage(view, at), at);
}

/** Fits `box` into the host with a margin of `marginPx` screen pixels. */
export function viewOfBox(box: Box, host: Size, rotation: ViewRotation, marginPx: number): View {
  const turned = rotation === 90 || rotation === 270;
  const width = Math.max(turned ? boxHeight(box) : boxWidth(box), 1e-6);
  const height = Math.max(turned ? boxWidth(box) : boxHeight(box), 1e-6);
  const fit = Math.min(
    Math.max(host.width - 2 * marginPx, 1) / width,
    Math.max(host.height - 2 * marginPx, 1) / height,
  );
  const view: View = { scale: clampScale(fit), offsetX: 0, offsetY: 0, rotation };
  return anchored(view, boxCentre(box), { x: host.width / 2, y: host.height / 2 });
}

export function rotatedView(view: View, quarter: 1 | -1, host: Size): View {
  const middle = { x: host.width / 2, y: host.height / 2 };
  const order: readonly ViewRotation[] = [0, 90, 180, 270];
  const rotation = order[(order.indexOf(view.rotation) + quarter + 4) % 4] ?? 0;
  return anchored({ ...view, rotation }, screenToImage(view, middle), middle);
}

/** Keeps at least `keepPx` of the image in the host, so that users can find it again. */
export function heldView(view: View, image: Size, host: Size, keepPx: number): View {
  const shown = imageBoxToScreen(view, { left: 0, top: 0, right: image.width, bottom: image.height });
  const reach = growBox({ left: 0, top: 0, right: host.width, bottom: host.height }, -keepPx);
  const dx =
    shown.right < reach.left ? reach.left - shown.right : shown.left > reach.right ? reach.right - shown.left : 0;
  const dy =
    shown.bottom < reach.top ? reach.top - shown.bottom : shown.top > reach.bottom ? reach.bottom - shown.top : 0;
  return dx === 0 && dy === 0 ? view : { ...view, offsetX: view.offsetX + dx, offsetY: view.offsetY + dy };
}

/** Offset and scale of a bitmap drawn for `from` when shown in `to` (same rotation). */
export function bitmapTransform(from: View, to: View): { scale: number; x: number; y: number } {
  const scale = to.scale / from.scale;
  return { scale, x: to.offsetX - from.offsetX * scale, y: to.offsetY - from.offsetY * scale };
}
