import { boxHeight, boxWidth, growBox, intersectBoxes, isEmptyBox, boxContainsBox } from '../geometry/box.ts';
import { equalizing } from '../geometry/equalize.ts';
import { screenBoxToImage, viewMatrix } from '../geometry/view-transform.ts';
import type { Appearance, Box, ImageSource, ReducedPicture, Size, TiledPicture, View } from '../types.ts';
import { createCanvasElement } from './canvas-element.ts';
import { createToning } from './toning.ts';
import { createFrameConverter } from './frame-converter.ts';
import { createTileLayer } from './tile-layer.ts';

/** From this zoom on, single pixels are shown as squares. */
const squarePixelsFrom = 4;
/** Larger images are drawn in part: 32 million pixels are 128 MB. */
const largestBitmapPixels = 32_000_000;

interface Drawn {
  readonly region: Box;
  /** The bitmap has one pixel per 2^level image pixels. */
  readonly level: number;
}

/**
 * Levels per halving of a reduced image: it has at most 1.2 pixels per screen pixel along a side. Complete images are
 * drawn at whole levels, so that they are drawn less often.
 */
const reducedSteps = 4;

/**
 * Layer 1: the image as a bitmap that CSS moves, scales and adjusts; for a large image, an overview with tiles over it.
 */
