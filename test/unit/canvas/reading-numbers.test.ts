import { expect, it } from 'vitest';
import { readingNumbers, regionText } from '../../../renderer/canvas/reading-numbers.ts';
import type { SceneRecord } from '../../../renderer/canvas/types.ts';

const labels = new Map([
  [1, { attributeNames: new Map([[7, 'transcription']]) }],
  [2, { attributeNames: new Map([[8, 'colour']]) }],
]);
const region = (clientId: string, x: number, y: number, more: object = {}) =>
  ({
    kind: 'shape',
    clientId,
    labelId: 1,
    hidden: false,
    points: [x, y],
    attributes: [],
    ...more,
  }) as unknown as SceneRecord;

it('numbers text regions from top to bottom and from left to right in a line', () => {
  const records = [
    region('right', 500, 396),
    region('left', 100, 400),
    region('top', 100, 100),
    region('car', 0, 0, { labelId: 2 }),
    region('hidden', 0, 0, { hidden: true }),
  ];
  expect([...readingNumbers(records, labels)]).toEqual([
    ['top', 1],
    ['left', 2],
    ['right', 3],
  ]);
});

it('numbers proposals alone while there are some, as their list does', () => {
  const records = [region('old', 0, 0), region('new', 100, 100, { suggestion: true })];
  expect([...readingNumbers(records, labels)]).toEqual([['new', 1]]);
});

it('has a text for regions only, also for one that was not read', () => {
  expect(regionText(region('a', 0, 0, { attributes: [{ spec_id: 7, value: 'AB' }] }), labels.get(1))).toBe('AB');
  expect(regionText(region('a', 0, 0), labels.get(1))).toBe('');
  expect(regionText(region('a', 0, 0, { labelId: 2 }), labels.get(2))).toBeUndefined();
});
