import type { TrackShape } from '../../../preload/geometry/interpolation.ts';
import type { AttributeValue } from '../../../preload/contract/schema/annotations.ts';
import {
  isVisible,
  type PartOfPiece,
  readTrack,
  type TrackPiece,
  type TrackWindow,
} from '../../../preload/geometry/track-pieces.ts';
import type { Attribute, DrawnTrack, LabeledShape, Track, TrackedShape } from './task-data.ts';

/** Interpolation identifies attributes by number, so each name gets one per track. */
function createAttributeNumbers() {
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
type AttributeNumbers = ReturnType<typeof createAttributeNumbers>;

function partOf(track: Track, place: number, numbers: AttributeNumbers): PartOfPiece {
  const shapes = track.shapes.map(({ keyframe: _keyframe, ...shape }) => ({
    ...shape,
    points: [...shape.points],
    rotation: shape.rotation ?? 0,
    attributes: numbers.toNumbers(shape.attributes),
  }));
  const frame = shapes.reduce((first, one) => Math.min(first, one.frame), Infinity);
  const attributes = numbers.toNumbers(track.attributes ?? []);
  return { frame, label_id: place, group: track.group, source: track.source ?? 'manual', attributes, shapes };
}

/** Renders a track, with names, as the annotation workspace shows it (see `readTrack`); null if no part is visible. */
export function drawTrack(track: Track, window: TrackWindow): DrawnTrack | null {
  const numbers = createAttributeNumbers();
  const elements = (track.elements ?? []).filter(({ shapes }) => shapes.length > 0);
  const whole: TrackPiece = {
    ...partOf(track, -1, numbers),
    elements: elements.map((element, place) => partOf(element, place, numbers)),
  };
  const seen = readTrack(whole, window);
  if (!seen) return null;
  const named = ({ attributes, ...shape }: TrackShape): TrackedShape => ({
    ...shape,
    attributes: numbers.toNames(attributes),
  });
  const withShapes = (from: Track, { shapes }: PartOfPiece): Track => ({
    ...from,
    shapes: shapes.map(({ id: _id, border: _border, ...shape }) => named({ ...shape, keyframe: true })),
  });
  const drawn = (from: Track, shape: TrackShape): TrackedShape => {
    const { attributes, ...rest } = named(shape);
    return { ...rest, attributes: [...(from.attributes ?? []), ...attributes] };
  };
  const parts = seen.piece.elements.map((element) => withShapes(elements[element.label_id]!, element));
  return {
    track: { ...withShapes(track, seen.piece), elements: parts.length > 0 ? parts : track.elements },
    *frames() {
      for (const { elements: own, ...shape } of seen.shapes()) {
        yield {
          ...drawn(track, shape),
          elements: own.map(({ label_id: place, elementIndex: _index, ...element }) => {
            const from = elements[place]!;
            return { ...drawn(from, element), label: from.label };
          }),
        };
      }
    },
  };
}

/** Shapes of a track on every frame where it is visible, skeletons with elements, as in `group_by_frame`. */
export function* flattenTrack(track: Track, trackId: number, endFrame: number): Generator<LabeledShape> {
  const drawn = drawTrack(track, { first: 0, last: endFrame - 1, deleted: new Set() });
  yield* drawn ? labeledShapes(drawn, trackId) : [];
}

export function* labeledShapes({ track, frames }: DrawnTrack, trackId: number): Generator<LabeledShape> {
  const { group, label, source } = track;
  const common = { group, source };
  for (const { elements, ...shape } of frames()) {
    if (!isVisible({ ...shape, elements })) continue;
    const parts = elements.map((element): LabeledShape => ({ ...element, ...common }));
    yield {
      ...shape,
      ...common,
      label,
      track_id: trackId,
      elements: parts.length > 0 ? parts : undefined,
    };
  }
}
