import {
  interpolateTrack,
  InterpolationError,
  type Keyframe,
  type TrackShape,
} from '../../preload/contract/interpolation.ts';
import type { AttributeValue } from '../../preload/contract/schema/annotations.ts';
import type { Attribute, LabeledShape, Track } from './task-data.ts';

/** Interpolation knows attributes by number: each name gets one, for the time of one track. */
export function createAttributeNumbers() {
  const names: string[] = [];
  const numbers = new Map<string, number>();
  return {
    toNumbers: (attributes: readonly Attribute[]): AttributeValue[] =>
      attributes.map(({ name, value }) => {
        const number = numbers.get(name) ?? names.push(name) - 1;
        numbers.set(name, number);
        return { spec_id: number, value };
      }),
    toNames: (values: readonly AttributeValue[]): Attribute[] =>
      values.map(({ spec_id, value }) => ({ name: names[spec_id] ?? '', value })),
  };
}

/**
 * The shapes of a track as `group_by_frame` shows them: on every frame where it is visible, with `track_id` and
 * `keyframe`, skeletons with their elements. A track that cannot be interpolated shows its visible keyframes.
 */
export function* flattenTrack(track: Track, trackId: number, endFrame: number): Generator<LabeledShape> {
  if (track.shapes.length === 0) return;
  const numbers = createAttributeNumbers();
  const elements = (track.elements ?? []).filter(({ shapes }) => shapes.length > 0);
  const keyframed = ({ shapes, attributes = [] }: Track): { frame: number; label_id: number; shapes: Keyframe[] } => {
    const immutable = numbers.toNumbers(attributes);
    return {
      frame: shapes.reduce((first, { frame }) => Math.min(first, frame), Infinity),
      label_id: 0,
      shapes: shapes.map((shape) => ({
        ...shape,
        rotation: shape.rotation ?? 0,
        attributes: [...immutable, ...numbers.toNumbers(shape.attributes)],
      })),
    };
  };
  const labeled = (shape: TrackShape, label: string): LabeledShape => ({
    type: shape.type,
    frame: shape.frame,
    label,
    points: shape.points,
    occluded: shape.occluded,
    outside: shape.outside,
    attributes: numbers.toNames(shape.attributes),
    group: track.group,
    z_order: shape.z_order,
    rotation: shape.rotation,
    track_id: trackId,
    keyframe: shape.keyframe,
    ...(track.source ? { source: track.source } : {}),
  });
  let done = -1;
  try {
    const whole = { ...keyframed(track), elements: elements.map(keyframed) };
    for (const shape of interpolateTrack(whole, 0, endFrame)) {
      done = shape.frame;
      if (shape.outside) continue;
      const parts = shape.elements.map((element) => labeled(element, elements[element.elementIndex]?.label ?? ''));
      yield { ...labeled(shape, track.label), ...(parts.length > 0 ? { elements: parts } : {}) };
    }
  } catch (error) {
    if (!(error instanceof InterpolationError)) throw error;
    const { shapes } = keyframed(track);
    for (const shape of shapes)
      if (!shape.outside && shape.frame > done)
        yield labeled(
          { ...shape, keyframe: true, points: [...shape.points], attributes: [...shape.attributes] },
          track.label,
        );
  }
}
