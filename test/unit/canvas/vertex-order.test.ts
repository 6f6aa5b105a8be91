import { describe, expect, it } from 'vitest';
import { beginningWith, turnedRound } from '../../../renderer/canvas/shapes/vertex-path.ts';

const points = [0, 0, 10, 0, 10, 10, 0, 10];

describe('the order of vertices', () => {
  it('begins with another one, the ring is equal', () => {
    expect(beginningWith(points, 2)).toEqual([10, 10, 0, 10, 0, 0, 10, 0]);
    expect(beginningWith(points, 0)).toEqual(points);
  });

  it('is reversed: a ring keeps its first vertex, a line begins with its last one', () => {
    expect(turnedRound(points, true)).toEqual([0, 0, 0, 10, 10, 10, 10, 0]);
    expect(turnedRound(points, false)).toEqual([0, 10, 10, 10, 10, 0, 0, 0]);
    expect(turnedRound(turnedRound(points, true), true)).toEqual(points);
  });
});
