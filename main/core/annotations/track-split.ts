import { shapeAtFrame } from '../../../preload/contract/interpolation.ts';
import type { SubTrack, Track, TrackedShape } from '../../../preload/contract/schema/annotations.ts';

/**
 * The part of a track that lies in the frames of one job: its keyframes there, and, where the track is visible when
 * the job begins between two keyframes, a keyframe on the job's first frame. Null when nothing of it is visible.
 */
export function sliceTrack(track: Track, first: number, last: number): Track | null {
  const shapes = sliceShapes(track, first, last);
  const [start] = shapes;
  if (!start || shapes.every((shape) => shape.outside)) return null;
  const elements = track.elements.map((element) => {
    const own = sliceShapes(element, first, last);
    return { ...element, frame: own[0]?.frame ?? first, shapes: own };
  });
  return { ...track, frame: start.frame, shapes, elements };
}

function sliceShapes(track: SubTrack, first: number, last: number): TrackedShape[] {
  const inside = track.shapes.filter((shape) => shape.frame >= first && shape.frame <= last);
  const beginsBefore = track.shapes.some((shape) => shape.frame < first);
  if (!beginsBefore || inside.some((shape) => shape.frame === first)) return inside;
  const start = shapeAtFrame(track, first);
  if (!start || start.outside) return inside;
  const { frame, type, occluded, outside, z_order, rotation, points, attributes } = start;
  return [
    { frame, type, occluded, outside, z_order, rotation, points: [...points], attributes: [...attributes] },
    ...inside,
  ];
}