export function createImageLayer(host: HTMLElement) {
  const { element, context, resize, remove } = createCanvasElement(host, 'image');
  const tiles = createTileLayer(host);
  const frames = createFrameConverter();
  const toning = createToning(host);
  let adjusted: Appearance | null = null;
  let image: Exclude<ImageSource, VideoFrame> | null = null;
  let size: Size = { width: 1, height: 1 };
  let hostSize: Size = { width: 1, height: 1 };
  let ratio = 1;
  let drawn: Drawn = { region: { left: 0, top: 0, right: 1, bottom: 1 }, level: 0 };
  let isSmooth = true;
  const whole = createWholeImage((bitmap) => {
    image = bitmap;
    if (lastView !== null) settle(lastView);
  });
  let lastView: View | null = null;

  const levelFor = (view: View): number => levelAt(view.scale * ratio, whole.isMissing() ? reducedSteps : 1);
  /** The finest level with about as many pixels as the bitmap, which may be smaller than its frame's nominal size. */
  const finest = (): number => (image === null ? 0 : levelOfWidths(size.width, sourceSize(image).width));
  const all = (): Box => ({ left: 0, top: 0, right: size.width, bottom: size.height });
  const visible = (view: View): Box =>
    screenBoxToImage(view, { left: 0, top: 0, right: hostSize.width, bottom: hostSize.height });
  const regionFor = (view: View, level: number): Box => regionOf(size, visible(view), level);
  const draw = (next: Drawn): void => {
    drawn = next;
    const step = 2 ** next.level;
    const width = Math.max(1, Math.round(boxWidth(next.region) / step));
    const height = Math.max(1, Math.round(boxHeight(next.region) / step));
    if (!resize({ width, height }, 1)) context.clearRect(0, 0, width, height);
    element.style.display = image === null ? 'none' : '';
    if (image !== null) drawRegion(context, image, size, next);
  };
  const follow = (view: View): void => {
    const { region } = drawn;
    const [a, b, c, d, e, f] = viewMatrix(view);
    const stepX = boxWidth(region) / element.width;
    const stepY = boxHeight(region) / element.height;
    const x = a * region.left + c * region.top + e;
    const y = b * region.left + d * region.top + f;
    element.style.transform = `matrix(${a * stepX}, ${b * stepX}, ${c * stepY}, ${d * stepY}, ${x}, ${y})`;
    for (const shown of [element, tiles.element]) {
      shown.style.imageRendering = isSmooth && view.scale <= squarePixelsFrom ? 'auto' : 'pixelated';
    }
    tiles.follow(view);
  };
  const plainFilter = (): string => toning.withoutPage(element.style.filter);
  const tone = (): void => {
    if (adjusted === null) return;
    const filter = toning.filter(adjusted, adjusted.equalize && image !== null ? tableOf(image) : null);
    for (const shown of [element, tiles.element]) shown.style.filter = filter;
  };
  const settle = (view: View): void => {
    lastView = view;
    if (image === null || sourceSize(image).width === 0) return;
    tiles.settle(view, levelFor(view));
    if (levelFor(view) < finest()) void whole.read();
    const level = Math.max(levelFor(view), finest());
    const isEnough = boxContainsBox(drawn.region, intersectBoxes(visible(view), all()));
    if (level === drawn.level && isEnough) return;
    draw({ level, region: regionFor(view, level) });
    follow(view);
  };

  return {
    set(given: ImageSource | TiledPicture | ReducedPicture | null, givenSize: Size, view: View) {
      const isSameSize = givenSize.width === size.width && givenSize.height === size.height;
      const tiled = given !== null && 'overview' in given ? given : null;
      const reduced = given !== null && 'reduced' in given ? given : null;
      const source = tiled?.overview ?? reduced?.reduced ?? (given as ImageSource | null);
      image = source instanceof VideoFrame ? frames.pixelsOf(source) : source;
      size = givenSize;
      whole.of(reduced);
      tiles.set(tiled, size);
      if (adjusted?.equalize === true) tone();
      const level = Math.max(isSameSize ? drawn.level : levelFor(view), finest());
      draw(isSameSize && level === drawn.level ? drawn : { level, region: regionFor(view, level) });
    },
    /** How often an image of this view's size is halved when it is decoded; 0 keeps it complete. */
    decodedLevel: (view: View) => decodedLevelAt(view.scale * ratio),
    frames,
    resize(given: Size, givenRatio: number) {
      hostSize = given;
      ratio = givenRatio;
      tiles.resize(given);
    },
    /** True if visible tiles are missing. */
    isWaiting: () => tiles.isWaiting() || whole.isReading(),
    follow,
    /** Changes the bitmap's resolution once the view rests, if that looks better. */
    settle,
    adjust(appearance: Appearance) {
      isSmooth = appearance.smoothImage;
      adjusted = appearance;
      tone();
    },
    /** Without gamma and equalization, which only DOM filters support. False without an image. */
    paint(target: OffscreenCanvasRenderingContext2D): boolean {
      target.filter = plainFilter();
      const isThere = image !== null && sourceSize(image).width > 0;
      if (image !== null && isThere) target.drawImage(image, 0, 0, size.width, size.height);
      target.filter = 'none';
      return isThere;
    },
    /** Without adjustments. */
    read(part: Box, wanted: Size) {
      if (image === null) return null;
      // Returns the reduced image now; later calls get the complete one.
      if (wanted.width / boxWidth(part) > sourceSize(image).width / size.width) void whole.read();
      return pixelsOf(image, size, part, wanted);
    },
    /** Draws a large image at the resolution of `scale`; waits for its tiles. */
    async paintDetail(target: OffscreenCanvasRenderingContext2D, scale: number): Promise<void> {
      if (image !== null && scale > sourceSize(image).width / size.width) await whole.read();
      target.filter = plainFilter();
      if (image !== null && whole.isThere()) target.drawImage(image, 0, 0, size.width, size.height);
      await tiles.paint(target, scale);
      target.filter = 'none';
    },
    remove() {
      frames.close();
      whole.of(null);
      tiles.remove();
      toning.remove();
      remove();
    },
  };
}

/** The complete image of a reduced one; closed when another image is shown. */
function createWholeImage(onRead: (bitmap: ImageBitmap) => void) {
  let picture: ReducedPicture | null = null;
  let reading: Promise<void> | null = null;
  let bitmap: ImageBitmap | null = null;
  let abort = new AbortController();

  async function readNow(from: ReducedPicture, { signal }: AbortController): Promise<void> {
    try {
      const found = await from.readWhole(signal);
      if (signal.aborted) return found.close();
      bitmap = found;
      onRead(found);
    } catch {
      // The next change of the view tries again. The page tells that the service does not answer.
    } finally {
      if (!signal.aborted) reading = null;
    }
  }

  return {
    of(given: ReducedPicture | null) {
      if (given === picture) return;
      abort.abort();
      abort = new AbortController();
      bitmap?.close();
      [picture, reading, bitmap] = [given, null, null];
    },
    read(): Promise<void> {
      if (picture === null || bitmap !== null) return Promise.resolve();
      reading ??= readNow(picture, abort);
      return reading;
    },
    isReading: () => reading !== null,
    isThere: () => bitmap !== null,
    /** True if only the reduced image is there. */
    isMissing: () => picture !== null && bitmap === null,
  };
}

