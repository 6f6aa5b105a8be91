import { describe, expect, it } from 'vitest';
import type { FrameMatches } from '../../../../../../../preload/contract/schema/finding.ts';
import { createFrameMatches } from '../../../../../../../renderer/features/workspace/model/find/frame-matches.ts';
import { findFrames, findLabels } from '../../../../../../../renderer/features/workspace/model/find/frame-names.ts';
import { nextOf, nextWithout } from '../../../../../../../renderer/features/workspace/model/frames/frame-navigator.ts';

const frames = ['cats/cat-1.jpg', 'cats/Cat-12.jpg', 'dogs/dog(2).jpg', '12 birds.png'].map((name, frame) => ({
  frame,
  name,
}));
const numbers = (typed: string) => findFrames(frames, typed).map(({ frame }) => frame);

describe('frames by typed text', () => {
  it.each([
    ['', [0, 1, 2, 3]],
    ['2', [2, 1, 3]],
    ['cat', [0, 1]],
    ['CAT-1', [0, 1]],
    ['cat-?.jpg', [0]],
    ['*.png', [3]],
    ['dogs/*', [2]],
    ['dog(2)', [2]],
    ['dog(?).*', [2]],
    ['whale', []],
  ])('%j', (typed, expected) => {
    expect(numbers(typed)).toEqual(expected);
  });

  it('labels by their beginning, and none before anything is typed', () => {
    const labels = [{ name: 'Car' }, { name: 'card' }, { name: 'scar' }];
    expect(findLabels(labels, ' ca')).toEqual([{ name: 'Car' }, { name: 'card' }]);
    expect(findLabels(labels, '')).toEqual([]);
  });
});

describe('the next frame', () => {
  it('is the nearest one in the requested direction', () => {
    expect([nextOf([2, 5, 9], 5, 1), nextOf([2, 5, 9], 5, -1), nextOf([2, 5, 9], 9, 1)]).toEqual([9, 2, null]);
  });
  it('that is empty is within the job', () => {
    const place = { frame: 1, first: 0, last: 4 };
    expect(nextWithout(new Set([2]), place, 1)).toBe(3);
    expect(nextWithout(new Set([0]), place, -1)).toBeNull();
    expect(nextWithout(new Set([2, 3, 4]), place, 1)).toBeNull();
  });
});

describe('matches of a filter', () => {
  const answer: FrameMatches = { frames: [1], counts: [1], total: 1 };

  it('are requested once everything is saved, and again only after a change', async () => {
    const requested: unknown[] = [];
    let save = (): void => undefined;
    const saved = new Promise<void>((resolve) => {
      save = resolve;
    });
    const matches = createFrameMatches({
      whenSaved: () => saved,
      ask: (filter) => {
        requested.push(filter);
        return Promise.resolve(answer);
      },
    });
    const both = [matches.of(null), matches.of(null)];
    await Promise.resolve();
    expect(requested).toEqual([]);
    save();
    expect(await Promise.all(both)).toEqual([answer, answer]);
    await matches.of(null);
    expect(requested).toHaveLength(1);
    matches.forget();
    await matches.of(null);
    expect(requested).toHaveLength(2);
  });

  it('that failed are requested again', async () => {
    let isUp = false;
    const matches = createFrameMatches({
      whenSaved: () => Promise.resolve(),
      ask: () => (isUp ? Promise.resolve(answer) : Promise.reject(new Error('down'))),
    });
    await expect(matches.of(null)).rejects.toThrow('down');
    isUp = true;
    expect(await matches.of(null)).toEqual(answer);
  });
});
