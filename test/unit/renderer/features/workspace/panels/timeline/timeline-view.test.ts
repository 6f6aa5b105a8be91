import { describe, expect, it } from 'vitest';
import type { TrackRecord } from '../../../../../../../renderer/canvas/types.ts';
import {
  deletedAt,
  densityOf,
  filtered,
  fitted,
  frameAt,
  frameOfDrag,
  grabbedAt,
  isOutAt,
  issueMarks,
  keyframeAt,
  revealed,
  rulerStep,
  runsOf,
  spansOf,
  xOf,
  zoomedAt,
} from '../../../../../../../renderer/features/workspace/panels/timeline/timeline-view.ts';
import { makeTrack } from '../../../../../../support/canvas-track.ts';

const range = { first: 0, last: 99 };
const none: ReadonlySet<number> = new Set();
const width = 500;

const trackOf = (id: string, keyframes: Parameters<typeof makeTrack>[1]): TrackRecord => ({
  ...makeTrack(id, keyframes),
  labelId: id.startsWith('car') ? 1 : 2,
});

describe('the view of the timeline', () => {
  it('shows the complete job at first, and is limited to the job', () => {
    expect(fitted({ from: 0, scale: 0 }, range, width)).toEqual({ from: 0, scale: 5 });
    expect(fitted({ from: 95, scale: 10 }, range, width)).toEqual({ from: 50, scale: 10 });
    expect(fitted({ from: -5, scale: 10 }, range, width).from).toBe(0);
  });

  it('keeps the frame under the pointer during a zoom', () => {
    const view = fitted({ from: 0, scale: 0 }, range, width);
    const zoomed = zoomedAt(view, 200, 2, range, width);
    expect(zoomed.scale).toBe(10);
    expect(zoomed.from + 200 / zoomed.scale).toBeCloseTo(view.from + 200 / view.scale);
    expect(zoomedAt(zoomed, 10, 0.01, range, width)).toEqual(view);
  });

  it('finds frames by pixels, and scrolls to an invisible frame', () => {
    const view = { from: 50, scale: 10 };
    expect(frameAt(view, 25, range)).toBe(52);
    expect(frameAt(view, xOf(view, 73), range)).toBe(73);
    expect(frameAt(view, 10_000, range)).toBe(99);
    expect(revealed(view, 60, range, width)).toBe(view);
    expect(xOf(revealed(view, 20, range, width), 20)).toBeCloseTo(205);
  });

  it('has marks at least 40 pixels apart', () => {
    expect([60, 20, 5, 0.1].map(rulerStep)).toEqual([1, 2, 10, 500]);
  });
});

describe('a track on the timeline', () => {
  it('extends from its first keyframe to the end of the job, or to its last outside', () => {
    const track = trackOf('car', [[10], [20, 'occluded'], [30], [40, 'outside'], [50], [60], [80, 'outside']]);
    expect(spansOf(track, 99, none)).toEqual([
      { from: 10, to: 19, state: 'seen' },
      { from: 20, to: 29, state: 'occluded' },
      { from: 30, to: 39, state: 'seen' },
      { from: 40, to: 49, state: 'outside' },
      { from: 50, to: 79, state: 'seen' },
    ]);
    expect(spansOf(trackOf('car', [[90]]), 99, none)).toEqual([{ from: 90, to: 99, state: 'seen' }]);
  });

  it('counts on its visible frames', () => {
    const density = densityOf(
      [trackOf('car', [[10], [20, 'outside']]), trackOf('dog', [[15, 'occluded']])],
      range,
      none,
    );
    expect([9, 10, 15, 19, 20, 99].map((frame) => density[frame])).toEqual([0, 1, 2, 2, 1, 1]);
    expect(densityOf([trackOf('car', [[5]])], { first: 50, last: 59 }, none)).toEqual(new Uint32Array(10).fill(1));
  });

  it('of a skeleton is outside where all of its elements are, not where one is', () => {
    const part = (id: string, keyframes: Parameters<typeof trackOf>[1]) => trackOf(id, keyframes);
    const elements = [part('head', [[0], [5, 'outside']]), part('foot', [[0], [9, 'outside'], [20]])];
    const figure = { ...trackOf('dog', [[0]]), elements };
    expect(spansOf(figure, 99, none)).toEqual([
      { from: 0, to: 8, state: 'seen' },
      { from: 9, to: 19, state: 'outside' },
      { from: 20, to: 99, state: 'seen' },
    ]);
    expect([5, 9, 20].map((frame) => isOutAt(figure, frame, 99, none))).toEqual([false, true, false]);
  });

  it('ignores keyframes on deleted frames, and is invisible there', () => {
    const track = trackOf('car', [[10], [20, 'outside'], [40]]);
    const deleted = new Set([20, 50]);
    expect(spansOf(track, 99, deleted)).toEqual([{ from: 10, to: 99, state: 'seen' }]);
    const density = densityOf([track], range, deleted);
    expect([19, 20, 21, 50].map((frame) => density[frame])).toEqual([1, 0, 1, 0]);
  });

  it('returns the keyframe nearest to the pointer', () => {
    const view = { from: 0, scale: 4 };
    const track = trackOf('car', [[10], [12], [30]]);
    expect(keyframeAt(track, view, xOf(view, 12) - 3)).toBe(12);
    expect(keyframeAt(track, view, xOf(view, 10) - 5)).toBe(10);
    expect(keyframeAt(track, view, xOf(view, 20))).toBeNull();
  });

  it('is found by its label or the number in the list', () => {
    const tracks = [trackOf('car', [[0]]), trackOf('dog', [[0]]), trackOf('car2', [[0]])];
    const nameOf = (id: number) => (id === 1 ? 'Car' : 'Dog');
    const numbers = new Map([
      ['car', 7],
      ['dog', 12],
    ]);
    const ids = (text: string) =>
      filtered(tracks, text, nameOf, ({ clientId }) => numbers.get(clientId)).map(({ clientId }) => clientId);
    expect(ids(' car ')).toEqual(['car', 'car2']);
    expect(ids('12')).toEqual(['dog']);
    expect(ids('2')).toEqual([]);
    expect(ids('')).toEqual(['car', 'dog', 'car2']);
    expect(ids('cat')).toEqual([]);
  });
});

