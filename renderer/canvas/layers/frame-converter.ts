interface Converted {
  readonly canvas: OffscreenCanvas;
  frame: VideoFrame | null;
}

/**
 * Pixels of a video's frames. Converted at their own size, and once: scaling while the colours are converted takes two to
 * three times as long.
 */
export function createFrameConverter() {
  const place = (): Converted => ({ canvas: new OffscreenCanvas(1, 1), frame: null });
  let [shown, next] = [place(), place()];
  let waiting = 0;

  function convert(frame: VideoFrame): void {
    const { displayWidth: width, displayHeight: height } = frame;
    if (next.canvas.width !== width || next.canvas.height !== height) Object.assign(next.canvas, { width, height });
    next.canvas.getContext('2d', { alpha: false })?.drawImage(frame, 0, 0);
    next.frame = frame;
  }

  return {
    /** Valid until those of another frame are asked for. */
    pixelsOf(frame: VideoFrame): OffscreenCanvas {
      cancelIdleCallback(waiting);
      if (shown.frame !== frame) {
        if (next.frame !== frame) convert(frame);
        [shown, next] = [next, shown];
      }
      return shown.canvas;
    },
    /** Converts the frame that is likely next once there is nothing else to do. */
    prepare(frame: VideoFrame): void {
      cancelIdleCallback(waiting);
      waiting = requestIdleCallback(() => {
        const isClosed = frame.displayWidth === 0;
        if (!isClosed && shown.frame !== frame && next.frame !== frame) convert(frame);
      });
    },
    close(): void {
      cancelIdleCallback(waiting);
    },
  };
}
