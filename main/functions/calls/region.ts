import type { ModelKind } from '../configuration/model-description.ts';
import type { FrameRange, FrameService } from '../../work/tasks/frame-service.ts';
import { badRequest } from './lambda-errors.ts';

/** Part of an image in integer pixels; the right and bottom edges are exclusive. */
export interface Region {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const kindsWithRegion: ReadonlySet<ModelKind> = new Set(['detector', 'interactor']);

/**
 * Region of a call: `[xtl, ytl, xbr, ybr]`; null if absent.
 * @throws ForwardedError 400
 */
export function parseRegion(value: unknown, kind: ModelKind): Region | null {
  if (value === undefined || value === null) return null;
  if (!kindsWithRegion.has(kind)) throw badRequest(`ROI is not supported for ${kind} functions`);
  const isBox = Array.isArray(value) && value.length === 4 && value.every((one) => Number.isSafeInteger(one));
  if (!isBox) throw badRequest('ROI must contain four integer coordinates: [xtl, ytl, xbr, ybr]');
  const [left = 0, top = 0, right = 0, bottom = 0] = value.map(Number);
  if (left < 0 || top < 0) throw badRequest('ROI coordinates must be non-negative');
  if (right <= left || bottom <= top) throw badRequest('ROI size must be positive');
  return { left, top, width: right - left, height: bottom - top };
}

/** @throws ForwardedError 400 */
export function requireInside(region: Region | null, image: { readonly width: number; readonly height: number }): void {
  if (region === null) return;
  const isInside = region.left + region.width <= image.width && region.top + region.height <= image.height;
  if (!isInside) throw badRequest('ROI is outside the image');
}

/** Adds the region's offset to flat coordinates (x, y, …). */
export function shiftPoints(points: readonly number[], region: Region | null): number[] {
  if (region === null) return [...points];
  return points.map((value, index) => value + (index % 2 === 0 ? region.left : region.top));
}

/** Converts coordinate pairs of the image to coordinates of the region. */
export function intoRegion(pairs: unknown, region: Region | null): unknown {
  if (region === null || !Array.isArray(pairs)) return pairs;
  return pairs.map((pair: unknown) =>
    Array.isArray(pair) && pair.length === 2 ? [Number(pair[0]) - region.left, Number(pair[1]) - region.top] : pair,
  );
}

export interface FrameImage {
  readonly bytes: Buffer;
  /** Displayed size of the complete frame. */
  readonly width: number;
  readonly height: number;
}

/** @throws ForwardedError 400 if the region is outside the image */
export async function readFrameImage(
  frames: FrameService,
  range: FrameRange,
  number: number,
  options: {
    readonly region: Region | null;
    readonly formats: readonly string[];
    /** Maximum length of the longer side of a region. */
    readonly size?: number;
    readonly signal?: AbortSignal;
  },
): Promise<FrameImage> {
  const { width, height } = frames.frame(range, number);
  requireInside(options.region, { width, height });
  return { bytes: await frames.of(range).picture(number, options, options.signal), width, height };
}
