import type { Attribute, Label } from '../../../../../preload/contract/schema/labels.ts';
import type { ClientId, Command, SceneRecord } from '../../../../canvas/types.ts';
import { firstValue } from '../labels/label-rules.ts';

export interface Target {
  readonly record: SceneRecord;
  readonly label: Label;
  readonly attributes: readonly Attribute[];
}

export interface Place {
  readonly object: ClientId;
  readonly attribute: number;
}

interface OperationQuery {
  readonly records: readonly SceneRecord[];
  readonly labels: readonly Label[];
  /** First frame of a track; undefined for other objects. */
  readonly trackStart: (id: ClientId) => number | undefined;
  /** Name of the only attribute to ask; null for all. */
  readonly only: string | null;
}

const isShown = (record: SceneRecord): boolean =>
  record.filteredOut !== true &&
  record.suggestion !== true &&
  !record.hidden &&
  !(record.kind === 'shape' && record.outside);

/**
 * Visible objects with attributes to ask, in order. Immutable attributes of a track are asked at its start, mutable
 * ones on every frame.
 */
export function targetsOf({ records, labels, trackStart, only }: OperationQuery): Target[] {
  return records.filter(isShown).flatMap((record): Target[] => {
    const label = labels.find(({ id }) => id === record.labelId);
    if (label === undefined) return [];
    const start = record.kind === 'shape' && record.trackId !== undefined ? trackStart(record.trackId) : undefined;
    const attributes = label.attributes.filter(
      ({ name, mutable }) =>
        (only === null || name === only) && (mutable || start === undefined || start === record.frame),
    );
    return attributes.length === 0 ? [] : [{ record, label, attributes }];
  });
}

export const targetAt = (targets: readonly Target[], place: Place | null): Target | undefined =>
  targets.find(({ record }) => record.clientId === place?.object);

/** First attribute of an object, or its last one when going backwards. */
const entryOf = (target: Target | undefined, by: 1 | -1): Place | null => {
  const attribute = target?.attributes.at(by > 0 ? 0 : -1);
  return target === undefined || attribute === undefined
    ? null
    : { object: target.record.clientId, attribute: attribute.id };
};

export const endOf = (targets: readonly Target[], by: 1 | -1): Place | null => entryOf(targets.at(by > 0 ? 0 : -1), by);

const beside = (targets: readonly Target[], place: Place, by: 1 | -1): Target | undefined => {
  const now = targets.findIndex(({ record }) => record.clientId === place.object);
  return now < 0 ? undefined : targets[now + by];
};

/** Next or previous attribute, across objects; null at the end of the frame. */
export function stepAttribute(targets: readonly Target[], place: Place, by: 1 | -1): Place | null {
  const attributes = targetAt(targets, place)?.attributes ?? [];
  const now = attributes.findIndex(({ id }) => id === place.attribute);
  const next = now < 0 ? undefined : attributes[now + by];
  return next === undefined ? entryOf(beside(targets, place, by), by) : { ...place, attribute: next.id };
}

/** First attribute of the next or previous object; null at the end of the frame. */
export const stepObject = (targets: readonly Target[], place: Place, by: 1 | -1): Place | null =>
  entryOf(beside(targets, place, by), 1);

/** Finds the place again after the targets changed: the same object, else the one at its position. */
export function placeAgain(targets: readonly Target[], place: Place | null, turn: number): Place | null {
  const same = targetAt(targets, place);
  if (place !== null && same !== undefined) {
    return same.attributes.some(({ id }) => id === place.attribute) ? place : entryOf(same, 1);
  }
  return entryOf(targets[Math.min(Math.max(0, turn), targets.length - 1)], 1);
}

const mostChoices = 10;

export function choicesOf({ input_type: type, values }: Pick<Attribute, 'input_type' | 'values'>): readonly string[] {
  if (type === 'checkbox') return ['true', 'false'];
  if (type === 'select' || type === 'radio') return [...new Set(values)];
  if (type === 'text') return [];
  const [least = 0, most = least, step = 1] = values.map(Number);
  const count = step > 0 ? Math.floor((most - least) / step + 1e-6) + 1 : 0;
  if (!(count > 0 && count <= mostChoices)) return [];
  return Array.from({ length: count }, (_, index) => String(Number((least + index * step).toPrecision(12))));
}

export const valueOf = (record: SceneRecord, attribute: Attribute): string =>
  record.attributes.find(({ spec_id }) => spec_id === attribute.id)?.value ?? firstValue(attribute);

/** Attribute that a command changed; null if none. For tracks, only the object. */
export function placeOfCommand(
  { kind, changes }: Command,
  targets: readonly Target[],
  now: Place | null,
): Place | null {
  const [change] = changes;
  if (kind !== 'attributes' || change === undefined) return null;
  const target = targets.find(({ record }) => record.clientId === change.clientId);
  const was = new Map(change.before?.attributes.map(({ spec_id, value }) => [spec_id, value]));
  const changed = change.after?.attributes.find(({ spec_id, value }) => was.get(spec_id) !== value);
  const attribute = target?.attributes.find(({ id }) => id === changed?.spec_id);
  if (target === undefined) return null;
  return placeAgain(targets, { object: change.clientId, attribute: attribute?.id ?? now?.attribute ?? -1 }, 0);
}
