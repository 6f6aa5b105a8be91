import { boxOfCorners, growBox, intersectBoxes, isEmptyBox } from '../geometry/box.ts';
import { bitmapTransform, imageBoxToScreen, screenBoxToImage, viewMatrix } from '../geometry/view-transform.ts';
import type { Box, Size, View } from '../types.ts';
import { createCanvasElement, type CanvasElement } from './canvas-element.ts';

/** `region` is the part of the image to draw; the context's transform is that of image coordinates. */
export type Paint = (context: CanvasRenderingContext2D, region: Box) => void;

/** Share of the host's size that is drawn beyond each edge. */
const overscan = 0.15;

interface Sheet {
  readonly canvas: CanvasElement;
  view: View;
}

const firstView: View = { scale: 1, offsetX: 0, offsetY: 0, rotation: 0 };

/**
 * A canvas somewhat larger than the host, drawn for one view and then moved and scaled by CSS. So the cost of a pan
 * step does not depend on the number of shapes.
 */
export function createMovingCanvas(host: HTMLElement, name: string) {
  let front: Sheet = { canvas: createCanvasElement(host, name), view: firstView };
  let back: Sheet | null = null;
  let size: Size = { width: 1, height: 1 };
  let ratio = 1;
  const margin = { x: 0, y: 0 };

  const fitSheet = ({ canvas }: Sheet): void =>
    void canvas.resize({ width: size.width + 2 * margin.x, height: size.height + 2 * margin.y }, ratio);
  const place = (sheet: Sheet, view: View): void => {
    const { scale, x, y } = bitmapTransform(sheet.view, view);
    const shiftX = x - margin.x * scale;
    const shiftY = y - margin.y * scale;
    sheet.canvas.element.style.transform = `translate(${shiftX}px, ${shiftY}px) scale(${scale})`;
  };
  const wholeOf = ({ canvas: { element } }: Sheet): Box => ({
    left: 0,
    top: 0,
    right: element.width,
    bottom: element.height,
  });
  /** `pixels` are bitmap coordinates. */
  const paintWithin = (sheet: Sheet, pixels: Box, isCleared: boolean, paint: Paint): void => {
    const { context } = sheet.canvas;
    const [a, b, c, d, e, f] = viewMatrix(sheet.view);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.beginPath();
    context.rect(pixels.left, pixels.top, pixels.right - pixels.left, pixels.bottom - pixels.top);
    context.clip();
    if (isCleared) {
      context.clearRect(pixels.left, pixels.top, pixels.right - pixels.left, pixels.bottom - pixels.top);
    }
    context.setTransform(a * ratio, b * ratio, c * ratio, d * ratio, (e + margin.x) * ratio, (f + margin.y) * ratio);
    const screen = {
      left: pixels.left / ratio - margin.x,
      top: pixels.top / ratio - margin.y,
      right: pixels.right / ratio - margin.x,
      bottom: pixels.bottom / ratio - margin.y,
    };
    paint(context, screenBoxToImage(sheet.view, screen));
    context.restore();
  };
  const backSheet = (): Sheet => {
    if (back !== null) return back;
    back = { canvas: createCanvasElement(host, name), view: firstView };
    front.canvas.element.after(back.canvas.element);
    back.canvas.element.style.display = 'none';
    fitSheet(back);
    return back;
  };

  return {
    resize(given: Size, givenRatio: number) {
      size = given;
      ratio = givenRatio;
      margin.x = Math.round(size.width * overscan);
      margin.y = Math.round(size.height * overscan);
      fitSheet(front);
      if (back !== null) fitSheet(back);
    },
    /** Moves the bitmap to its position in `view`. False if it has to be redrawn (another rotation). */
    follow(view: View): boolean {
      if (view.rotation !== front.view.rotation) return false;
      place(front, view);
      return true;
    },
    drawnView: () => front.view,
    draw(view: View, paint: Paint) {
      front.view = view;
      paintWithin(front, wholeOf(front), true, paint);
      place(front, view);
    },
    drawMore: (paint: Paint) => paintWithin(front, wholeOf(front), false, paint),
    /** Redraws the part of the bitmap that covers `box` (image coordinates) with a margin of `paddingPx`. */
    drawPart(box: Box, paddingPx: number, paint: Paint) {
      const screen = growBox(imageBoxToScreen(front.view, box), paddingPx);
      const pixels = intersectBoxes(
        boxOfCorners(
          { x: Math.floor((screen.left + margin.x) * ratio), y: Math.floor((screen.top + margin.y) * ratio) },
          { x: Math.ceil((screen.right + margin.x) * ratio), y: Math.ceil((screen.bottom + margin.y) * ratio) },
        ),
        wholeOf(front),
      );
      if (!isEmptyBox(pixels)) paintWithin(front, pixels, true, paint);
    },
    /** A second bitmap that is drawn piece by piece and then replaces the visible one. */
    back: {
      draw(view: View, paint: Paint) {
        const sheet = backSheet();
        sheet.view = view;
        paintWithin(sheet, wholeOf(sheet), true, paint);
      },
      drawMore(paint: Paint) {
        const sheet = backSheet();
        paintWithin(sheet, wholeOf(sheet), false, paint);
      },
      /** Shows what is drawn so far, for the view of the visible bitmap. */
      copyToFront() {
        const { context } = front.canvas;
        context.save();
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.globalCompositeOperation = 'copy';
        context.drawImage(backSheet().canvas.element, 0, 0);
        context.restore();
      },
      show(view: View) {
        const next = backSheet();
        back = front;
        front = next;
        place(front, view);
        front.canvas.element.style.display = back.canvas.element.style.display;
        back.canvas.element.style.display = 'none';
      },
    },
    show(isShown: boolean) {
      front.canvas.element.style.display = isShown ? '' : 'none';
    },
    remove() {
      front.canvas.remove();
      back?.canvas.remove();
    },
  };
}
