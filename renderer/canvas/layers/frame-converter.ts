interface Converted {
  readonly canvas: OffscreenCanvas;
  readonly context: OffscreenCanvasRenderingContext2D | null;
  frame: VideoFrame | null;
}

/** Until a repaint is over: what is likely next is no reason to hold one up. */
const patienceMs = 20;

/** Shown as it was coded: neither turned, nor with pixels that are no squares, nor cut. */
const isPlain = ({ visibleRect, displayWidth, displayHeight, rotation, flip }: TurnedFrame): boolean =>
  visibleRect?.width === displayWidth && visibleRect.height === displayHeight && !rotation && !flip;

/** Newer than the types of the page. */
type TurnedFrame = VideoFrame & { readonly rotation?: number; readonly flip?: boolean };

/**
 * Pixels of a video's frames, converted at their own size, and once. Copying them out takes less than half as long as
 * drawing a frame, and the values are the same; scaling while the colours are converted takes two to three times as long.
 */
export function createFrameConverter() {
  const place = (): Converted => {
    const canvas = new OffscreenCanvas(1, 1);
    return { canvas, context: canvas.getContext('2d', { alpha: false }), frame: null };
  };
  let [shown, next] = [place(), place()];
  /** Used again: eight megabytes for each frame of a video would be thrown away all the time. */
  let spare: ImageData | null = null;
  let running: { readonly frame: VideoFrame; readonly done: Promise<void> } | null = null;
  let waiting = 0;

  const isConverted = (frame: VideoFrame): boolean => shown.frame === frame || next.frame === frame;

  function fill(frame: VideoFrame, draw: (context: OffscreenCanvasRenderingContext2D) => void): void {
    const { displayWidth: width, displayHeight: height } = frame;
    const { canvas, context } = next;
    if (context === null) return;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    draw(context);
    next.frame = frame;
  }
  const paint = (frame: VideoFrame): void => fill(frame, (context) => context.drawImage(frame, 0, 0));

  /** Null where they have to be drawn. */
  async function copied(frame: VideoFrame): Promise<ImageData | null> {
    if (!isPlain(frame)) return null;
    const { displayWidth: width, displayHeight: height } = frame;
    const pixels = spare?.width === width && spare.height === height ? spare : new ImageData(width, height);
    spare = null;
    try {
      const planes = await frame.copyTo(pixels.data, { format: 'RGBA' });
      // An older browser (Chromium 108) ignores the format and copies the planes as they were coded.
      return planes.length === 1 && planes[0]?.stride === 4 * width ? pixels : null;
    } catch {
      // A browser that knows no other formats, or a frame that was closed meanwhile.
      return null;
    }
  }

  async function convert(frame: VideoFrame): Promise<void> {
    const pixels = await copied(frame);
    const isWanted = running?.frame === frame;
    if (isWanted) running = null;
    const isClosed = frame.displayWidth === 0;
    if (isWanted && !isClosed && !isConverted(frame)) {
      if (pixels === null) paint(frame);
      else fill(frame, (context) => context.putImageData(pixels, 0, 0));
    }
    spare ??= pixels;
  }

  /** Fulfils when the frame's pixels are there, or others are wanted. */
  function prepare(frame: VideoFrame): Promise<void> {
    cancelIdleCallback(waiting);
    if (isConverted(frame)) return Promise.resolve();
    if (running?.frame !== frame) {
      // Set before it begins: it asks whether it is still wanted.
      const { promise: done, resolve } = Promise.withResolvers<void>();
      running = { frame, done };
      void convert(frame).finally(resolve);
    }
    return running.done;
  }

  return {
    isConverted,
    prepare,
    /** Converts the frame that is likely next once there is nothing else to do. */
    prepareSoon(frame: VideoFrame): void {
      cancelIdleCallback(waiting);
      waiting = requestIdleCallback(() => void (frame.displayWidth > 0 && prepare(frame)), { timeout: patienceMs });
    },
    /** Valid until those of another frame are asked for. */
    pixelsOf(frame: VideoFrame): OffscreenCanvas {
      cancelIdleCallback(waiting);
      if (shown.frame !== frame) {
        if (next.frame !== frame) {
          running = null;
          paint(frame);
        }
        [shown, next] = [next, shown];
      }
      return shown.canvas;
    },
    close(): void {
      cancelIdleCallback(waiting);
      running = null;
    },
  };
}

export type FrameConverter = ReturnType<typeof createFrameConverter>;
