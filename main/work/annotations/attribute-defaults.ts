import type { AttributeValue, LabeledData, SubTrack } from '../../../preload/contract/schema/annotations.ts';
import { withValues } from '../../../preload/geometry/track-pieces.ts';
import type { LabelIndex } from './annotation-rules.ts';

/**
 * Adds missing default values: attributes may be newer than the object. A keyframe inherits the values of the keyframe
 * before it.
 */
export function withAttributeDefaults(data: LabeledData, index: LabelIndex): LabeledData {
  const defaults = (labelId: number, mutable?: boolean): AttributeValue[] => {
    const specs = index.labels.get(labelId)?.attributes ?? [];
    return specs
      .filter((spec) => mutable === undefined || spec.mutable === mutable)
      .map((spec) => ({ spec_id: spec.id, value: spec.default_value }));
  };
  /** Drops the values of deleted attributes. */
  const known = (values: AttributeValue[], labelId: number): AttributeValue[] => {
    const isKnown = ({ spec_id }: AttributeValue) => index.attributes.get(spec_id) === labelId;
    return values.every(isKnown) ? values : values.filter(isKnown);
  };
  const extendTrack = (track: SubTrack): void => {
    track.attributes = withValues(known(track.attributes, track.label_id), defaults(track.label_id, false));
    let before = defaults(track.label_id, true);
    for (const shape of track.shapes) {
      before = withValues(known(shape.attributes, track.label_id), before);
      shape.attributes = before;
    }
  };
  for (const item of [...data.tags, ...data.shapes]) {
    item.attributes = withValues(known(item.attributes, item.label_id), defaults(item.label_id));
  }
  for (const track of data.tracks) for (const part of [track, ...track.elements]) extendTrack(part);
  return data;
}
