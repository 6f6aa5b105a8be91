import { boxOfCorners, growBox, intersectBoxes, isEmptyBox } from '../geometry/box.ts';
import { bitmapTransform, imageBoxToScreen, screenBoxToImage, viewMatrix } from '../geometry/view-transform.ts';
import type { Box, Size, View } from '../types.ts';
import { createCanvasElement } from './canvas-element.ts';

/**
 * A canvas somewhat larger than the host that is drawn for one view and then moved and scaled by CSS while the view
 * changes: a step of panning costs the same whatever the number of shapes.
 */
export interface MovingCanvas {
  readonly element: HTMLCanvasElement;
  resize(size: Size, ratio: number): void;
  /** Puts the bitmap where it belongs in `view`. False: it has to be drawn again now (another rotation). */
  follow(view: View): boolean;
  /** The view that the bitmap was drawn for. */
  drawnView(): View;
  /** Clears, sets the transform to image coordinates of `view`, calls `paint` with the visible part of the image. */
  draw(view: View, paint: (context: CanvasRenderingContext2D, region: Box) => void): void;
  /** The same for the part of the bitmap that covers `box` (image coordinates) and `paddingPx` around it. */
  drawPart(box: Box, paddingPx: number, paint: (context: CanvasRenderingContext2D, region: Box) => void): void;
  show(isShown: boolean): void;
  remove(): void;
}

/** Part of the host's size that is drawn beyond each edge. */
const overscan = 0.15;

export function createMovingCanvas(host: HTMLElement, name: string): MovingCanvas {
  const canvas = createCanvasElement(host, name);
  const { element, context } = canvas;
  let size: Size = { width: 1, height: 1 };
  let ratio = 1;
  let drawn: View = { scale: 1, offsetX: 0, offsetY: 0, rotation: 0 };
  let marginX = 0;
  let marginY = 0;

  const place = (view: View): void => {
    const { scale, x, y } = bitmapTransform(drawn, view);
    const shiftX = x - marginX * scale;
    const shiftY = y - marginY * scale;
    element.style.transform = `translate(${shiftX}px, ${shiftY}px) scale(${scale})`;
  };
  const useImageCoordinates = (): void => {
    const [a, b, c, d, e, f] = viewMatrix(drawn);
    context.setTransform(a * ratio, b * ratio, c * ratio, d * ratio, (e + marginX) * ratio, (f + marginY) * ratio);
  };
  const bitmapBox = (): Box => ({ left: 0, top: 0, right: element.width, bottom: element.height });
  /** Device pixels of the bitmap to image coordinates. */
  const imageBoxOf = (pixels: Box): Box =>
    screenBoxToImage(drawn, {
      left: pixels.left / ratio - marginX,
      top: pixels.top / ratio - marginY,
      right: pixels.right / ratio - marginX,
      bottom: pixels.bottom / ratio - marginY,
    });
  const paintWithin = (pixels: Box, paint: (context: CanvasRenderingContext2D, region: Box) => void): void => {
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.beginPath();
    context.rect(pixels.left, pixels.top, pixels.right - pixels.left, pixels.bottom - pixels.top);
    context.clip();
    context.clearRect(pixels.left, pixels.top, pixels.right - pixels.left, pixels.bottom - pixels.top);
    useImageCoordinates();
    paint(context, imageBoxOf(pixels));
    context.restore();
  };

  return {
    element,
    resize(given, givenRatio) {
      size = given;
      ratio = givenRatio;
      marginX = Math.round(size.width * overscan);
      marginY = Math.round(size.height * overscan);
      canvas.resize({ width: size.width + 2 * marginX, height: size.height + 2 * marginY }, ratio);
    },
    follow(view) {
      if (view.rotation !== drawn.rotation) return false;
      place(view);
      return true;
    },
    drawnView: () => drawn,
    draw(view, paint) {
      drawn = view;
      paintWithin(bitmapBox(), paint);
      place(view);
    },
    drawPart(box, paddingPx, paint) {
      const screen = growBox(imageBoxToScreen(drawn, box), paddingPx);
      const pixels = intersectBoxes(
        boxOfCorners(
          { x: Math.floor((screen.left + marginX) * ratio), y: Math.floor((screen.top + marginY) * ratio) },
          { x: Math.ceil((screen.right + marginX) * ratio), y: Math.ceil((screen.bottom + marginY) * ratio) },
        ),
        bitmapBox(),
      );
      if (!isEmptyBox(pixels)) paintWithin(pixels, paint);
    },
    show(isShown) {
      element.style.display = isShown ? '' : 'none';
    },
    remove: canvas.remove,
  };
}
