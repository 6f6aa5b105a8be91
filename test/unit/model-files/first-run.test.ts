import { expect, test } from 'vitest';
import { itemDoubts, resultText } from '../../../main/model-files/first-run.ts';

const size = { width: 100, height: 50 };
const box = (confidence: string, points: readonly number[] = [10, 10, 40, 40]) => ({
  label: 'dog',
  type: 'rectangle',
  confidence,
  points,
});

test('names the number of results, and the best score with its label', () => {
  expect(resultText([])).toBe('nothing found');
  expect(resultText([box('0.5'), { ...box('0.914'), label: 'cat' }])).toBe('2 boxes, best 0.91 cat');
  expect(resultText([{ label: 'ripe', type: 'tag', confidence: '1' }])).toBe('1 label, best 1.00 ripe');
});

test('doubts equal scores, boxes of a pixel, masks of everything and hundreds of results', () => {
  expect(itemDoubts([box('0.9'), box('0.8')], size)).toEqual([]);
  expect(
    itemDoubts(
      Array.from({ length: 5 }, () => box('0.5')),
      size,
    ),
  ).toEqual(['All 5 scores are 0.5.']);
  expect(itemDoubts([box('0.9', [1, 1, 2, 2])], size)).toEqual(['All boxes are at most 2 pixels wide and high.']);
  const mask = [...Array.from({ length: 5000 }, () => 1), 0, 0, 99, 49];
  expect(itemDoubts([{ label: 'dog', type: 'mask', confidence: '1', mask }], size)).toEqual([
    'A mask covers the complete image.',
  ]);
  const many = Array.from({ length: 300 }, (_, index) => box(String(index / 1000)));
  expect(itemDoubts(many, size)).toEqual(['300 results on one image.']);
});
