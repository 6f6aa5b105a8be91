import {
  clampScale,
  heldView,
  imageToScreen,
  rotatedView,
  screenToImage,
  viewOfBox,
  zoomedView,
} from './geometry/view-transform.ts';
import type { Box, Point, Size, View } from './types.ts';

/** Margin around a fitted image or a zoomed box, screen pixels. */
const fitMarginPx = 16;
const boxMarginPx = 64;
const keepInViewPx = 48;

/** Position of the image in the host. Every change is reported once. */
export function createViewControl(onChange: (view: View) => void) {
  let view: View = { scale: 1, offsetX: 0, offsetY: 0, rotation: 0 };
  let host: Size = { width: 1, height: 1 };
  let image: Size = { width: 1, height: 1 };
  /** True if the view is unchanged since the last fit; it stays fitted when the host changes. */
  let isFitted = true;

  const change = (next: View): void => {
    const held = heldView(next, image, host, Math.min(keepInViewPx, host.width / 3, host.height / 3));
    if (
      held.scale === view.scale &&
      held.offsetX === view.offsetX &&
      held.offsetY === view.offsetY &&
      held.rotation === view.rotation
    ) {
      return;
    }
    view = held;
    onChange(view);
  };
  const fitted = ({ width, height }: Size): View => {
    const box = { left: 0, top: 0, right: width, bottom: height };
    return viewOfBox(box, host, view.rotation, Math.min(fitMarginPx, host.width / 10, host.height / 10));
  };
  const isShown = (size: Size): boolean => size.width === image.width && size.height === image.height;
  const fit = (): void => {
    change(fitted(image));
    isFitted = true;
  };
  const moveView = (next: View): void => {
    isFitted = false;
    change(next);
  };
  const middle = (): Point => ({ x: host.width / 2, y: host.height / 2 });

  return {
    get: () => view,
    host: () => host,
    image: () => image,
    set: (next: View) => moveView({ ...next, scale: clampScale(next.scale) }),
    setHost(size: Size) {
      if (size.width === host.width && size.height === host.height) return;
      host = size;
      if (isFitted) fit();
      else change(view);
    },
    /** Fits the image if its size changed. */
    setImage(size: Size) {
      if (isShown(size)) return;
      image = size;
      fit();
    },
    /** The view after `setImage` with an image of this size. */
    viewOf: (size: Size): View => (isShown(size) ? view : fitted(size)),
    fit,
    zoomTo: (box: Box) => moveView(viewOfBox(box, host, view.rotation, boxMarginPx)),
    zoomBy: (factor: number, at: Point = middle()) => moveView(zoomedView(view, view.scale * factor, at)),
    panBy: (deltaX: number, deltaY: number) =>
      moveView({ ...view, offsetX: view.offsetX + deltaX, offsetY: view.offsetY + deltaY }),
    rotate(direction: 'clockwise' | 'counterclockwise') {
      const wasFitted = isFitted;
      moveView(rotatedView(view, direction === 'clockwise' ? 1 : -1, host));
      if (wasFitted) fit();
    },
    reveal(box: Box) {
      const a = imageToScreen(view, { x: box.left, y: box.top });
      const b = imageToScreen(view, { x: box.right, y: box.bottom });
      const dx = shiftInto(Math.min(a.x, b.x), Math.max(a.x, b.x), host.width);
      const dy = shiftInto(Math.min(a.y, b.y), Math.max(a.y, b.y), host.height);
      if (dx !== 0 || dy !== 0) moveView({ ...view, offsetX: view.offsetX + dx, offsetY: view.offsetY + dy });
    },
    toImage: (screen: Point) => screenToImage(view, screen),
    toScreen: (point: Point) => imageToScreen(view, point),
  };
}

export type ViewControl = ReturnType<typeof createViewControl>;

/**
 * Shift that brings low…high into 0…limit with a margin; a range that is too long is centred if its centre is not
 * visible.
 */
function shiftInto(low: number, high: number, limit: number): number {
  const margin = Math.min(24, limit / 8);
  if (high - low > limit - 2 * margin) {
    const centre = (low + high) / 2;
    return centre >= 0 && centre <= limit ? 0 : limit / 2 - centre;
  }
  if (low < margin) return margin - low;
  return high > limit - margin ? limit - margin - high : 0;
}
