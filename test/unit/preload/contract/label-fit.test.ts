import { describe, expect, it } from 'vitest';
import { labelsFit, labelTakes } from '../../../../preload/contract/label-fit.ts';
import { skeletonJoints } from '../../../../preload/contract/skeleton-joints.ts';

describe('labels and what they can be on', () => {
  it('takes its own type; one for anything takes all but skeletons', () => {
    expect(labelTakes('polygon', 'polygon')).toBe(true);
    expect(labelTakes('polygon', 'rectangle')).toBe(false);
    expect(labelTakes('tag', 'tag')).toBe(true);
    expect(labelTakes('any', 'tag')).toBe(true);
    expect(labelTakes('any', 'skeleton')).toBe(false);
  });

  it('lets results of a model in where one of the two takes the other, or both are outlines', () => {
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
