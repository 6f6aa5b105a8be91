import { labelTakes } from '../../../../../preload/contract/label-fit.ts';
import type { Attribute, Label } from '../../../../../preload/contract/schema/labels.ts';
import type { SceneRecord, ShapeRecord } from '../../../../canvas/types.ts';
import { labelSuitsRecord, typeOf } from '../labels/label-rules.ts';

export interface Shared<Value> {
  /** Null if the values differ. */
  readonly value: Value | null;
  /** Number of objects with each value, the most frequent first. */
  readonly counts: readonly (readonly [Value, number])[];
}

export interface SharedAttribute extends Shared<string> {
  /** Attribute of the primary object; a select offers only values that all labels allow. */
  readonly attribute: Attribute;
}

export function sharedOf<Value>(values: readonly Value[]): Shared<Value> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  return { value: sorted.length === 1 ? (sorted[0]?.[0] ?? null) : null, counts: sorted };
}

export const labelsForAll = (records: readonly SceneRecord[], labels: readonly Label[]): readonly Label[] =>
  labels.filter((label) =>
    records.every((record) => labelTakes(label.type, typeOf(record)) && labelSuitsRecord(label, record, labels)),
  );

/** Intersection of two attributes of the same name; null if they share no value. */
function common(one: Attribute, other: Attribute): Attribute | null {
  if (one.input_type !== other.input_type || one.mutable !== other.mutable) return null;
  switch (one.input_type) {
    case 'text':
    case 'checkbox':
      return one;
    case 'select':
    case 'radio': {
      const values = one.values.filter((value) => other.values.includes(value));
      return values.length === 0 ? null : { ...one, values };
    }
    case 'number':
      return one.values.join() === other.values.join() ? one : null;
  }
}

/** Attributes common to all objects' labels by name and kind, with their values. */
export function sharedAttributes(
  records: readonly SceneRecord[],
  labels: readonly Label[],
): readonly SharedAttribute[] {
  const labelOf = (record: SceneRecord): Label | undefined => labels.find(({ id }) => id === record.labelId);
  const [primary, ...others] = [...new Set(records.toReversed().map(labelOf))];
  return (primary?.attributes ?? []).flatMap((first): SharedAttribute[] => {
    let attribute: Attribute | null = first;
    for (const label of others) {
      const same = label?.attributes.find(({ name }) => name === first.name);
      attribute = attribute === null || same === undefined ? null : common(attribute, same);
    }
    if (attribute === null) return [];
    const values = records.map((record) => {
      const own = labelOf(record)?.attributes.find(({ name }) => name === first.name);
      return record.attributes.find(({ spec_id }) => spec_id === own?.id)?.value ?? own?.default_value ?? '';
    });
    return [{ attribute, ...sharedOf(values) }];
  });
}

export const isShape = (record: SceneRecord): record is ShapeRecord => record.kind === 'shape';
