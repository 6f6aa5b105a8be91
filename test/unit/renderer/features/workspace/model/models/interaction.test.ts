import { describe, expect, it } from 'vitest';
import type { LambdaFunction } from '../../../../../../../preload/contract/schema/functions.ts';
import { maskArea } from '../../../../../../../preload/geometry/mask-runs.ts';
import type { Prompts } from '../../../../../../../renderer/canvas/types.ts';
import {
  inForm,
  readInteraction,
} from '../../../../../../../renderer/features/workspace/model/models/interaction-answer.ts';
import {
  missingPrompt,
  promptFields,
} from '../../../../../../../renderer/features/workspace/model/models/interaction-question.ts';

const size = { width: 8, height: 6 };
const bitmap = (set: (x: number, y: number) => boolean): number[][] =>
  Array.from({ length: 6 }, (_row, y) => Array.from({ length: 8 }, (_pixel, x) => (set(x, y) ? 255 : 0)));
const model = (more: Partial<LambdaFunction> = {}): LambdaFunction => ({
  id: 'i',
  kind: 'interactor',
  name: 'I',
  description: '',
  labels_v2: [],
  version: 2,
  min_pos_points: 1,
  min_neg_points: 0,
  startswith_box: false,
  startswith_box_optional: false,
  ...more,
});
const prompts = (more: Partial<Prompts> = {}): Prompts => ({ positive: [], negative: [], box: null, ...more });
const at = (x: number, y: number) => ({ x, y });
const box = { left: 1, top: 2, right: 5, bottom: 6 };

describe('the answer of an interactor', () => {
  it('is a bitmap of the image, shapes, or a list of points', () => {
    const square = (x: number, y: number): boolean => x >= 2 && x < 5 && y >= 1 && y < 4;
    const [mask] = readInteraction({ mask: bitmap(square) }, size);
    expect(mask?.type).toBe('mask');
    expect(mask?.points.slice(-4)).toEqual([2, 1, 4, 3]);
    expect(readInteraction({ shapes: [{ type: 'polygon', points: [0, 0, 4, 0, 4, 4] }] }, size)).toEqual([
      { type: 'polygon', points: [0, 0, 4, 0, 4, 4] },
    ]);
    const pairs = [
      [0, 0],
      [4, 0],
      [4, 4],
    ];
    expect(readInteraction(pairs, size)).toEqual([{ type: 'polygon', points: [0, 0, 4, 0, 4, 4] }]);
    expect(readInteraction({ mask: bitmap(() => false) }, size)).toEqual([]);
  });

  it('is refused with a reason if it is something else', () => {
    expect(() => readInteraction({ blob: 'AAAA' }, size)).toThrow(/decoder/);
    expect(() => readInteraction({ detections: [] }, size)).toThrow(/neither shapes nor a mask/);
    expect(() => readInteraction({ mask: [Array.from({ length: 20 }, () => 1)] }, size)).toThrow(/20 × 1 pixels/);
  });

  it('is saved as a polygon for each part, or as one mask of all', () => {
    const parts = readInteraction({ mask: bitmap((x) => x < 3 || x > 4) }, size);
    const polygons = inForm(parts, 'polygon', size);
    expect(polygons.map(({ type }) => type)).toEqual(['polygon', 'polygon']);
    expect(polygons[0]?.points.length).toBe(8);
    expect(inForm(parts, 'mask', size)).toEqual(parts);
    const [mask] = inForm([{ type: 'polygon', points: [1, 1, 5, 1, 5, 4, 1, 4] }], 'mask', size);
    expect(maskArea(mask?.points ?? [])).toBe(12);
    const [frame] = inForm([{ type: 'rectangle', points: [1, 1, 5, 4] }], 'polygon', size);
    expect(frame?.points).toEqual([1, 1, 5, 1, 5, 4, 1, 4]);
  });
});

describe('the request to an interactor', () => {
  it('waits for its required prompts', () => {
    const inside = { positive: [at(1, 1)] };
    expect(missingPrompt(model(), prompts(inside))).toBe(null);
    expect(missingPrompt(model(), prompts())).toBe('positive');
    expect(missingPrompt(model({ min_pos_points: 2 }), prompts(inside))).toBe('positive');
    expect(missingPrompt(model({ min_neg_points: 1 }), prompts(inside))).toBe('negative');
    expect(missingPrompt(model({ startswith_box: true }), prompts(inside))).toBe('box');
    expect(missingPrompt(model({ startswith_box: true }), prompts({ box }))).toBe('positive');
    expect(missingPrompt(model({ startswith_box: true, min_pos_points: 0 }), prompts({ box }))).toBe(null);
    expect(missingPrompt(model({ startswith_box: true, startswith_box_optional: true }), prompts({ box }))).toBe(null);
  });

  it('omits negative points for a model that has none', () => {
    const all = prompts({ positive: [at(1, 1)], negative: [at(7, 5)], box });
    const corners = [
      [1, 2],
      [5, 6],
    ];
    expect(promptFields(model(), all)).toEqual({ pos_points: [[1, 1]], neg_points: [[7, 5]], obj_bbox: corners });
    expect(promptFields(model({ min_neg_points: -1 }), prompts({ negative: [at(7, 5)] }))).toEqual({
      pos_points: [],
      neg_points: [],
      obj_bbox: null,
    });
  });
});
