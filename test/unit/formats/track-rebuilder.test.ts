import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flattenTrack } from '../../../main/formats/kit/flatten-track.ts';
import { rebuildTrack, TrackConflictError } from '../../../main/formats/kit/track-rebuilder.ts';
import { completeLabel } from '../../../main/formats/kit/in-memory-task-data.ts';
import type { LabeledShape, Track, TrackedShape } from '../../../main/formats/kit/task-data.ts';

const frameCount = 30;
const label = completeLabel({
  name: 'car',
  attributes: [
    { name: 'id', mutable: false, input_type: 'text', default_value: '', values: [] },
    { name: 'speed', mutable: true, input_type: 'number', default_value: '0', values: [] },
  ],
});
const options = { label, hasFrame: (frame: number): boolean => frame >= 0 && frame < frameCount };

function shape(frame: number, x: number, more: Partial<LabeledShape> = {}): LabeledShape {
  return {
    type: 'rectangle',
    frame,
    label: 'car',
    points: [x, 0, x + 10, 10],
    occluded: false,
    attributes: [],
    group: 0,
    z_order: 0,
    keyframe: true,
    ...more,
  };
}

const summary = (track: Track): string =>
  track.shapes.map(({ frame, outside, points }) => `${frame}:${outside ? 'out' : points[0]}`).join(' ');

describe('rebuildTrack', () => {
  it('keeps keyframes and skips interpolated shapes', () => {
    const shapes = [0, 1, 2, 3, 4].map((frame) => shape(frame, frame, { keyframe: frame % 2 === 0 }));
    expect(summary(rebuildTrack(shapes.toReversed(), options))).toBe('0:0 2:2 4:4 5:out');
  });

  it('is outside where it is not visible', () => {
    const shapes = [shape(0, 0), shape(1, 1, { keyframe: false }), shape(5, 5, { keyframe: false }), shape(6, 6)];
    expect(summary(rebuildTrack(shapes, options))).toBe('0:0 1:1 2:out 5:5 6:6 7:out');
  });

  it("preserves the file's outside flags", () => {
    const shapes = [shape(0, 0), shape(3, 3, { outside: true }), shape(4, 4, { outside: true }), shape(8, 8)];
    expect(summary(rebuildTrack(shapes, options))).toBe('0:0 1:out 8:8 9:out');
  });

  it('does not end after the last frame', () => {
    expect(summary(rebuildTrack([shape(28, 1), shape(29, 2)], options))).toBe('28:1 29:2');
  });

  it('cannot have two shapes on one frame', () => {
    expect(() => rebuildTrack([shape(1, 1), shape(1, 2)], options)).toThrow(new TrackConflictError(1));
  });

  it('keeps immutable attributes once and the others with every keyframe', () => {
    const attributes = (speed: string) => [
      { name: 'id', value: 'A' },
      { name: 'speed', value: speed },
    ];
    const track = rebuildTrack(
      [shape(0, 0, { attributes: attributes('1') }), shape(1, 1, { attributes: attributes('2') })],
      options,
    );
    expect(track.attributes).toEqual([{ name: 'id', value: 'A' }]);
    expect(track.shapes.map(({ attributes: list }) => list.map(({ value }) => value).join())).toEqual(['1', '2', '2']);
  });

  it('rebuilds a track that shows the same on every frame', () => {
    const keyframe = fc.record({
      frame: fc.nat(frameCount - 1),
      x: fc.integer({ min: 0, max: 400 }),
      outside: fc.boolean(),
      occluded: fc.boolean(),
    });
    const keyframes = fc.uniqueArray(keyframe, { selector: (one) => one.frame, minLength: 1, maxLength: 8 });
    const seen = (track: Track): unknown[] =>
      [...flattenTrack(track, 1, frameCount)].map(({ frame, points, occluded }) => {
        // Interpolation in two steps instead of one may differ in the last digit of a double.
        return { frame, points: points.map((value) => Math.round(value * 1e6) / 1e6), occluded };
      });
    fc.assert(
      fc.property(keyframes, (list) => {
        const shapes: TrackedShape[] = list
          .toSorted((a, b) => a.frame - b.frame)
          .map(({ frame, x, outside, occluded }) => ({ ...shape(frame, x), outside, occluded, keyframe: true }));
        const track: Track = { label: 'car', group: 0, shapes };
        const flat = [...flattenTrack(track, 1, frameCount)];
        fc.pre(flat.length > 0);
        expect(seen(rebuildTrack(flat, options))).toEqual(seen(track));
      }),
      { numRuns: 500 },
    );
  });
});
