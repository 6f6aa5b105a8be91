import type { SceneRecord } from '../../../../canvas/types.ts';
import { inReadingOrder } from '../../../../../preload/geometry/reading-order.ts';
import { areaOf } from '../shape-size.ts';

export const objectOrders = ['newest', 'oldest', 'label', 'size', 'reading'] as const;
export type ObjectOrder = (typeof objectOrders)[number];

const area = (record: SceneRecord): number => (record.kind === 'shape' ? areaOf(record) : Infinity);

/** `records` are in drawing order, oldest first. */
export function orderObjects(
  records: readonly SceneRecord[],
  order: ObjectOrder,
  nameOf: (labelId: number) => string,
): readonly SceneRecord[] {
  switch (order) {
    case 'oldest':
      return records;
    case 'newest':
      return records.toReversed();
    case 'label':
      return records.toSorted((a, b) => nameOf(a.labelId).localeCompare(nameOf(b.labelId)));
    case 'size':
      return records.toSorted((a, b) => area(b) - area(a));
    case 'reading':
      return inReadingOrder(records, (record) => (record.kind === 'shape' ? record.points : []));
  }
}
