interface Converted {
  readonly canvas: OffscreenCanvas;
  readonly context: OffscreenCanvasRenderingContext2D | null;
  frame: VideoFrame | null;
}

/** Waits for the current repaint, because prefetching must not delay it. */
const patienceMs = 20;

/** Displayed as coded: without rotation, crop or non-square pixels. */
const isPlain = ({ visibleRect, displayWidth, displayHeight, rotation, flip }: TurnedFrame): boolean =>
  visibleRect?.width === displayWidth && visibleRect.height === displayHeight && !rotation && !flip;

/** Newer than the DOM types. */
type TurnedFrame = VideoFrame & { readonly rotation?: number; readonly flip?: boolean };

/**
 * Pixels of video frames, converted once at their own size. Copying them out takes less than half the time of drawing a
 * frame, with the same values; scaling during the colour conversion takes two to three times as long.
 */
export function createFrameConverter() {
  const place = (): Converted => {
    const canvas = new OffscreenCanvas(1, 1);
    return { canvas, context: canvas.getContext('2d', { alpha: false }), frame: null };
  };
  let [shown, next] = [place(), place()];
  /** Reused to avoid allocating eight megabytes for each frame. */
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

  /** Null if the frame has to be drawn instead. */
  async function copied(frame: VideoFrame): Promise<ImageData | null> {
    if (!isPlain(frame)) return null;
    const { displayWidth: width, displayHeight: height } = frame;
    const pixels = spare?.width === width && spare.height === height ? spare : new ImageData(width, height);
    spare = null;
    try {
      const planes = await frame.copyTo(pixels.data, { format: 'RGBA' });
      // An older browser (Chromium 108) ignores the format and copies the coded planes.
      return planes.length === 1 && planes[0]?.stride === 4 * width ? pixels : null;
    } catch {
      // The browser knows no other formats, or the frame was closed in the meantime.
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

  /** Resolves when the frame's pixels are ready or others are requested. */
  function prepare(frame: VideoFrame): Promise<void> {
    cancelIdleCallback(waiting);
    if (isConverted(frame)) return Promise.resolve();
    if (running?.frame !== frame) {
      // Set before the conversion starts, because it checks if it is still wanted.
      const { promise: done, resolve } = Promise.withResolvers<void>();
      running = { frame, done };
      void convert(frame).finally(resolve);
    }
    return running.done;
  }

  return {
    isConverted,
    prepare,
    prepareSoon(frame: VideoFrame): void {
      cancelIdleCallback(waiting);
      waiting = requestIdleCallback(() => void (frame.displayWidth > 0 && prepare(frame)), { timeout: patienceMs });
    },
    /** Valid until the pixels of another frame are requested. */
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
