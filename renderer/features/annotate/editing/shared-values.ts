import { labelTakes } from '../../../../preload/contract/label-fit.ts';
import type { Attribute, Label } from '../../../../preload/contract/schema/labels.ts';
import type { SceneRecord, ShapeRecord } from '../../../canvas/types.ts';
import { labelSuitsRecord, typeOf } from '../labels/label-rules.ts';

/** What several objects have of one thing. */
export interface Shared<Value> {
  /** Null: they differ. */
  readonly value: Value | null;
  /** How often each value occurs, the commonest first. */
  readonly counts: readonly (readonly [Value, number])[];
}

export interface SharedAttribute extends Shared<string> {
  /** Of the primary one; with a choice, only what all of them allow. */
  readonly attribute: Attribute;
}

export function sharedOf<Value>(values: readonly Value[]): Shared<Value> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  return { value: sorted.length === 1 ? (sorted[0]?.[0] ?? null) : null, counts: sorted };
}

/** Labels that every one of the objects can carry. */
export const labelsForAll = (records: readonly SceneRecord[], labels: readonly Label[]): readonly Label[] =>
  labels.filter((label) =>
    records.every((record) => labelTakes(label.type, typeOf(record)) && labelSuitsRecord(label, record, labels)),
  );

/** What two attributes of the same name both allow; null where they have nothing in common. */
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

/** Attributes that the labels of all the objects have, by name and kind, with what the objects have of them. */
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