export type ImageLayer = ReturnType<typeof createImageLayer>;

/** Halves until the browser's downscaling factor is below two, because it would skip pixels otherwise. */
const levelAt = (scale: number, steps: number): number =>
  Math.max(0, Math.min(8, Math.floor(steps * Math.log2(1 / Math.max(scale, 1e-3))) / steps));

/** An image in at least half its size is decoded completely. */
const decodedLevelAt = (scale: number): number => {
  const level = levelAt(scale, reducedSteps);
  return level < 1 ? 0 : level;
};

/** Level of a bitmap of a width. Its width was rounded, so the level is, too. */
const levelOfWidths = (image: number, bitmap: number): number =>
  Math.max(0, Math.round(reducedSteps * Math.log2(image / Math.max(1, bitmap))) / reducedSteps);

function regionOf(image: Size, seen: Box, level: number): Box {
  const all = { left: 0, top: 0, right: image.width, bottom: image.height };
  if ((image.width * image.height) / 4 ** level <= largestBitmapPixels) return all;
  const wanted = growBox(seen, Math.max(boxWidth(seen), boxHeight(seen)) / 2);
  const region = intersectBoxes(wanted, all);
  return isEmptyBox(region) ? { left: 0, top: 0, right: 1, bottom: 1 } : roundOut(region);
}

/** Fills the canvas, which has the region's size at the level. */
function drawRegion(
  context: CanvasRenderingContext2D,
  image: Exclude<ImageSource, VideoFrame>,
  size: Size,
  { region, level }: Drawn,
): void {
  // The bitmap may be smaller than the frame's nominal size.
  const source = sourceSize(image);
  if (source.width === 0) return;
  const x = source.width / size.width;
  const y = source.height / size.height;
  // Down to a half, every pixel contributes in both modes; the better mode takes several times as long.
  context.imageSmoothingQuality = 2 ** level * Math.max(x, y) <= 2 ? 'low' : 'high';
  const from = [region.left * x, region.top * y, boxWidth(region) * x, boxHeight(region) * y] as const;
  context.drawImage(image, ...from, 0, 0, context.canvas.width, context.canvas.height);
}

/** Zero by zero for a closed bitmap. */
function sourceSize(image: Exclude<ImageSource, VideoFrame>): Size {
  if (image instanceof HTMLImageElement) return { width: image.naturalWidth, height: image.naturalHeight };
  return { width: image.width, height: image.height };
}

/** Part of the image scaled to a size; null without an image. */
function pixelsOf(
  picture: Exclude<ImageSource, VideoFrame>,
  image: Size,
  part: Box,
  wanted: Size,
): Uint8ClampedArray | null {
  const source = sourceSize(picture);
  if (source.width === 0) return null;
  const x = source.width / image.width;
  const y = source.height / image.height;
  const target = new OffscreenCanvas(wanted.width, wanted.height).getContext('2d', { willReadFrequently: true });
  if (target === null) return null;
  target.imageSmoothingQuality = 'high';
  const to = [0, 0, wanted.width, wanted.height] as const;
  target.drawImage(picture, part.left * x, part.top * y, boxWidth(part) * x, boxHeight(part) * y, ...to);
  return target.getImageData(...to).data;
}

const roundOut = (box: Box): Box => ({
  left: Math.floor(box.left),
  top: Math.floor(box.top),
  right: Math.ceil(box.right),
  bottom: Math.ceil(box.bottom),
});

const tablesOfPictures = new WeakMap<object, number[] | null>();
/** Longer side of the copy that the histogram is computed from. */
const countedSide = 512;

function tableOf(picture: Exclude<ImageSource, VideoFrame>): number[] | null {
  const known = tablesOfPictures.get(picture);
  if (known !== undefined) return known;
  const { width, height } = sourceSize(picture);
  const scale = Math.min(1, countedSide / Math.max(width, height));
  const counted = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const pixels = pixelsOf(picture, { width, height }, { left: 0, top: 0, right: width, bottom: height }, counted);
  const table = pixels === null ? null : equalizing(pixels);
  tablesOfPictures.set(picture, table);
  return table;
}
