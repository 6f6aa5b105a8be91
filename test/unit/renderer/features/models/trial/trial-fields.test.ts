import { describe, expect, test } from 'vitest';
import { cardShares } from '../../../../../../renderer/features/models/deploy/gpu-share.ts';
import {
  boxOf,
  missingPrompt,
  noPrompts,
  trialFields,
  withPrompt,
} from '../../../../../../renderer/features/models/trial/trial-fields.ts';

describe('a trial call', () => {
  test('of a detector sends a threshold only if one was given', () => {
    expect(trialFields('detector', noPrompts, '')).toEqual({});
    expect(trialFields('detector', noPrompts, 0.3)).toEqual({ threshold: 0.3 });
  });

  test('of an interactor sends points and the box with its corners in order', () => {
    let prompts = withPrompt(noPrompts, 'positive', [10, 20]);
    prompts = withPrompt(prompts, 'negative', [1, 2]);
    expect(trialFields('interactor', prompts, '')).toEqual({
      pos_points: [[10, 20]],
      neg_points: [[1, 2]],
      obj_bbox: null,
    });
    prompts = withPrompt(withPrompt(prompts, 'box', [30, 40]), 'box', [5, 60]);
    expect(trialFields('interactor', prompts, 0.5)).toMatchObject({
      obj_bbox: [
        [5, 40],
        [30, 60],
      ],
      threshold: 0.5,
    });
  });

  test('of a tracker begins with the box', () => {
    expect(missingPrompt('tracker', noPrompts)).toBe('needBox');
    const prompts = withPrompt(withPrompt(noPrompts, 'box', [1, 2]), 'box', [3, 4]);
    expect(missingPrompt('tracker', prompts)).toBeNull();
    expect(trialFields('tracker', prompts, '')).toEqual({ shapes: [[1, 2, 3, 4]], states: [] });
  });

  test('begins a new box with a third corner', () => {
    const box = withPrompt(withPrompt(noPrompts, 'box', [1, 2]), 'box', [3, 4]);
    expect(boxOf(withPrompt(box, 'box', [7, 8]))).toBeNull();
  });

  test('of an interactor needs a point or a box', () => {
    expect(missingPrompt('interactor', noPrompts)).toBe('needPoint');
    expect(missingPrompt('interactor', withPrompt(noPrompts, 'positive', [1, 1]))).toBeNull();
    expect(missingPrompt('detector', noPrompts)).toBeNull();
  });
});

describe('the memory of two GPUs', () => {
  const card = (index: number, usedMiB: number) => ({
    index,
    uuid: `GPU-${index}`,
    name: 'Card',
    memory_mib: 10_000,
    usable_mib: 9_000,
    used_mib: usedMiB,
    free_mib: 1,
    external_mib: null,
    functions: [],
  });
  const cards = [card(0, 8_000), card(1, 2_000)];

  test('is enough or not for all workers together', () => {
    const shares = cardShares(cards, { count: 1, workers: 2, perWorkerMiB: 1_000 });
    expect(shares.map(({ wantedMiB, fits }) => [wantedMiB, fits])).toEqual([
      [2_000, false],
      [2_000, true],
    ]);
  });

  test("is not judged if the function's need is unknown", () => {
    const shares = cardShares(cards, { count: 1, workers: 1, perWorkerMiB: null });
    expect(shares.map(({ wantedMiB, fits }) => [wantedMiB, fits])).toEqual([
      [null, true],
      [null, true],
    ]);
  });
});
