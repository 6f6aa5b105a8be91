import { describe, expect, it } from 'vitest';
import { labelsFit, labelTakes } from '../../../../preload/contract/label-fit.ts';
import { skeletonJoints, skeletonLayout } from '../../../../preload/geometry/skeleton-joints.ts';

describe('labels and the types that they accept', () => {
  it('accepts its own type; a label of type any accepts all except skeletons', () => {
    expect(labelTakes('polygon', 'polygon')).toBe(true);
    expect(labelTakes('polygon', 'rectangle')).toBe(false);
    expect(labelTakes('tag', 'tag')).toBe(true);
    expect(labelTakes('any', 'tag')).toBe(true);
    expect(labelTakes('any', 'skeleton')).toBe(false);
  });

  it('accepts results of a model if one of the two accepts the other, or both are outlines', () => {
    expect(labelsFit('mask', 'polygon')).toBe(true);
    expect(labelsFit('polygon', 'mask')).toBe(true);
    expect(labelsFit('polygon', 'rectangle')).toBe(false);
    expect(labelsFit('skeleton', 'any')).toBe(false);
    expect(labelsFit('any', 'skeleton')).toBe(false);
    expect(labelsFit('any', 'points')).toBe(true);
    expect(labelsFit('skeleton', 'skeleton')).toBe(true);
  });

  it('reads the lines of a skeleton by the names or the ids of its points', () => {
    const sublabels = [
      { id: 7, name: 'head & neck' },
      { id: 8, name: 'foot' },
    ];
    const line = '<line data-node-from="1" data-node-to="2"></line>';
    const byName =
      '<circle data-node-id="1" data-label-name="foot"/><circle data-node-id="2" data-label-name="head &amp; neck"/>';
    const byId = '<circle data-node-id="1" data-label-id="8"/><circle data-node-id="2" data-label-id="7"/>';
    expect(skeletonJoints({ svg: line + byName, sublabels })).toEqual([[2, 1]]);
    expect(skeletonJoints({ svg: line + byId, sublabels })).toEqual([[2, 1]]);
  });
});

describe('the position of the points of a new skeleton', () => {
  const sublabels = [{ name: 'head' }, { name: 'left' }, { name: 'right' }];

  it('is that of their circles in the drawing, by name, with any size', () => {
    const svg =
      '<circle cx="90" cy="60" data-label-name="right"/><circle cx="50" cy="20" data-label-name="head"/>' +
      '<circle cx="10" cy="60" data-label-name="left"/>';
    expect(skeletonLayout({ sublabels, svg })).toEqual([
      { x: 0.5, y: 0 },
      { x: 0, y: 1 },
      { x: 1, y: 1 },
    ]);
  });

  it('is in a row without a drawing, or for a point that it lacks', () => {
    expect(skeletonLayout({ sublabels }).map(({ x, y }) => [Math.round(x * 6), y])).toEqual([
      [1, 0.5],
      [3, 0.5],
      [5, 0.5],
    ]);
    const [head, left, right] = skeletonLayout({
      sublabels,
      svg: '<circle cx="0" cy="0" data-label-name="head"/><circle cx="x" cy="9" data-label-name="left"/>',
    });
    expect(head).toEqual({ x: 0.5, y: 0.5 });
    expect([left?.y, right?.y]).toEqual([0.5, 0.5]);
  });
});
