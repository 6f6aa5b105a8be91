import type { Attribute, Label } from '../../../../../preload/contract/schema/labels.ts';
import type { ClientId, Command, SceneRecord } from '../../../../canvas/types.ts';
import { firstValue } from '../../labels/label-rules.ts';

/** An object with what is asked of it here. */
export interface Target {
  readonly record: SceneRecord;
  readonly label: Label;
  /** At least one. */
  readonly attributes: readonly Attribute[];
}

/** One attribute of one object. */
export interface Place {
  readonly object: ClientId;
  /** The id of its attribute. */
  readonly attribute: number;
}

interface Asked {
  readonly records: readonly SceneRecord[];
  readonly labels: readonly Label[];
  /** Where a track begins; undefined: it is no track. */
  readonly trackStart: (id: ClientId) => number | undefined;
  /** Only attributes of this name; null: all. */
  readonly only: string | null;
}

const isShown = (record: SceneRecord): boolean =>
  record.filteredOut !== true &&
  record.suggestion !== true &&
  !record.hidden &&
  !(record.kind === 'shape' && record.outside);

/**
 * The objects that are seen and have something to be asked, in their order. What holds for a whole track is asked where
 * the track begins, what may change from frame to frame on every frame.
 */
export function targetsOf({ records, labels, trackStart, only }: Asked): Target[] {
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

/** The first attribute of an object or, coming from behind, its last one. */
const entryOf = (target: Target | undefined, by: 1 | -1): Place | null => {
  const attribute = target?.attributes.at(by > 0 ? 0 : -1);
  return target === undefined || attribute === undefined
    ? null
    : { object: target.record.clientId, attribute: attribute.id };
};

/** Where a frame is entered. */
export const endOf = (targets: readonly Target[], by: 1 | -1): Place | null => entryOf(targets.at(by > 0 ? 0 : -1), by);

const beside = (targets: readonly Target[], place: Place, by: 1 | -1): Target | undefined => {
  const now = targets.findIndex(({ record }) => record.clientId === place.object);
  return now < 0 ? undefined : targets[now + by];
};

/** The next or previous attribute, of the next or previous object where the object has no more; null: the frame ends. */
export function stepAttribute(targets: readonly Target[], place: Place, by: 1 | -1): Place | null {
  const attributes = targetAt(targets, place)?.attributes ?? [];
  const now = attributes.findIndex(({ id }) => id === place.attribute);
  const next = now < 0 ? undefined : attributes[now + by];
  return next === undefined ? entryOf(beside(targets, place, by), by) : { ...place, attribute: next.id };
}

/** The first attribute of the next or previous object; null: the frame ends. */
export const stepObject = (targets: readonly Target[], place: Place, by: 1 | -1): Place | null =>
  entryOf(beside(targets, place, by), 1);

/** The same place among other targets: of the same object where it is still there, else of the one that has its turn. */
export function placeAgain(targets: readonly Target[], place: Place | null, turn: number): Place | null {
  const same = targetAt(targets, place);
  if (place !== null && same !== undefined) {
    return same.attributes.some(({ id }) => id === place.attribute) ? place : entryOf(same, 1);
  }
  return entryOf(targets[Math.min(Math.max(0, turn), targets.length - 1)], 1);
}

const mostChoices = 10;

/** What can be chosen of an attribute; none where it is typed. */
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

/** The attribute that a command changed, of an object that is asked; null: it changed none. Of tracks the object alone. */
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
