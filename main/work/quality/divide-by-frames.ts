import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { framesOfTrack } from '../../../preload/geometry/track-pieces.ts';

/**
 * Divides annotations among frames. Each comparison of a job gets only the ground truth of its frames, because the
 * data are copied to a worker thread once for each job. Frames are in ascending order.
 */
export function divideByFrames(data: LabeledData): (frames: readonly number[]) => LabeledData {
  const tags = Map.groupBy(data.tags, ({ frame }) => frame);
  const shapes = Map.groupBy(data.shapes, ({ frame }) => frame);
  const tracks = data.tracks.map((track) => ({ track, span: framesOfTrack(track) }));
  return (frames) => {
    const last = frames.at(-1) ?? -Infinity;
    const [first = Infinity] = frames;
    return {
      ...data,
      tags: frames.flatMap((frame) => tags.get(frame) ?? []),
      shapes: frames.flatMap((frame) => shapes.get(frame) ?? []),
      tracks: tracks.flatMap(({ track, span }) => (span.first <= last && span.last >= first ? [track] : [])),
    };
  };
}