describe('marks of the timeline', () => {
  const wide = { from: 0, scale: 0.1 };

  it('are merged if issues would overlap, resolved only if all are', () => {
    const issues = [10, 20, 400, 9999].map((frame) => ({ frame, resolved: frame !== 20 }));
    expect(issueMarks(issues, wide, width)).toEqual([
      { frame: 10, x: xOf(wide, 10), count: 2, isResolved: false },
      { frame: 400, x: xOf(wide, 400), count: 1, isResolved: true },
    ]);
  });

  it("are hit if frames are narrower than the pointer's precision, the nearest of several", () => {
    const deleted = new Set([100, 101, 102, 140]);
    expect(runsOf(deleted)).toEqual([
      { from: 100, to: 102 },
      { from: 140, to: 140 },
    ]);
    expect(deletedAt(deleted, wide, 12)).toBe(102);
    expect(deletedAt(deleted, wide, 13)).toBe(140);
    expect(deletedAt(deleted, wide, 30)).toBeNull();
    expect(deletedAt(deleted, { from: 95, scale: 20 }, 8 * 20 + 1)).toBeNull();
    expect(deletedAt(deleted, { from: 95, scale: 20 }, 7 * 20 + 1)).toBe(102);
  });
});

describe('drag targets in a row', () => {
  const view = { from: 0, scale: 10 };
  const track = trackOf('car', [[10], [40, 'outside'], [55], [90, 'outside']]);
  const held = (x: number) => grabbedAt(track, view, x, range, none);

  it('are a keyframe or an end of a visible part, the nearest of them', () => {
    expect(held(105)).toEqual({ what: 'keyframe', from: 10 });
    expect(held(100)).toEqual({ what: 'begin', from: 10 });
    expect(held(899)).toEqual({ what: 'end', from: 89 });
    expect(held(904)).toEqual({ what: 'keyframe', from: 90 });
    expect(held(398)).toEqual(null);
    expect(held(300)).toBeNull();
  });

  it('move to the first or last visible frame', () => {
    const to = (what: 'keyframe' | 'begin' | 'end', x: number) => frameOfDrag({ what, from: 0 }, view, x, range);
    expect([to('begin', 204), to('begin', 206)]).toEqual([20, 21]);
    expect([to('end', 204), to('end', 206)]).toEqual([19, 20]);
    expect([to('keyframe', 204), to('keyframe', 209)]).toEqual([20, 20]);
  });
});

describe('ten thousand tracks', () => {
  const long = { first: 0, last: 9999 };
  const many = Array.from({ length: 10_000 }, (_, index) =>
    trackOf(`car${index}`, [
      [index % 5000],
      index % 2 === 0 ? [(index % 5000) + 2500, 'outside'] : [(index % 5000) + 2500],
    ]),
  );

  it('are counted on each frame like one by one', () => {
    const density = densityOf(many, long, none);
    const countOn = (frame: number): number => many.filter((track) => !isOutAt(track, frame, long.last, none)).length;
    for (const frame of [0, 1, 2500, 4999, 7000, 9999]) expect(density[frame]).toBe(countOn(frame));
  });
});
