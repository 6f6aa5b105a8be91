import type { AttributeValue, LabeledData, SubTrack } from '../../../preload/contract/schema/annotations.ts';
import { withValues } from '../../../preload/contract/track-pieces.ts';
import type { LabelIndex } from './annotation-rules.ts';

/**
 * Adds the default of every attribute that an object does not carry: attributes may be newer than the object. A keyframe
 * goes on with the values of the one before it.
 */
export function withAttributeDefaults(data: LabeledData, index: LabelIndex): LabeledData {
  const defaults = (labelId: number, mutable?: boolean): AttributeValue[] => {
    const specs = index.labels.get(labelId)?.attributes ?? [];
    return specs
      .filter((spec) => mutable === undefined || spec.mutable === mutable)
      .map((spec) => ({ spec_id: spec.id, value: spec.default_value }));
  };
  const extendTrack = (track: SubTrack): void => {
    track.attributes = withValues(track.attributes, defaults(track.label_id, false));
    let before = defaults(track.label_id, true);
    if (before.length === 0) return;
    for (const shape of track.shapes) {
      before = withValues(shape.attributes, before);
      shape.attributes = before;
    }
  };
  for (const item of [...data.tags, ...data.shapes]) {
    item.attributes = withValues(item.attributes, defaults(item.label_id));
  }
  for (const track of data.tracks) for (const part of [track, ...track.elements]) extendTrack(part);
  return data;
}
