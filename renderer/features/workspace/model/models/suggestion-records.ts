import type { LabeledData } from '../../../../../preload/contract/schema/annotations.ts';
import type { OpenSuggestions } from '../../../../../preload/contract/schema/predictions.ts';
import { textAttribute } from '../../../../../preload/contract/schema/model-files.ts';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import { changed } from '../../../../canvas/changes.ts';
import type { RecordChange, SceneRecord } from '../../../../canvas/types.ts';
import { recordFromShape, recordFromTag } from '../saving/record-codec.ts';

/** Distinguishes the models, so that a second run replaces only its own proposals. */
const idPrefix = (functionId: string): string => `${functionId}:`;
export const isFrom = (record: SceneRecord, functionId: string): boolean =>
  record.clientId.startsWith(idPrefix(functionId));

type SuggestionKind = OpenSuggestions['results'][number]['kind'];

export const marksOf = (kind: SuggestionKind): Pick<SceneRecord, 'suggestion' | 'suggestsAttributes'> =>
  kind === 'attributes' ? { suggestion: true, suggestsAttributes: true } : { suggestion: true };

export function suggestionsFrom(
  data: LabeledData,
  functionId: string,
  newId: () => string,
  kind: SuggestionKind = 'objects',
): SceneRecord[] {
  const marks = marksOf(kind);
  const id = (): string => idPrefix(functionId) + newId();
  return [
    ...data.tags.map((tag): SceneRecord => ({ ...recordFromTag(tag, id()), ...marks })),
    ...data.shapes.map((shape): SceneRecord => ({ ...recordFromShape(shape, id()), ...marks })),
  ];
}

/** Changes that accept suggestions. Attributes are set on the object; without it, their suggestion stays open. */
export function acceptances(records: readonly SceneRecord[], there: readonly SceneRecord[]): RecordChange[] {
  const objectOf = objectFinder(there);
  const values = new Map<SceneRecord, SceneRecord>();
  const changes = records.flatMap((record): RecordChange[] => {
    const { suggestion: _open, ...rest } = record;
    if (record.suggestsAttributes !== true) return [changed(record, { ...rest, hidden: false })];
    const object = objectOf(record);
    if (object === undefined) return [];
    values.set(object, withValues(values.get(object) ?? object, record));
    return [changed(record, null)];
  });
  return [...changes, ...[...values].map(([object, filled]) => changed(object, filled))];
}

function withValues(object: SceneRecord, { attributes }: SceneRecord): SceneRecord {
  const ids = new Set(attributes.map(({ spec_id: id }) => id));
  return { ...object, attributes: [...object.attributes.filter(({ spec_id: id }) => !ids.has(id)), ...attributes] };
}

const suggestsChange = ({ attributes }: SceneRecord, object: SceneRecord): boolean =>
  attributes.some(({ spec_id: id, value }) => object.attributes.find((own) => own.spec_id === id)?.value !== value);

/** Finds the annotation whose attributes a record suggests: the one with the same label and shape. */
export function objectFinder(there: readonly SceneRecord[]): (record: SceneRecord) => SceneRecord | undefined {
  let objects: Map<string, SceneRecord> | undefined;
  return (record) => {
    objects ??= new Map(there.filter(({ suggestion }) => suggestion !== true).map((one) => [content(one), one]));
    return objects.get(content(record));
  };
}

/** True unless the record suggests attributes of an object that is not on the frame as it was, or has them already. */
export function canAccept(record: SceneRecord, objectOf: ReturnType<typeof objectFinder>): boolean {
  if (record.suggestsAttributes !== true) return true;
  const object = objectOf(record);
  return object !== undefined && suggestsChange(record, object);
}

const content = (record: SceneRecord): string =>
  record.kind === 'tag'
    ? `tag ${record.labelId}`
    : JSON.stringify([
        record.type,
        record.labelId,
        record.points,
        record.rotation,
        record.elements?.map((e) => e.points),
      ]);

/** Drops results that the frame already has, because a repeated run finds the same objects. */
export function withoutKnown(found: readonly SceneRecord[], there: readonly SceneRecord[]): SceneRecord[] {
  const known = new Set(there.filter((record) => record.suggestsAttributes !== true).map(content));
  const objectOf = objectFinder(there);
  return found.filter((record) => {
    if (record.suggestsAttributes !== true) return !known.has(content(record));
    const object = objectOf(record);
    // The objects of another frame are not loaded.
    return object === undefined || suggestsChange(record, object);
  });
}

export const scoreOf = (record: SceneRecord): number => (record.kind === 'shape' ? record.score : 1);

/** Text that a model has read; '' if it reads none. */
export function readTextOf(record: SceneRecord, labels: readonly Label[]): string {
  if (record.kind !== 'shape') return '';
  const label = labels.find(({ id }) => id === record.labelId);
  const own = label?.attributes.find(({ name, input_type: type }) => type === 'text' && name === textAttribute);
  return record.attributes.find(({ spec_id: id }) => id === own?.id)?.value ?? '';
}

/** Highest score first; texts in the order in which they are read. */
export function inListOrder(records: readonly SceneRecord[], labels: readonly Label[]): SceneRecord[] {
  if (records.some((record) => readTextOf(record, labels) !== '')) return [...records];
  return records.toSorted((a, b) => scoreOf(b) - scoreOf(a));
}
