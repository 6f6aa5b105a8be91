import { describe, expect, test } from 'vitest';
import { labeledDataSchema } from '../../../../preload/contract/schema/annotations.ts';
import { divideByFrames, inParts } from '../../../../main/work/quality/divide-by-frames.ts';

const box = (frame: number, more: object = {}) => ({
  type: 'rectangle' as const,
  frame,
  points: [1, 1, 9, 9],
  ...more,
});
const track = (from: number, to: number) => ({
  frame: from,
  label_id: 1,
  shapes: [box(from), box(to, { outside: true })],
});
const frames = Array.from({ length: 100 }, (_, frame) => frame);
const truth = labeledDataSchema.parse({
  tags: frames.map((frame) => ({ frame, label_id: 1 })),
  shapes: frames.map((frame) => box(frame, { label_id: 1 })),
  tracks: [track(0, 5), track(12, 18), track(95, 99)],
});

/** All objects that the comparisons of this many jobs get. */
function objectsOf(jobs: number): number {
  const { of } = divideByFrames(truth);
  const size = frames.length / jobs;
  const parts = Array.from({ length: jobs }, (_, job) => of(frames.slice(job * size, (job + 1) * size)));
  return parts.reduce((sum, part) => sum + part.tags.length + part.shapes.length + part.tracks.length, 0);
}

describe('a ground truth divided among jobs', () => {
  test('has the same number of objects for any number of jobs', () => {
    expect(objectsOf(1)).toBe(203);
    expect(objectsOf(5)).toBe(203);
  });

  test('has the objects of the given frames, and tracks that may be visible on them', () => {
    const part = divideByFrames(truth).of([3, 4, 13]);
    expect([part.tags, part.shapes].map((objects) => objects.map(({ frame }) => frame))).toEqual([
      [3, 4, 13],
      [3, 4, 13],
    ]);
    expect(part.tracks.map(({ frame }) => frame)).toEqual([0, 12]);
  });
});

test('parts of frames have a limited number of objects, and every frame once', () => {
  const frames = Array.from({ length: 100 }, (_, frame) => frame);
  const parts = inParts(frames, (frame) => (frame === 50 ? 9000 : 100));
  expect(parts.flat()).toEqual(frames);
  expect(parts.map(({ length }) => length)).toEqual([25, 25, 1, 25, 24]);
});
