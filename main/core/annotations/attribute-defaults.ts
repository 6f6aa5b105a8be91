import type { AttributeValue, LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { LabelIndex } from './annotation-rules.ts';

/** Adds the default of every attribute that an object does not carry: attributes may be newer than the object. */
export function withAttributeDefaults(data: LabeledData, index: LabelIndex): LabeledData {
  const extend = (labelId: number, values: AttributeValue[], mutable?: boolean): AttributeValue[] => {
    const specs = index.labels.get(labelId)?.attributes ?? [];
    const missing = specs.filter(
      (spec) =>
        (mutable === undefined || spec.mutable === mutable) && !values.some((value) => value.spec_id === spec.id),
    );
    if (missing.length === 0) return values;
    return [...values, ...missing.map((spec) => ({ spec_id: spec.id, value: spec.default_value }))];
  };
  for (const item of [...data.tags, ...data.shapes]) item.attributes = extend(item.label_id, item.attributes);
  for (const track of data.tracks) track.attributes = extend(track.label_id, track.attributes, false);
  return data;
}
