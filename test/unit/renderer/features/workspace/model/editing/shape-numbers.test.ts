import { describe, expect, it } from 'vitest';
import {
  boxNumbers,
  vertexText,
  withBoxNumbers,
  withVertexText,
} from '../../../../../../../renderer/features/workspace/model/editing/shape-numbers.ts';
import { makeShape } from '../../../../../../support/canvas-shape.ts';

const limits = { width: 400, height: 300 };
const box = makeShape('box', 'rectangle', [10, 20, 110, 80]);
const ellipse = makeShape('ellipse', 'ellipse', [100, 100, 150, 70]);
const polygon = makeShape('polygon', 'polygon', [10, 10, 50.5, 10, 50, 60]);

describe('shapes by numbers', () => {
  it('reads and sets the box of rectangles and ellipses', () => {
    expect(boxNumbers(box)).toEqual({ x: 10, y: 20, width: 100, height: 60, rotation: 0 });
    expect(boxNumbers(ellipse)).toEqual({ x: 50, y: 70, width: 100, height: 60, rotation: 0 });
    expect(boxNumbers(polygon)).toBeNull();
    const moved = withBoxNumbers(box, { x: 0.5, y: 20, width: 100, height: 60, rotation: -90 }, null);
    expect(moved).toMatchObject({ value: { points: [0.5, 20, 100.5, 80], rotation: 270 } });
    const wider = withBoxNumbers(ellipse, { x: 50, y: 70, width: 120, height: 60, rotation: 0 }, limits);
    expect(wider).toMatchObject({ value: { points: [110, 100, 170, 70] } });
  });

  it('refuses invalid boxes, and those that would leave the image', () => {
    const numbers = { x: 10, y: 20, width: 100, height: 60, rotation: 0 };
    expect(withBoxNumbers(box, { ...numbers, width: 0 }, limits)).toEqual({ problem: { key: 'noSize' } });
    expect(withBoxNumbers(box, { ...numbers, x: NaN }, limits)).toEqual({ problem: { key: 'notNumber' } });
    const problem = { key: 'outside', values: limits };
    expect(withBoxNumbers(box, { ...numbers, x: 301 }, limits)).toEqual({ problem });
    expect(withBoxNumbers(box, { ...numbers, x: 301 }, null)).toHaveProperty('value');
    expect(withBoxNumbers(box, { ...numbers, y: 0, rotation: 90 }, limits)).toEqual({ problem });
  });

  it('reads and sets points as a list, and names an unreadable line', () => {
    expect(vertexText(polygon)).toBe('10, 10\n50.5, 10\n50, 60');
    expect(withVertexText(polygon, '1,2\n\n 3 4 \n5; 6\n7, 8\n', limits)).toMatchObject({
      value: { points: [1, 2, 3, 4, 5, 6, 7, 8] },
    });
    expect(withVertexText(polygon, '1, 2\n3\n5, 6', limits)).toEqual({
      problem: { key: 'badLine', values: { line: 2 } },
    });
    expect(withVertexText(polygon, '1, 2\n3, x\n5, 6', limits)).toMatchObject({ problem: { values: { line: 2 } } });
    expect(withVertexText(polygon, '1, 2\n3, 4', limits)).toEqual({ problem: { key: 'tooFew', values: { count: 3 } } });
    expect(withVertexText(polygon, '1, 2\n3, 4\n500, 6', limits)).toMatchObject({ problem: { key: 'outside' } });
  });
});
