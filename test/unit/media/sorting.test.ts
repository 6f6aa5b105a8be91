import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SortingMethod, sortByPath } from '../../../main/media/sorting.ts';

function sorted(paths: readonly string[], method: SortingMethod, seed?: number): string[] {
  const options = seed === undefined ? { method } : { method, seed };
  return sortByPath(
    paths.map((path) => ({ path })),
    options,
  ).map(({ path }) => path);
}

describe('sortByPath', () => {
  const names = ['img10.jpg', 'img2.jpg', 'Img1.jpg', 'a/9.jpg', 'a/10.jpg', 'a b/1.jpg'];

  it('sorts lexicographically by code point', () => {
    expect(sorted(names, 'lexicographical')).toEqual([
      'Img1.jpg',
      'a b/1.jpg',
      'a/10.jpg',
      'a/9.jpg',
      'img10.jpg',
      'img2.jpg',
    ]);
    expect(sorted(['\u{1f600}.jpg', '\uffee.jpg'], 'lexicographical')).toEqual(['\uffee.jpg', '\u{1f600}.jpg']);
  });

  it('sorts naturally: numbers by value, without case, folder by folder', () => {
    expect(sorted(names, 'natural')).toEqual(['a/9.jpg', 'a/10.jpg', 'a b/1.jpg', 'Img1.jpg', 'img2.jpg', 'img10.jpg']);
    expect(sorted(['1.png', '01.png', '001.png', '2.png'], 'natural').at(-1)).toBe('2.png');
    const long = ['x100000000000000000001.png', 'x99999999999999999999.png', 'x100000000000000000000.png'];
    expect(sorted(long, 'natural')).toEqual([long[1], long[2], long[0]]);
  });

  it('keeps the given order for predefined', () => {
    expect(sorted(names, 'predefined')).toEqual(names);
  });

  it('shuffles by seed, for any order of the files', () => {
    const many = Array.from({ length: 50 }, (_, index) => `${index}.jpg`);
    const first = sorted(many, 'random', 7);
    expect(sorted([...many].reverse(), 'random', 7)).toEqual(first);
    expect(sorted(many, 'random', 8)).not.toEqual(first);
    expect([...first].sort()).toEqual([...many].sort());
  });
});

describe('the natural order', () => {
  it('does not depend on the order in which names are given, nor on other names', () => {
    const path = fc.stringMatching(/^[aB0-9 /.-]{0,12}$/);
    const some = fc.uniqueArray(path).chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all)));
    fc.assert(
      fc.property(some, ([all, part]) => {
        const given = new Set(part);
        expect(sorted(part, 'natural')).toEqual(sorted(all, 'natural').filter((name) => given.has(name)));
      }),
      { numRuns: 2000 },
    );
  });
});
