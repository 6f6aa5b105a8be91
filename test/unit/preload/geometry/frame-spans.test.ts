import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexRanges } from '../../../../preload/geometry/frame-spans.ts';

const range = fc
  .record({ first: fc.nat(40), length: fc.nat(12) })
  .map(({ first, length }) => ({ first, last: first + length }));

test('finds exactly the ranges that share a frame, in their order, overlapping or not', () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 12 }), range, (ranges, { first, last }) => {
      const sharing = ranges.flatMap((one, index) => (one.first <= last && one.last >= first ? [index] : []));
      expect(indexRanges(ranges).within(first, last)).toEqual(sharing);
    }),
  );
});
