import type { LabeledData, SubTrack, Track } from '../../../preload/contract/schema/annotations.ts';

const firstFrame = ({ frame, shapes }: SubTrack): number => Math.min(frame, ...shapes.map((shape) => shape.frame));

/** An element has a shape on the first frame of its skeleton: an outside one where it is seen later only. */
function beginAt(element: SubTrack, start: number): SubTrack {
  const [first, ...rest] = element.shapes.toSorted((a, b) => a.frame - b.frame);
  if (first === undefined || first.frame <= start) return { ...element, frame: start };
  const hidden = { ...first, frame: start, outside: true };
  return { ...element, frame: start, shapes: first.outside ? [hidden, ...rest] : [hidden, first, ...rest] };
}

/** A skeleton track begins with the first of its elements, as CVAT saves it: they would not be drawn before it. */
function withEarliestStart(track: Track): Track {
  const start = Math.min(...track.elements.map(firstFrame));
  if (start >= track.frame) return track;
  const [first, ...rest] = track.shapes.toSorted((a, b) => a.frame - b.frame);
  return {
    ...track,
    frame: start,
    shapes: first === undefined ? [] : [{ ...first, frame: start }, ...rest],
    elements: track.elements.map((element) => beginAt(element, start)),
  };
}

export const withSkeletonStarts = (data: LabeledData): LabeledData => ({
  ...data,
  tracks: data.tracks.map(withEarliestStart),
});
