import { describe, expect, it } from 'vitest';
import { createShapeDirectory } from '../../../main/import-export/bulk-writer/shape-directory.ts';

type Entry = readonly [target: number, frame: number, id: number];

function ordered(entries: readonly Entry[]): Entry[] {
  const directory = createShapeDirectory();
  for (const [target, frame, id] of entries) directory.add(target, frame, id);
  expect(directory.size()).toBe(entries.length);
  const result: Entry[] = [];
  directory.inOrder((target, frame, id) => result.push([target, frame, id]));
  return result;
}

describe('the directory of an import', () => {
  it('is empty without shapes', () => {
    expect(ordered([])).toEqual([]);
  });

  it('lists overlapping batches by target, frame and order of arrival', () => {
    const lots: Entry[] = [
      [0, 3, 10],
      [0, 3, 11],
      [0, 900_000, 12],
      [1, 0, 13],
      [0, 0, 14],
      [0, 3, 15],
      [1, 0, 16],
    ];
    expect(ordered(lots)).toEqual([
      [0, 0, 14],
      [0, 3, 10],
      [0, 3, 11],
      [0, 3, 15],
      [0, 900_000, 12],
      [1, 0, 13],
      [1, 0, 16],
    ]);
  });

  it('preserves ids of any size, and decreasing ones', () => {
    const entries: Entry[] = [
      [0, 0, 2 ** 51 - 1],
      [0, 0, 1],
      [0, 1, 2 ** 51],
      [0, 2, 2 ** 33 + 7],
    ];
    expect(ordered(entries)).toEqual(entries);
  });

  it('equals a sort, for many batches and targets', () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const entries: Entry[] = [];
    for (let lot = 0; lot < 20; lot += 1) {
      const frames = Array.from({ length: 700 }, () => random(1 << 20)).toSorted((a, b) => a - b);
      for (const frame of frames) entries.push([random(3), frame, entries.length + 1]);
    }
    const expected = entries.toSorted((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
    expect(ordered(entries)).toEqual(expected);
  });
});
