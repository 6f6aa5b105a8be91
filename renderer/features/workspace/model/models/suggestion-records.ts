import type { LabeledData } from '../../../../../preload/contract/schema/annotations.ts';
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

export const bySureness = (records: readonly SceneRecord[]): SceneRecord[] =>
  records.toSorted((a, b) => scoreOf(b) - scoreOf(a));
