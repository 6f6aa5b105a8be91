import { describe, expect, it } from 'vitest';
import { createTrackPaths } from '../../../renderer/canvas/tracks/track-path.ts';
import { createTrackSet } from '../../../renderer/canvas/tracks/track-set.ts';
import { makeTrack } from '../../support/canvas-track.ts';

const pathOf = (keyframes: Parameters<typeof makeTrack>[1], frame: number, deleted: readonly number[] = []) => {
  const tracks = createTrackSet();
  const track = makeTrack('car', keyframes);
  tracks.reset([track], new Set(deleted));
  return createTrackPaths(tracks.at)(track, frame);
};
const xs = (pieces: readonly (readonly { readonly x: number }[])[]): number[][] =>
  pieces.map((piece) => piece.map(({ x }) => x));

/** Boxes of one pixel at the position of their frame: the centre of frame n is n + 0.5. */
describe('the path of a track', () => {
  it('connects its centres, past and future separately, with the keyframes of other frames', () => {
    const path = pathOf([[0], [4], [8]], 4);
    expect(xs(path.behind)).toEqual([[0.5, 1.5, 2.5, 3.5, 4.5]]);
    expect(xs(path.ahead)[0]?.slice(0, 5)).toEqual([4.5, 5.5, 6.5, 7.5, 8.5]);
    expect(path.keyframes.map(({ x }) => x)).toEqual([0.5, 8.5]);
  });

  it('is interrupted where the track is outside, and continues after it', () => {
    const path = pathOf([[0], [2, 'outside'], [5], [7, 'outside']], 8);
    expect(xs(path.behind)).toEqual([
      [0.5, 1.5],
      [5.5, 6.5],
    ]);
    expect(path.ahead).toEqual([]);
    expect(path.keyframes.map(({ x }) => x)).toEqual([0.5, 5.5]);
  });

  it('has no point on deleted frames, and is not interrupted there; it begins with the track', () => {
    expect(xs(pathOf([[3], [7]], 7, [5]).behind)).toEqual([[3.5, 4.5, 6.5, 7.5]]);
    expect(pathOf([[3], [7]], 1).behind).toEqual([]);
  });

  it('is limited to a part of the video', () => {
    const { behind, ahead } = pathOf([[0], [10_000]], 5000);
    expect([behind[0]?.length, ahead[0]?.length]).toEqual([61, 61]);
  });
});
