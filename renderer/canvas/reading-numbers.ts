import { textAttribute } from '../../preload/contract/schema/model-files.ts';
import { inReadingOrder } from '../../preload/geometry/reading-order.ts';
import type { CanvasLabel, ClientId, SceneRecord, ShapeRecord } from './types.ts';

/** Text of a region, '' if it was not read; undefined if its label has no attribute for it. */
export function regionText(record: SceneRecord, label: Pick<CanvasLabel, 'attributeNames'> | undefined) {
  if (record.kind !== 'shape') return undefined;
  const [id] = [...(label?.attributeNames ?? [])].find(([, name]) => name === textAttribute) ?? [];
  return id === undefined ? undefined : (record.attributes.find(({ spec_id: spec }) => spec === id)?.value ?? '');
}

/** Numbers of text regions in reading order, from 1: of the proposals if there are any, else of the objects. */
export function readingNumbers(
  records: readonly SceneRecord[],
  labels: ReadonlyMap<number, Pick<CanvasLabel, 'attributeNames'>>,
): ReadonlyMap<ClientId, number> {
  const regions = records.filter(
    (record): record is ShapeRecord =>
      record.kind === 'shape' && !record.hidden && regionText(record, labels.get(record.labelId)) !== undefined,
  );
  const proposals = regions.filter(({ suggestion }) => suggestion === true);
  const ordered = inReadingOrder(proposals.length > 0 ? proposals : regions, ({ points }) => points);
  return new Map(ordered.map(({ clientId }, index) => [clientId, index + 1]));
}
