import type { LabeledData } from '../../../../../preload/contract/schema/annotations.ts';
import { textAttribute } from '../../../../../preload/contract/schema/model-files.ts';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import type { SceneRecord } from '../../../../canvas/types.ts';
import { recordFromShape, recordFromTag } from '../saving/record-codec.ts';

/** Distinguishes the models, so that a second run replaces only its own proposals. */
const idPrefix = (functionId: string): string => `${functionId}:`;
export const isFrom = (record: SceneRecord, functionId: string): boolean =>
  record.clientId.startsWith(idPrefix(functionId));

export function suggestionsFrom(data: LabeledData, functionId: string, newId: () => string): SceneRecord[] {
  const id = (): string => idPrefix(functionId) + newId();
  return [
    ...data.tags.map((tag): SceneRecord => ({ ...recordFromTag(tag, id()), suggestion: true })),
    ...data.shapes.map((shape): SceneRecord => ({ ...recordFromShape(shape, id()), suggestion: true })),
  ];
}

export function accepted(record: SceneRecord): SceneRecord {
  const { suggestion: _open, ...rest } = record;
  return { ...rest, hidden: false };
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
  const known = new Set(there.map(content));
  return found.filter((record) => !known.has(content(record)));
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
