import { describe, expect, it } from 'vitest';
import { framesOfList } from '../../../main/import-export/export-options/frame-list.ts';

const task = { first: 0, last: 300 };

describe('a list of frames', () => {
  it.each([
    ['0-30:10, 250', undefined, [0, 10, 20, 30, 250]],
    ['250, 0-30:10, 20', undefined, [0, 10, 20, 30, 250]],
    ['296-', undefined, [296, 297, 298, 299, 300]],
    ['280-:10', undefined, [280, 290, 300]],
    ['5', 10, [5]],
    ['10 - 30, 100-110:5', 10, [10, 20, 30, 100, 105, 110]],
    ['1;2\n3', undefined, [1, 2, 3]],
    [undefined, 100, [0, 100, 200, 300]],
    [' , ', 150, [0, 150, 300]],
  ])('%j with every %s', (list, every, frames) => {
    expect(framesOfList(list, task, every)).toEqual(frames);
  });

  it('counts from the first frame of a job', () => {
    expect(framesOfList(undefined, { first: 100, last: 110 }, 5)).toEqual([100, 105, 110]);
  });

  it.each([
    ['0-10, first', '"first" is not a frame or a range: write numbers and ranges, for example 0-100:10, 250.'],
    ['-5', '"-5" is not a frame or a range: write numbers and ranges, for example 0-100:10, 250.'],
    ['10-5', '"10-5" ends before it starts.'],
    ['0-10:0', '"0-10:0" has a step of 0: use 1 for every frame, 10 for every tenth.'],
    ['290-301', 'Frame 301 does not exist: the frames are 0 to 300.'],
    ['301-', '"301-" ends before it starts.'],
    ['400', 'Frame 400 does not exist: the frames are 0 to 300.'],
  ])('refuses %j', (list, message) => {
    expect(() => framesOfList(list, task)).toThrow(message);
  });
});
