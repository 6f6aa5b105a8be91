import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  interpolateTrack,
  InterpolationError,
  shapeAtFrame,
  trackShapeAtFrame,
} from '../../../../preload/geometry/interpolation.ts';
import type {
  InterpolatedShape,
  InterpolationOptions,
  Keyframe,
  KeyframedTrack,
} from '../../../../preload/geometry/interpolation.ts';
import { interpolationVectors } from '../../../support/interpolation-vectors.ts';

const keyframe = (frame: number, points: number[], more: Partial<Keyframe> = {}): Keyframe => ({
  frame,
  type: 'rectangle',
  points,
  rotation: 0,
  outside: false,
  occluded: false,
  z_order: 0,
  attributes: [],
  ...more,
});

const trackOf = (shapes: Keyframe[], more: Partial<KeyframedTrack> = {}): KeyframedTrack => ({
  frame: shapes[0]?.frame ?? 0,
  label_id: 1,
  shapes,
  ...more,
});

const shapesOf = (track: KeyframedTrack, end: number, options: InterpolationOptions = {}): InterpolatedShape[] => [
  ...interpolateTrack(track, 0, end, options),
];

const framesOf = (shapes: readonly InterpolatedShape[]): number[] => shapes.map(({ frame }) => frame);

describe('shapes between keyframes', () => {
  it('move a rectangle in a straight line and hold it after the last keyframe', () => {
    const track = trackOf([keyframe(1, [0, 0, 10, 10]), keyframe(3, [4, 2, 20, 10], { occluded: true, z_order: 2 })]);
    const shapes = shapesOf(track, 5);
    expect(shapes.map(({ frame, points, keyframe: isKey }) => [frame, points, isKey])).toEqual([
      [1, [0, 0, 10, 10], true],
      [2, [2, 1, 15, 10], false],
      [3, [4, 2, 20, 10], true],
      [4, [4, 2, 20, 10], false],
    ]);
    expect(shapes.map(({ occluded, z_order }) => [occluded, z_order])).toEqual([
      [false, 0],
      [false, 0],
      [true, 2],
      [true, 2],
    ]);
  });

  it('are absent after a keyframe that is outside, unless asked for', () => {
    const track = trackOf([
      keyframe(0, [0, 0, 1, 1]),
      keyframe(2, [2, 0, 3, 1], { outside: true }),
      keyframe(5, [5, 0, 6, 1]),
    ]);
    expect(framesOf(shapesOf(track, 7))).toEqual([0, 1, 2, 5, 6]);
    const all = shapesOf(track, 7, { includeOutside: true });
    expect(framesOf(all)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(all[3]).toMatchObject({ points: [3, 0, 4, 1], outside: true, keyframe: false });
  });

  it('are interpolated to a keyframe beyond the range, but not past the range', () => {
    const track = trackOf([keyframe(0, [0, 0, 10, 10]), keyframe(10, [10, 10, 20, 20])]);
    expect(shapesOf(track, 3).map(({ points }) => points[0])).toEqual([0, 1, 2]);
    expect([...interpolateTrack(track, 4, 6)].map(({ points }) => points[0])).toEqual([4, 5]);
  });

  it('skip deleted frames together with their keyframes, and are limited to the requested frames', () => {
    const track = trackOf([keyframe(0, [0, 0, 1, 1]), keyframe(2, [50, 0, 51, 1]), keyframe(4, [4, 0, 5, 1])]);
    const shapes = shapesOf(track, 5, { deletedFrames: new Set([2]) });
    expect(shapes.map(({ frame, points }) => [frame, points[0]])).toEqual([
      [0, 0],
      [1, 1],
      [3, 3],
      [4, 4],
    ]);
    expect(framesOf(shapesOf(track, 9, { includedFrames: new Set([1, 4, 7]) }))).toEqual([1, 4, 7]);
  });

  it('rotate the shortest way, and by 180° if both ways are equal', () => {
    const middle = (from: number, to: number): number =>
      shapesOf(
        trackOf([keyframe(0, [0, 0, 1, 1], { rotation: from }), keyframe(2, [0, 0, 1, 1], { rotation: to })]),
        3,
      )[1]!.rotation;
    expect(middle(350, 10)).toBe(0);
    expect(middle(10, 350)).toBe(0);
    expect(middle(0, 90)).toBe(45);
    expect(middle(200, 10)).toBe(285);
    expect(middle(0, 180)).toBe(90);
    expect(middle(90, 270)).toBe(180);
  });

  it('inherit attributes that a keyframe does not have', () => {
    const value = (spec_id: number, text: string) => ({ spec_id, value: text });
    const track = trackOf([
      keyframe(0, [0, 0, 1, 1], { attributes: [value(1, 'a'), value(2, 'b')] }),
      keyframe(2, [0, 0, 1, 1], { attributes: [value(1, 'c')] }),
    ]);
    const shapes = shapesOf(track, 4);
    expect(shapes[1]!.attributes).toEqual([value(1, 'a'), value(2, 'b')]);
    expect(shapes[3]!.attributes).toEqual([value(1, 'c'), value(2, 'b')]);
    expect(shapeAtFrame(track, 3)!.attributes).toHaveLength(2);
    expect(shapeAtFrame(track, 3)!.attributes).toEqual(expect.arrayContaining(shapes[3]!.attributes));
  });

  it('move a single point and hold several', () => {
    const one = trackOf([keyframe(0, [0, 0], { type: 'points' }), keyframe(2, [4, 2], { type: 'points' })]);
    expect(shapesOf(one, 2)[1]!.points).toEqual([2, 1]);
    const two = trackOf([keyframe(0, [0, 0, 1, 1], { type: 'points' }), keyframe(2, [4, 2, 9, 9], { type: 'points' })]);
    expect(shapesOf(two, 2)[1]!.points).toEqual([0, 0, 1, 1]);
  });

  it('blend polylines of different numbers of points', () => {
    const line = (frame: number, points: number[]) => keyframe(frame, points, { type: 'polyline' });
    const track = trackOf([line(0, [0, 0, 10, 0]), line(2, [0, 10, 5, 10, 10, 10])]);
    const [, blended] = shapesOf(track, 2);
    expect(blended!.points).toEqual([0, 5, 2.5, 5, 10, 5]);
    const back = trackOf([line(0, [0, 10, 5, 10, 10, 10]), line(2, [0, 0, 10, 0])]);
    expect(shapesOf(back, 2)[1]!.points).toEqual([0, 5, 2.5, 5, 10, 5]);
  });

  it('accept polygons without any length', () => {
    const ring = (frame: number, points: number[]) => keyframe(frame, points, { type: 'polygon' });
    const track = trackOf([ring(0, [1, 1, 1, 1, 1, 1]), ring(2, [0, 0, 4, 0, 4, 4])]);
    const [, blended] = shapesOf(track, 2);
    expect(blended!.points.length).toBeGreaterThanOrEqual(2);
    expect(blended!.points.every(Number.isFinite)).toBe(true);
  });

  it('rotate the cuboid of a point cloud the shortest way', () => {
    const cuboid = (frame: number, yaw: number) =>
      keyframe(frame, [0, 0, 0, 0, 0, yaw, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], { type: 'cuboid' });
    const track = trackOf([cuboid(0, 3), cuboid(2, -3)]);
    expect(shapesOf(track, 2, { dimension: '3d' })[1]!.points[5]).toBeCloseTo(Math.PI, 12);
    expect(shapesOf(track, 2)[1]!.points[5]).toBe(0);
  });

  it('are refused for masks, mixed types and two keyframes on one frame', () => {
    const mask = (frame: number) => keyframe(frame, [0, 4, 0, 0, 1, 1], { type: 'mask' });
    expect(() => shapesOf(trackOf([mask(0), mask(4)]), 5)).toThrow(InterpolationError);
    const mixed = trackOf([keyframe(0, [0, 0, 1, 1]), keyframe(4, [0, 0, 1, 1, 2, 2], { type: 'polygon' })]);
    expect(() => shapesOf(mixed, 5)).toThrow(/from rectangle to polygon on frame 4/u);
    const double = trackOf([keyframe(0, [0, 0, 1, 1]), keyframe(2, [0, 0, 1, 1]), keyframe(2, [0, 0, 2, 2])]);
    expect(() => shapesOf(double, 5)).toThrow(/two different keyframes on frame 2/u);
    const twice = trackOf([keyframe(0, [0, 0, 1, 1]), keyframe(2, [0, 0, 1, 1]), keyframe(2, [0, 0, 1, 1])]);
    expect(framesOf(shapesOf(twice, 4))).toEqual([0, 1, 2, 3]);
  });

  it('are not needed for masks with a keyframe on every frame', () => {
    const mask = (frame: number, outside = false) => keyframe(frame, [0, 4, 0, 0, 1, 1], { type: 'mask', outside });
    expect(framesOf(shapesOf(trackOf([mask(0), mask(1), mask(2, true)]), 9))).toEqual([0, 1, 2]);
  });

  it('include the elements of a skeleton, which disappears with the last of them', () => {
    const point = (frame: number, x: number, outside = false) => keyframe(frame, [x, 0], { type: 'points', outside });
    const parent = (frame: number) => keyframe(frame, [], { type: 'skeleton' });
    const track = trackOf([parent(0), parent(4)], {
      elements: [
        { frame: 0, label_id: 11, shapes: [point(0, 0), point(2, 4, true)] },
        { frame: 0, label_id: 12, shapes: [point(0, 0), point(3, 3, true)] },
      ],
    });
    const shapes = shapesOf(track, 6);
    expect(framesOf(shapes)).toEqual([0, 1, 2]);
    expect(shapes[2]!.elements.map(({ label_id, points, outside }) => [label_id, points, outside])).toEqual([
      [11, [4, 0], true],
      [12, [2, 0], false],
    ]);
    expect(shapeAtFrame(track, 1)!.elements.map(({ points }) => points[0])).toEqual([2, 1]);
  });
});

describe('the shape on one frame', () => {
  const track = trackOf([
    keyframe(2, [0, 0, 4, 4]),
    keyframe(4, [2, 2, 6, 6]),
    keyframe(6, [0, 0, 1, 1], { outside: true }),
  ]);

  it('is outside before the first keyframe and holds after the last', () => {
    expect(shapeAtFrame(track, 0)).toMatchObject({ frame: 0, points: [0, 0, 4, 4], outside: true, keyframe: false });
    expect(shapeAtFrame(track, 9)).toMatchObject({ frame: 9, points: [0, 0, 1, 1], outside: true, keyframe: false });
    expect(shapeAtFrame(trackOf([]), 0)).toBeNull();
  });

  it('never fails: masks and changed types hold', () => {
    const mask = (frame: number, left: number) => keyframe(frame, [0, 1, left, 0, left, 0], { type: 'mask' });
    expect(shapeAtFrame(trackOf([mask(0, 3), mask(4, 9)]), 3)!.points).toEqual([0, 1, 3, 0, 3, 0]);
    const mixed = trackOf([keyframe(0, [0, 0, 1, 1]), mask(4, 9)]);
    expect(shapeAtFrame(mixed, 3)!.points).toEqual([0, 0, 1, 1]);
  });

  it('is a stored shape without additional fields on request', () => {
    expect(trackShapeAtFrame(track, 3)).toEqual(keyframe(3, [1, 1, 5, 5]));
  });

  it('is a copy: changing it changes no keyframe', () => {
    shapeAtFrame(track, 2)!.points[0] = 99;
    [...interpolateTrack(track, 0, 9)][0]!.points[0] = 99;
    expect(track.shapes[0]!.points).toEqual([0, 0, 4, 4]);
  });

  it('equals that of the range, for any track', () => {
    const pointLists = fc
      .array(fc.integer({ min: 0, max: 60 }), { minLength: 4, maxLength: 16 })
      .map((list) => list.slice(0, list.length - (list.length % 2)));
    const frames = fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 5 });
    const tracks = fc
      .tuple(fc.constantFrom('rectangle', 'polygon', 'polyline', 'points'), frames)
      .chain(([type, numbers]) =>
        fc.tuple(
          ...numbers.map((frame) =>
            fc
              .tuple(pointLists, fc.boolean(), fc.integer({ min: 0, max: 359 }))
              .map(([points, outside, rotation]) =>
                keyframe(frame, type === 'rectangle' ? points.slice(0, 4) : points, { type, outside, rotation }),
              ),
          ),
        ),
      )
      .map((shapes) => trackOf(shapes, { frame: Math.min(...shapes.map(({ frame }) => frame)) }));
    fc.assert(
      fc.property(tracks, (track) => {
        const shapes = shapesOf(track, 25, { includeOutside: true });
        expect(framesOf(shapes)).toEqual(Array.from({ length: 25 - track.frame }, (_, index) => track.frame + index));
        for (const shape of shapes) expect(shapeAtFrame(track, shape.frame)).toEqual(shape);
      }),
    );
  });
});

describe('tracks and their shapes on every frame', () => {
  interpolationVectors(join(import.meta.dirname, '../../../fixtures/interpolation.json'));
});
