import { expect, test } from 'vitest';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import { outcomesOf } from '../../../../../renderer/features/work/tasks/move-task-dialog.tsx';
import { makeAttribute, makeLabel } from '../../../../support/labels.ts';

let nextId = 1;
const label = (name: string, type: Label['type'] = 'any', attributes: readonly string[] = []): Label =>
  makeLabel(nextId++, name, { type, attributes: attributes.map((one) => makeAttribute(nextId++, one)) });
const kinds = (objects: number, tracks: number) => [
  { type: 'rectangle' as const, objects, tracks, keyframes: 0, interpolated: 0 },
];

test('labels of a moved task: the same, deleted, or with the data that its objects would lose', () => {
  const own = [label('car', 'any', ['colour']), label('unused'), label('sky', 'mask'), label('dog', 'any', ['age'])];
  const there = [label('car', 'rectangle', ['colour', 'maker']), label('sky', 'tag'), label('dog')];
  const labels = own.map(({ id, name, color }, index) => ({
    id,
    name,
    color,
    kinds: index === 1 ? [] : kinds(2, 1),
    attributes: [],
  }));
  const counted = { frames: { total: 1, deleted: 0, with_objects: 1 }, labels, sources: [] };
  expect(outcomesOf(own, there, counted).map(({ label: of, ...fate }) => [of.name, fate])).toEqual([
    ['car', { count: 3, becomes: 'same' }],
    ['unused', { count: 0, becomes: 'gone' }],
    ['sky', { count: 3, becomes: 'lacking', attribute: 'mask' }],
    ['dog', { count: 3, becomes: 'lacking', attribute: 'age' }],
  ]);
  expect(outcomesOf(own.slice(3), [], counted)).toMatchObject([{ becomes: 'lacking' }]);
  expect(outcomesOf(own.slice(3), [], counted)[0]).not.toHaveProperty('attribute');
});
