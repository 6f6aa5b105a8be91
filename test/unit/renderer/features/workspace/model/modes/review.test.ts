import { describe, expect, it } from 'vitest';
import { boxOfIssue, stepIssue } from '../../../../../../../renderer/features/workspace/model/review/issue-places.ts';
import { stepsOf } from '../../../../../../../renderer/features/workspace/model/review/stage-steps.ts';
import { withLast } from '../../../../../../../renderer/features/workspace/model/review/review-controller.ts';

describe('positions of issues', () => {
  it('are the box around their points', () => {
    expect(boxOfIssue({ position: [5, 9, 1, 2, 3, 4] })).toEqual({ left: 1, top: 2, right: 5, bottom: 9 });
    expect(boxOfIssue({ position: [] })).toEqual({ left: 0, top: 0, right: 0, bottom: 0 });
  });

  it('are cycled through from the selected one, otherwise from the frame', () => {
    const issues = [
      { id: 7, frame: 1 },
      { id: 8, frame: 1 },
      { id: 9, frame: 4 },
    ];
    expect(stepIssue(issues, { frame: 1, chosen: 7 }, 1)).toBe(8);
    expect(stepIssue(issues, { frame: 4, chosen: 9 }, 1)).toBe(7);
    expect(stepIssue(issues, { frame: 1, chosen: 7 }, -1)).toBe(9);
    expect(stepIssue(issues, { frame: 2, chosen: null }, 1)).toBe(9);
    expect(stepIssue(issues, { frame: 2, chosen: null }, -1)).toBe(8);
    expect(stepIssue(issues, { frame: 5, chosen: null }, 1)).toBe(7);
    expect(stepIssue([], { frame: 5, chosen: null }, 1)).toBeNull();
  });
});

it('the last texts of issues are short, each once, newest first, and none of the standard ones', () => {
  expect(withLast(['a', 'b', 'c'], ' c ', ['Wrong label'])).toEqual(['c', 'a', 'b']);
  expect(withLast(['a', 'b', 'c'], 'd', [])).toEqual(['d', 'a', 'b']);
  expect(withLast(['a'], 'Wrong label', ['Wrong label'])).toEqual(['a']);
  expect(withLast(['a'], 'x'.repeat(41), [])).toEqual(['a']);
  expect(withLast(['a'], 'two\nlines', [])).toEqual(['a']);
});

it('the next states of a job depend on its stage and state', () => {
  const names = (stage: 'annotation' | 'validation' | 'acceptance', state: 'new' | 'completed') =>
    stepsOf({ stage, state }).map(({ name }) => name);
  expect(names('annotation', 'new')).toEqual(['handOver', 'complete']);
  expect(names('annotation', 'completed')).toEqual(['handOver', 'reopen']);
  expect(names('validation', 'new')).toEqual(['accept', 'reject']);
  expect(names('acceptance', 'completed')).toEqual(['reopen', 'reject']);
});
