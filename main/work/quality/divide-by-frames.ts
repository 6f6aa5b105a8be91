import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { framesOfTrack } from '../../../preload/geometry/track-pieces.ts';

/** Objects that are copied to a worker thread at once: some milliseconds of the thread that answers requests. */
const maxObjectsOfPart = 2500;

/**
 * Divides annotations among frames. Each comparison gets only the annotations of its frames, because the data are copied
 * to a worker thread. Frames are in ascending order.
 */
export function divideByFrames(data: LabeledData) {
  const tags = Map.groupBy(data.tags, ({ frame }) => frame);
  const shapes = Map.groupBy(data.shapes, ({ frame }) => frame);
  const tracks = data.tracks.map((track) => ({ track, span: framesOfTrack(track) }));
  return {
    of(frames: readonly number[]): LabeledData {
      const last = frames.at(-1) ?? -Infinity;
      const [first = Infinity] = frames;
      return {
        ...data,
        tags: frames.flatMap((frame) => tags.get(frame) ?? []),
        shapes: frames.flatMap((frame) => shapes.get(frame) ?? []),
        tracks: tracks.flatMap(({ track, span }) => (span.first <= last && span.last >= first ? [track] : [])),
      };
    },
    /** Number of the tags and shapes on a frame. */
    countOn: (frame: number): number => (tags.get(frame)?.length ?? 0) + (shapes.get(frame)?.length ?? 0),
  };
}

/** Splits frames into consecutive parts with a limited number of objects. A part has at least one frame. */
export function inParts<Frame>(frames: readonly Frame[], countOn: (frame: Frame) => number): Frame[][] {
  const parts: Frame[][] = [];
  let count = Infinity;
  for (const frame of frames) {
    const own = countOn(frame);
    count += own;
    if (count > maxObjectsOfPart) {
      parts.push([]);
      count = own;
    }
    parts.at(-1)!.push(frame);
  }
  return parts;
}
