import { describe, expect, it } from 'vitest';
import {
  recordFromShape,
  recordFromTag,
} from '../../../../../../../renderer/features/workspace/model/saving/record-codec.ts';
import { orderObjects } from '../../../../../../../renderer/features/workspace/panels/inspector/object-order.ts';
import { shapeSchema, tagSchema } from '../../../../../../../preload/contract/schema/annotations.ts';

const box = (id: string, label: number, size: number) =>
  recordFromShape(shapeSchema.parse({ type: 'rectangle', frame: 0, label_id: label, points: [0, 0, size, size] }), id);
const ellipse = (id: string, label: number, radius: number) =>
  recordFromShape(
    shapeSchema.parse({ type: 'ellipse', frame: 0, label_id: label, points: [50, 50, 50 + radius, 50 - radius] }),
    id,
  );
const tag = recordFromTag(tagSchema.parse({ frame: 0, label_id: 1 }), 'tag');
const records = [box('a', 2, 30), ellipse('b', 1, 20), box('c', 2, 10), tag];
const name = (id: number): string => (id === 1 ? 'apple' : 'pear');
const ids = (order: Parameters<typeof orderObjects>[1]): string[] =>
  orderObjects(records, order, name).map((record) => record.clientId);

describe('order of the object list', () => {
  it.each([
    ['oldest', ['a', 'b', 'c', 'tag']],
    ['newest', ['tag', 'c', 'b', 'a']],
    ['label', ['b', 'tag', 'a', 'c']],
    ['size', ['tag', 'b', 'a', 'c']],
  ] as const)('%s', (order, expected) => {
    expect(ids(order)).toEqual(expected);
    expect(records.map((record) => record.clientId)).toEqual(['a', 'b', 'c', 'tag']);
  });
});
