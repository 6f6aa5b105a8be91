import { describe, expect, it } from 'vitest';
import { createFrameTimes } from '../../../../renderer/video/frame-times.ts';

const tick = 1 / 90_000;
const timesOf = (seconds: readonly (number | null)[], tolerance: number, first = 0) =>
  createFrameTimes({ first, seconds: [...seconds], keyframes: [first], tolerance });

describe('frame times', () => {
  it.each([
    ['twins one tick apart', [0, tick, 3000 * tick, 3001 * tick], tick / 2],
    ['2,000 frames a second', Array.from({ length: 90 }, (_, frame) => frame / 2000), 1 / 4000],
    ['5,000 frames a second, far into the file', [3600, 3600.0002, 3600.0004], 0.0001],
    ['30 frames a second', [0, 1 / 30, 2 / 30], 1 / 60],
  ])('give each frame its own number: %s', (_, seconds, tolerance) => {
    const { frameAt, timeOf } = timesOf(seconds, tolerance, 10);
    const numbers = seconds.map((_time, index) => 10 + index);
    expect(seconds.map(frameAt)).toEqual(numbers);
    expect(numbers.map(timeOf)).toEqual(seconds);
  });

  it('take the nearest frame if a program rounded the time to a millisecond', () => {
    const { frameAt } = timesOf([0, 1 / 30, 2 / 30], 1 / 60);
    expect([0, 0.033, 0.067].map(frameAt)).toEqual([0, 1, 2]);
  });

  it('give no number to a frame that the job skips, however close it is', () => {
    // Every second frame of a video with 2,000 frames per second, and one with equal timestamps.
    const halved = timesOf([0, 0.001, 0.002], 1 / 4000);
    expect([0.0005, 0.0015].map(halved.frameAt)).toEqual([undefined, undefined]);
    expect(timesOf([0, 3000 * tick], tick / 2).frameAt(tick)).toBeUndefined();
  });

  it('find frames beside one whose time is missing in the video', () => {
    const { frameAt, timeOf } = timesOf([0, null, null, 0.1, 0.2], 0.05);
    expect([0, 0.1, 0.2].map(frameAt)).toEqual([0, 3, 4]);
    expect(timeOf(1)).toBeUndefined();
  });
});
