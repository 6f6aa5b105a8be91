import type { FrameRange, FrameService } from '../../work/tasks/frame-service.ts';
import { requireInside, type Region } from './region.ts';

/** The image of a frame as a function gets it. */
export interface FrameImage {
  readonly bytes: Buffer;
  /** Of the whole frame, as people see it. */
  readonly width: number;
  readonly height: number;
}

/** @throws ForwardedError 400 when the region is outside the image */
export async function readFrameImage(
  frames: FrameService,
  range: FrameRange,
  number: number,
  options: { readonly region: Region | null; readonly formats: readonly string[]; readonly signal?: AbortSignal },
): Promise<FrameImage> {
  const { width, height } = frames.frame(range, number);
  requireInside(options.region, { width, height });
  return { bytes: await frames.of(range).picture(number, options, options.signal), width, height };
}
